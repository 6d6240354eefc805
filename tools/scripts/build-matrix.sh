#!/usr/bin/env bash
# Builds the library with every compiler and for every system of the table below, with warnings as errors, and runs the
# unit suites that need no OpenCL device, where the system's programs can run here (natively or by qemu-user or Wine).
# Emulated suites run with CLREDUCE_TEST_SHORT (tests/README.md).
# Prints a table. Exit code 1 if a build or a suite fails; a target without its compiler is skipped.
#
#   tools/scripts/build-matrix.sh [TARGET...]      # default: all; the names are those of the table
#
# tools/install-packages.sh cross installs the compilers, qemu-user and Wine (Debian, Ubuntu).
# gcc-multilib cannot be installed beside the cross compilers, so the 32-bit target uses gcc-i686-linux-gnu.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${CLREDUCE_MATRIX_BUILD:-$PWD/build-matrix}
headers=${OPENCL_HEADERS:-/usr/include}  # the directory with CL/cl.h
jobs=$(nproc)
export WINEDEBUG=-all

# name, compiler, CMake's system and processor ("-": native), and what runs the target's programs ("-": the system).
# Debian's Wine for 32 bits needs another architecture: dpkg --add-architecture i386, package wine32.
targets='
gcc          gcc                     -        -        -
clang        clang                   -        -        -
musl         x86_64-linux-musl-gcc   -        -        -
i686         i686-linux-gnu-gcc      Linux    i686     run_i686
aarch64      aarch64-linux-gnu-gcc   Linux    aarch64  qemu-aarch64 -L /usr/aarch64-linux-gnu
s390x        s390x-linux-gnu-gcc     Linux    s390x    qemu-s390x -L /usr/s390x-linux-gnu
mingw64      x86_64-w64-mingw32-gcc  Windows  AMD64    wine
mingw32      i686-w64-mingw32-gcc    Windows  x86      /usr/lib/wine/wine
'

# Debian's cross libraries of 32 bits have a loader of their own.
run_i686() {
  /usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib "$@"
}

# Suites that call functions of POSIX, or compare with the numbers of a C library that rounds correctly.
posix_suites=' cache_files text_number '

# Writes libOpenCL (a loader without drivers) for the target, and the directory of headers, which must not be
# /usr/include.
make_loader() {
  local cc=$1 system=$2 to=$3 options=(-shared -fPIC)
  mkdir -p "$to/include"
  cp -r "$headers/CL" "$to/include/"
  python3 tests/portable/opencl_header.py stub "$to/include/CL/cl.h" >"$to/stub.c"
  if [ "$system" = Windows ]; then
    "$cc" -shared -w -I"$to/include" "$to/stub.c" -o "$to/OpenCL.dll" -Wl,--out-implib,"$to/libOpenCL.dll.a" \
      -Wl,--add-stdcall-alias
    loader=$to/libOpenCL.dll.a
  else
    "$cc" "${options[@]}" -w -I"$to/include" "$to/stub.c" -Wl,-soname,libOpenCL.so.1 -o "$to/libOpenCL.so.1"
    ln -sf libOpenCL.so.1 "$to/libOpenCL.so"
    loader=$to/libOpenCL.so
  fi
}

build_library() {
  local cc=$1 system=$2 processor=$3 to=$4 cross=()
  [ "$system" = - ] || cross=(-DCMAKE_SYSTEM_NAME="$system" -DCMAKE_SYSTEM_PROCESSOR="$processor")
  # -O1 is enough for the compilers' warnings.
  cmake -S . -B "$to" -DCMAKE_C_COMPILER="$cc" "${cross[@]}" -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DCLREDUCE_WERROR=ON -DCLREDUCE_BUILD_TOOL=OFF -DCLREDUCE_MPI=OFF -DOpenCL_INCLUDE_DIR="$to/include" \
    -DOpenCL_LIBRARY="$loader"
  cmake --build "$to" -j "$jobs"
}

# Links a program with every public function of the shared library, so a function that is not exported shows.
link_shared() {
  local cc=$1 system=$2 to=$3 header public=() shared=("$3"/src/libclreduce.so)
  [ "$system" != Windows ] || shared=("$to"/src/libclreduce.dll.a)
  for header in include/clreduce*.h; do
    [[ $header == *_mpi.h ]] || public+=("$header")
  done
  {
    printf '#include <clreduce.h>\n'
    printf '#include "%s"\n' "${public[@]#*/}"
    echo 'static void (*const all[])(void) = {'
    sed -nE 's/^CLRED_API .*[ *](clred_[a-z0-9_]+)[(].*/(void (*)(void))\1,/p' "${public[@]}"
    echo '0}; int main(void) { return all[0] == 0; }'
  } >"$to/exports.c"
  "$cc" -std=c11 -w -Iinclude -I"$to/include" "$to/exports.c" "${shared[@]}" "$loader" -o "$to/exports.exe" \
    "-Wl,-rpath-link,$to"
}

# Compiles one suite and prints the command that runs it.
build_suite() {
  local cc=$1 system=$2 to=$3 name=$4 options=(-std=c11 -O1 -w -DCLRED_STATIC -D_POSIX_C_SOURCE=200809L)
  options+=(-D__USE_MINGW_ANSI_STDIO=1 -DCL_TARGET_OPENCL_VERSION=120 -ffp-contract=off)
  case ${to##*/} in
  i686) options+=(-msse2 -mfpmath=sse) ;;  # as cmake/options.cmake
  s390x) options+=(-fexcess-precision=fast) ;;
  esac
  local sources=("tests/unit/test_$name.c" tests/portable/suite.c)
  [ "$name" != cache_files ] || options+=("-Wl,--wrap=close,--wrap=read,--wrap=rename,--wrap=write")
  case $name in
  text_*) sources+=(tools/base/number.c tools/input/text_{number,split}.c) ;;
  npy) sources+=(tools/input/{npy,reorder}.c) ;;
  esac
  local rest=("$to/src/libclreduce.a" "$loader" -lm)
  [ "$system" = Windows ] || rest+=(-pthread "-Wl,-rpath,$to")
  [ "$system" != Windows ] || rest+=(-static-libgcc)
  "$cc" "${options[@]}" -Itests/portable -Itests -Isrc -Itools -Iinclude -I"$to/include" "${sources[@]}" \
    "${rest[@]}" -o "$to/test_$name.exe"
}

run_suites() {
  local cc=$1 system=$2 to=$3 runner=$4 name passed=0 failed=
  [[ $runner != qemu-* ]] || local -x CLREDUCE_TEST_SHORT=1
  for path in tests/unit/test_*.c; do
    name=${path##*/test_}
    name=${name%.c}
    [ "$system" != Windows ] || [[ $posix_suites != *" $name "* ]] || continue
    echo "suite $name"
    if build_suite "$cc" "$system" "$to" "$name" && $runner "$to/test_$name.exe"; then
      passed=$((passed + 1))
    else
      failed+=" $name"
    fi
  done >>"$to/log" 2>&1
  suites="$passed passed"
  [ -z "$failed" ] || suites+=", failed:$failed"
  [ -z "$failed" ]
}

run_target() {
  local name=$1 cc=$2 system=$3 processor=$4 runner=$5 to=$build/$1
  local -x WINEPREFIX=$build/$1/wine
  library='not built' suites='not run'
  mkdir -p "$to"
  { make_loader "$cc" "$system" "$to" && build_library "$cc" "$system" "$processor" "$to" &&
    link_shared "$cc" "$system" "$to"; } >"$to/log" 2>&1 ||
    return 1
  library="built, $(grep -c 'warning:' "$to/log" || true) warnings"
  [ "$runner" != - ] || runner=
  [ -z "$runner" ] || command -v "${runner%% *}" >/dev/null || { suites="no ${runner%% *}"; return 0; }
  run_suites "$cc" "$system" "$to" "$runner"
}

status=0
printf '%-9s %-30s %-18s %s\n' target compiler library 'unit suites'
while read -r name cc system processor runner; do
  [ -n "$name" ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  if ! command -v "$cc" >/dev/null; then
    printf '%-9s %-30s %s\n' "$name" "$cc" 'skipped: no such compiler'
    continue
  fi
  failed=
  run_target "$name" "$cc" "$system" "$processor" "$runner" || failed=" (see $build/$name/log)"
  [ -z "$failed" ] || status=1
  printf '%-9s %-30s %-18s %s\n' "$name" "$cc $("$cc" -dumpversion)" "$library" "$suites$failed"
done <<<"$targets"
exit "$status"
