#!/usr/bin/env bash
# Compares the library's binary interface with that of the last release, whose headers are tests/abi/baseline.h:
#   tools/scripts/abi.sh check [FOLDER]   exit code 0: programs of the release keep working; 1: a report of what breaks
#                                         FOLDER, if named, has other headers and another api/growth.def (tests/abi)
#   tools/scripts/abi.sh symbols          adds new functions to debian/*.symbols, with the version of CMakeLists.txt
#   tools/scripts/abi.sh update           writes the baseline anew; tools/release.sh does both
# docs/abi.md says what may change. Needs abigail-tools, Python, and x86-64; exit code 77 without abidw.
# All public functions are in src/api, so only that folder is compiled. Of the release, its declarations are enough:
# each function gets a body that aborts.
set -euo pipefail
cd "$(dirname "$0")/../.."

baseline=tests/abi/baseline.h
case ${1:-} in
  check | symbols | update) ;;
  *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac

# add_symbols FILE: adds the names of standard input that the file lacks, in the order of dpkg-gensymbols.
add_symbols() {
  local version name
  version=$(sed -n 's/^project(clreduce VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
  while read -r name; do
    grep -q "^ $name@Base " "$1" || echo " $name@Base $version" >>"$1"
  done
  { grep -v '^ ' "$1"; grep '^ ' "$1" | LC_ALL=C sort; } >"$1.new"
  mv "$1.new" "$1"
}

if [ "$1" = symbols ]; then
  for header in include/clreduce*.h; do
    [ "$header" = include/clreduce_mpi.h ] || cat "$header"
  done | sed -n 's/^CLRED_API .*\b\(clred_[a-z0-9_]*\)(.*/\1/p' | add_symbols debian/libclreduce[0-9]*.symbols
  sed -n 's/^CLRED_API .*\b\(clred_[a-z0-9_]*\)(.*/\1/p' include/clreduce_mpi.h |
    add_symbols debian/libclreduce-mpi[0-9]*.symbols
  exit
fi

if [ "$1" = update ]; then
  python3 -B tests/abi/headers.py interface include >"$baseline"
  exit
fi

command -v abidw >/dev/null || { echo "skipped: abidw is missing; tools/install-packages.sh abi installs it"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: binary interfaces are compared on x86-64"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# describe NAME HEADERS SOURCE...: writes $work/NAME.abi, the interface of these sources with the headers of a folder.
describe() {
  "${CC:-cc}" -shared -fPIC -g -O0 -std=c11 -fvisibility=hidden -D_POSIX_C_SOURCE=200809L \
    -DCL_TARGET_OPENCL_VERSION=120 -I"$2" -Isrc -Iinclude -Wl,-soname,libclreduce.so "${@:3}" -o "$work/library.so"
  abidw --headers-dir "$2" --drop-private-types --exported-interfaces-only --no-show-locs --no-corpus-path \
    --no-comp-dir-path --no-parameter-names --no-elf-needed --no-architecture --type-id-style hash \
    --out-file "$work/$1.abi" "$work/library.so"
}

mkdir "$work/release"
cp "$baseline" "$work/release"
{ echo '#include <stdlib.h>'
  echo '#include "baseline.h"'
  tr '\n' ' ' <"$baseline" | grep -o 'CLRED_API [^;#]*);' | sed 's/;$/ { abort(); }/'; } >"$work/release.c"
describe release "$work/release" "$work/release.c"
describe now "${2:-include}" src/api/*.c
python3 -B tests/abi/trim.py "$work/release.abi" "$work/now.abi"
abidiff --no-added-syms "$work/release.abi" "$work/now.abi" ||
  { echo "abi.sh: programs of the last release would break; docs/abi.md says what may change"; exit 1; }
