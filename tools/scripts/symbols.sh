#!/usr/bin/env bash
# Adds new public functions to debian/*.symbols, with the version of CMakeLists.txt. dpkg-gensymbols compares these
# names with the libraries while packages are built.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^project(clreduce VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

# add_symbols FILE HEADER...: adds the functions of the headers that the file lacks, in the order of dpkg-gensymbols.
add_symbols() {
  local name
  while read -r name; do
    grep -q "^ $name@Base " "$1" || echo " $name@Base $version" >>"$1"
  done < <(sed -n 's/^CLRED_API .*\b\(clred_[a-z0-9_]*\)(.*/\1/p' "${@:2}")
  { grep -v '^ ' "$1"; grep '^ ' "$1" | LC_ALL=C sort; } >"$1.new"
  mv "$1.new" "$1"
}

GLOBIGNORE=include/clreduce_mpi.h
add_symbols debian/libclreduce[0-9]*.symbols include/clreduce*.h
add_symbols debian/libclreduce-mpi[0-9]*.symbols include/clreduce_mpi.h
