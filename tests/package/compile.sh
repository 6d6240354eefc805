#!/usr/bin/env bash
# Builds total.c as a user would, in the named ways, runs it, and checks what it prints:
#   compile.sh WORK WAY...
# WORK: an empty directory. WAY:
#   shared, static           one line of the compiler, with pkg-config
#   find_package             a CMake project
#   add_subdirectory=DIRECTORY  a CMake project that contains the library's directory
#   FetchContent=TARBALL     a CMake project that fetches the library's tarball
#   configure=DIRECTORY         as add_subdirectory, but the project is configured only
# CLREDUCE_PREFIX names the directory that libclreduce is installed in, if it is not the system's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

work=$1
shift
if [ -n "${CLREDUCE_PREFIX:-}" ]; then
  PKG_CONFIG_PATH=$(find "$CLREDUCE_PREFIX" -type d -name pkgconfig -print -quit)
  export PKG_CONFIG_PATH CMAKE_PREFIX_PATH=$CLREDUCE_PREFIX LD_LIBRARY_PATH=${PKG_CONFIG_PATH%/pkgconfig}
fi

fail() {
  echo "compile.sh: $*" >&2
  exit 1
}

# The program must print the total, and use the shared library just if its way says so.
check() {
  local way=$1 program=$2 uses=$3 printed needed
  printed=$("$program") || fail "$way: the program failed"
  [[ $printed == "total 137 by libclreduce "* ]] || fail "$way: the program printed: $printed"
  needed=$(readelf -d "$program" | grep -c 'NEEDED.*libclreduce\.so\.' || true)
  [ "$needed" = "$uses" ] || fail "$way: the program needs $needed shared libclreduce, not $uses"
  echo "$way: $printed"
}

by_compiler() {
  local flags
  flags=$(pkg-config --cflags --libs "$2") || fail "pkg-config does not find $2"
  # shellcheck disable=SC2086
  "${CC:-cc}" "$here/total.c" $flags -o "$work/$1"
  check "pkg-config, $1" "$work/$1" "$3"
}

# by_cmake WAY SOURCE [none]: the executables of the project, one for each library, or none of them.
by_cmake() {
  local build=$work/$1
  cmake -S "$here/consumer" -B "$build" "-DHOW=$1" "-DSOURCE=$2" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
  [ "${3:-}" != none ] || { echo "$1: configured"; return; }
  cmake --build "$build" -j "$(nproc)" >>"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
  check "$1" "$build/total" 1
  check "$1, static" "$build/total_static" 0
}

for way in "$@"; do
  case $way in
    shared) by_compiler shared clreduce 1 ;;
    static) by_compiler static clreduce-static 0 ;;
    find_package) by_cmake find_package "" ;;
    add_subdirectory=* | FetchContent=*) by_cmake "${way%%=*}" "$(realpath "${way#*=}")" ;;
    configure=*) by_cmake add_subdirectory "$(realpath "${way#*=}")" none ;;
    *) fail "'$way' is no way to build a program; give shared, static, find_package, add_subdirectory=DIRECTORY," \
            "FetchContent=TARBALL or configure=DIRECTORY" ;;
  esac
done
