#!/usr/bin/env bash
# Makes the packages of a release as a user and a distribution would, and uses them: package-check.sh [--keep] [WORK]
#   tarball    two builds of the source tarball have the same bytes
#   debian     dpkg-buildpackage; lintian finds no error and no warning; the symbols are those of debian/*.symbols
#   installed  the packages are unpacked into a scratch root: clreduce sums, and a C program is built by pkg-config with
#              the shared and the static library, and by find_package
#   system     with CLREDUCE_INSTALL_SYSTEM=1, the packages are installed with apt-get, and debian/tests run
#   source     a C program is built by add_subdirectory, and by FetchContent from the tarball
#   static     BUILD_SHARED_LIBS=OFF installs the static library alone, by both names of CMake's and by pkg-config
#   libdir     an absolute CMAKE_INSTALL_LIBDIR stands in the .pc files
#   cpack      CPack makes the same package twice
# WORK: a directory for all of it, a temporary one by default, which is removed unless --keep is given. Takes some
# minutes. tools/install-packages.sh build run package installs what is needed (Debian, Ubuntu).
set -euo pipefail
cd "$(dirname "$0")/../.."

keep=no
[ "${1:-}" != --keep ] || { keep=yes; shift; }
work=${1:-$(mktemp -d)}
mkdir -p "$work"
work=$(cd "$work" && pwd)
[ "$keep" = yes ] || trap 'rm -rf "$work"' EXIT
jobs=$(nproc)
compile=$PWD/tests/package/compile.sh
export POCL_CACHE_DIR=$work/pocl CLREDUCE_CACHE_DIR=$work/cache
mkdir -p "$POCL_CACHE_DIR"

fail() {
  echo "package-check.sh: $*" >&2
  exit 1
}

# step NAME COMMAND...: runs it with its output in a log, which is shown if it fails.
step() {
  local name=$1 log=$work/$1.log status
  shift
  # Not as a condition, in which the shell would go on after a command that fails.
  set +e
  (set -e; "$@") >"$log" 2>&1
  status=$?
  set -e
  [ "$status" = 0 ] || { tail -n 40 "$log"; fail "$name failed; --keep keeps $log"; }
  echo "$name: passed"
}

same() {
  cmp "$1" "$2" || fail "$1 and $2 differ"
}

build_debian() {
  mkdir "$work/debian"
  tar -xf "$tarball" -C "$work/debian"
  cp "$tarball" "$work/debian/clreduce_$version.orig.tar.gz"
  cd "$work/debian/clreduce-$version"
  # Debian's own Python and compilers, whatever else the user has.
  PATH=/usr/sbin:/usr/bin:/sbin:/bin DEB_BUILD_OPTIONS=parallel=$jobs dpkg-buildpackage -us -uc -b
}

run_lintian() {
  lintian --fail-on error,warning --allow-root "$work"/debian/*.changes
}

use_root() {
  local root=$work/root package
  for package in "$work"/debian/*.deb; do
    [[ $package == *-dbgsym_* ]] || dpkg -x "$package" "$root"
  done
  LD_LIBRARY_PATH=$(dirname "$(find "$root" -name libclreduce.so)")
  export LD_LIBRARY_PATH
  debian/tests/sum "$root/usr/bin/clreduce"
  mkdir "$work/programs"
  CLREDUCE_PREFIX=$root/usr "$compile" "$work/programs" shared static find_package
}

use_system() {
  local packages=()
  mapfile -t packages < <(find "$work/debian" -maxdepth 1 -name '*.deb' -not -name '*-dbgsym_*')
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --reinstall "${packages[@]}"
  debian/tests/sum && debian/tests/compile && debian/tests/python
}

use_source() {
  mkdir "$work/source"
  "$compile" "$work/source" "add_subdirectory=$work/debian/clreduce-$version" "FetchContent=$tarball"
}

use_static() {
  cmake -B "$work/static" -DBUILD_SHARED_LIBS=OFF -DCLREDUCE_BUILD_TOOL=OFF -DCLREDUCE_MPI=OFF
  cmake --build "$work/static" -j "$jobs"
  cmake --install "$work/static" --prefix "$work/static/prefix"
  ! find "$work/static/prefix" -name '*.so*' | grep . || fail "BUILD_SHARED_LIBS=OFF installed a shared library"
  export PKG_CONFIG_PATH=$work/static/prefix/lib/pkgconfig
  # shellcheck disable=SC2046
  cc tests/package/total.c $(pkg-config --cflags --libs clreduce) -o "$work/static/total"
  "$work/static/total"
  cmake -S tests/package/consumer -B "$work/static/consumer" -DCMAKE_PREFIX_PATH="$work/static/prefix"
  cmake --build "$work/static/consumer"
  "$work/static/consumer/total"
}

look_at_libdir() {
  cmake -B "$work/libdir" -DCMAKE_INSTALL_LIBDIR=/opt/clreduce/lib64 -DCMAKE_INSTALL_PREFIX=/opt/clreduce \
    -DCLREDUCE_BUILD_TOOL=OFF -DCLREDUCE_MPI=OFF
  [ "$(PKG_CONFIG_PATH=$work/libdir pkg-config --variable=libdir clreduce)" = /opt/clreduce/lib64 ]
  [ "$(PKG_CONFIG_PATH=$work/libdir pkg-config --variable=includedir clreduce)" = /opt/clreduce/include ]
}

# The build of `static` serves again.
run_cpack() {
  local i
  for i in 1 2; do
    (cd "$work/static" && cpack -B "$work/cpack-$i")
  done
  same "$work"/cpack-1/*.deb "$work"/cpack-2/*.deb
}

version=$(sed -n 's/^project(clreduce VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
tarball=$work/once/clreduce-$version.tar.gz
step tarball tests/package/tarball.sh "$work"
step debian build_debian
step lintian run_lintian
step installed use_root
[ "${CLREDUCE_INSTALL_SYSTEM:-0}" = 0 ] || step system use_system
step source use_source
step static use_static
step libdir look_at_libdir
step cpack run_cpack
