#!/usr/bin/env bash
# Installs the missing packages of the named sets with apt-get (Debian, Ubuntu), as root or with sudo.
#   build     a C compiler, CMake, the OpenCL headers and ICD loader, cJSON, zlib, libzstd, libzip
#   run       an OpenCL device if none is registered: PoCL, which runs on any processor
#   test      PoCL, Check, Python with NumPy, cffi, pytest and PyOpenCL, gnuplot, Oclgrind with its headers, MPFR,
#             C++ with CLHPP, Fortran, clang, clang-format
#   mpi       Open MPI, for libclreduce-mpi and its tests
#   mpich     MPICH, for tools/scripts/mpich.sh
#   site      Doxygen, for the target `site`: the pages, the reference, its man pages
#   fuzz      Clang with libFuzzer, which searches for input that breaks a promise
#   analysis  what tools/scripts/analyse.sh, coverage.sh and valgrind.sh run
#   package   what tools/scripts/package-check.sh needs: lintian, and what debian/control builds with
#   matrix    what tools/scripts/matrix.sh needs: Oclgrind, and the library that rusticl compiles kernels with
#   cross     the compilers of tools/scripts/build-matrix.sh, qemu-user and Wine
#   systems   debootstrap and Ubuntu's keys, for tools/scripts/systems.sh
#   peers     what tools/peers/compare.py compares with: NumPy, Highway's sort, C++; and gnuplot
# If the system lacks a package, the script names that package, installs the others and succeeds. The tests that need it
# are skipped and print the reason. Without apt-get or root rights the script prints the missing packages and succeeds;
# the build then reports what is missing.
set -euo pipefail

missing=()

has_command() { command -v "$1" >/dev/null 2>&1; }
wants() { missing+=("$@"); }

# True if the C compiler finds a header and a library.
links() {
  printf '#include <%s>\nint main(void) { return 0; }\n' "$1" | cc -x c - -o /dev/null "-l$2" 2>/dev/null
}

# True if the loader finds an ICD. OCL_ICD_VENDORS names another directory or one driver.
has_icd() {
  local vendors=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
  [ -f "$vendors" ] || compgen -G "$vendors/*.icd" >/dev/null
}

look_for_build() {
  has_command cc || wants gcc libc6-dev
  has_command cmake || wants cmake
  has_command make || has_command ninja || wants make
  has_command pkg-config || wants pkg-config
  links CL/cl.h OpenCL || wants ocl-icd-opencl-dev opencl-headers
  links cjson/cJSON.h cjson || wants libcjson-dev
  links zlib.h z || wants zlib1g-dev
  links zstd.h zstd || wants libzstd-dev
  links zip.h zip || wants libzip-dev
}

look_for_run() {
  has_icd || wants pocl-opencl-icd
}

look_for_test() {
  [ -f /etc/OpenCL/vendors/pocl.icd ] || wants pocl-opencl-icd
  [ -f /usr/include/check.h ] || wants check
  /usr/bin/python3 -c 'import numpy' 2>/dev/null || wants python3 python3-numpy
  /usr/bin/python3 -c 'import cffi, pytest' 2>/dev/null || wants python3-cffi python3-pytest
  /usr/bin/python3 -c 'import pyopencl' 2>/dev/null || wants python3-pyopencl
  has_command gnuplot || wants gnuplot-nox
  has_command oclgrind || wants oclgrind
  [ -f /usr/include/oclgrind/Plugin.h ] || wants liboclgrind-dev
  has_command c++ || wants g++
  links mpfr.h mpfr || wants libmpfr-dev
  [ -f /usr/include/CL/opencl.hpp ] || wants opencl-clhpp-headers
  has_command gfortran || wants gfortran
  has_command clang || wants clang
  has_command clang-format-14 || wants clang-format-14
}

look_for_mpi() {
  has_command mpicc || wants libopenmpi-dev
  has_command mpirun || wants openmpi-bin
}

look_for_mpich() {
  has_command mpicc.mpich || wants libmpich-dev
  has_command mpiexec.mpich || wants mpich
}

look_for_site() {
  has_command doxygen || wants doxygen
}

look_for_matrix() {
  has_command oclgrind || wants oclgrind
  [ -f /usr/lib/clc/spirv64-mesa3d-.spv ] || wants libclc-15
}

look_for_cross() {
  local target
  has_command clang || wants clang
  has_command x86_64-linux-musl-gcc || wants musl-tools
  has_command i686-w64-mingw32-gcc || wants gcc-mingw-w64
  # By these packages, because Debian's compilers only recommend a C library.
  for target in i686-linux-gnu=i386 aarch64-linux-gnu=arm64 s390x-linux-gnu=s390x; do
    [ -f "/usr/${target%=*}/include/stdio.h" ] || wants "gcc-${target%=*}" "libc6-dev-${target#*=}-cross"
  done
  has_command qemu-s390x || wants qemu-user
  has_command wine || wants wine
  [ -f /usr/include/CL/cl.h ] || wants opencl-headers
}

look_for_fuzz() {
  echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | clang -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null ||
    wants clang libclang-rt-dev
}

look_for_analysis() {
  has_command clang-tidy || wants clang-tidy
  has_command cppcheck || wants cppcheck
  has_command gcovr || wants gcovr
  has_command valgrind || wants valgrind libc6-dbg
}

look_for_package() {
  local package packages
  # The names in Build-Depends, without versions and profiles.
  packages=$(sed -n '/^Build-Depends:/,/^[^ ]/s/^ \([a-z0-9.+-]*\).*/\1/p' "$(dirname "$0")/../debian/control")
  for package in build-essential lintian ${packages/debhelper-compat/debhelper}; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || wants "$package"
  done
}

look_for_systems() {
  has_command debootstrap || wants debootstrap
  [ -f /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || wants ubuntu-keyring
}

look_for_peers() {
  /usr/bin/python3 -c 'import numpy' 2>/dev/null || wants python3 python3-numpy
  has_command c++ || wants g++
  [ -f /usr/include/hwy/contrib/sort/vqsort.h ] || wants libhwy-dev
  has_command gnuplot || wants gnuplot-nox
}

install_packages() { "${apt_get[@]}" install -y --no-install-recommends "$@" >/dev/null; }

# One call for all packages. If that fails, each package has a call of its own.
install() {
  local package apt_get=(env DEBIAN_FRONTEND=noninteractive apt-get -qq)

  if ! has_command apt-get; then
    echo "install-packages.sh: no apt-get here; missing: $*" >&2
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    has_command sudo || { echo "install-packages.sh: neither root nor sudo; missing: $*" >&2; return; }
    apt_get=(sudo "${apt_get[@]}")
  fi
  "${apt_get[@]}" update >/dev/null || echo "install-packages.sh: apt-get update failed; its lists may be old" >&2
  echo "installing: $*" >&2
  install_packages "$@" 2>/dev/null && return
  for package in "$@"; do
    install_packages "$package" || echo "install-packages.sh: $package cannot be installed on" \
      "$(. /etc/os-release && echo "$PRETTY_NAME"); the tests that need it are skipped" >&2
  done
}

for set in "$@"; do
  if declare -F "look_for_$set" >/dev/null; then
    "look_for_$set"
  else
    echo "usage: $0 SET..., of:$(compgen -A function look_for_ | sed 's/look_for_/ /' | tr -d '\n')" >&2
    exit 2
  fi
done
if [ "${#missing[@]}" -gt 0 ]; then
  mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
  install "${missing[@]}"
fi
