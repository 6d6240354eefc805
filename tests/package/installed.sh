#!/usr/bin/env bash
# Installs a build into a directory, moves the directory, and builds programs with what is in it: installed.sh BUILD
# WORK WORK is emptied first. The library's directory also becomes a part of another project, which is only configured.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

build=$1 work=$2
rm -rf "$work"
mkdir -p "$work/programs"
cmake --install "$build" --prefix "$work/made" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/made" "$work/moved"
"$work/moved/bin/clreduce" --version
CLREDUCE_PREFIX=$work/moved "$here/compile.sh" "$work/programs" shared static find_package "configure=$here/../.."
rm -rf "$work"
