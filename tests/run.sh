#!/usr/bin/env bash
# Builds and runs all tests: tests/run.sh [CTest's options]. Installs what is missing first.
set -euo pipefail
cd "$(dirname "$0")/.."

build="build-tests"
jobs=$(nproc)

tools/install-packages.sh build run test
# By itself: where there is no such package nothing else is to miss it.
tools/install-packages.sh fuzz
cmake -B "$build" -DCLREDUCE_BUILD_TESTS=ON
cmake --build "$build" -j "$jobs"

# Kernels compiled by earlier builds of the tree, or by others on this machine, are not to be found here.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/$build/pocl-cache}
mkdir -p "$POCL_CACHE_DIR"
cd "$build"
# Two tests more than there are cores: some tests wait, for drivers that start and for programs that others compile.
exec ctest -j $((jobs + 2)) --output-on-failure "$@"
