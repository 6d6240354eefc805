#!/usr/bin/env bash
# Builds and runs all tests: tests/run.sh [CTest's options]. Installs what is missing first.
set -euo pipefail
cd "$(dirname "$0")/.."

build="build-tests"
jobs=$(nproc)

tools/install-packages.sh build run test
# Calls of their own: if one of these packages does not exist, all others are still installed.
tools/install-packages.sh abi
tools/install-packages.sh fuzz
tools/install-packages.sh mpi
tools/install-packages.sh site
# A message for each file would take a tenth of the build's time.
cmake -B "$build" -DCLREDUCE_BUILD_TESTS=ON -DCMAKE_RULE_MESSAGES=OFF
cmake --build "$build" -j "$jobs"

# The tests must not find kernels that earlier builds of the tree or other programs compiled.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/$build/pocl-cache}
mkdir -p "$POCL_CACHE_DIR"
cd "$build"
# Runs two tests more than there are cores, because some tests wait for drivers that start or for programs that another
# process compiles.
exec ctest -j $((jobs + 2)) --output-on-failure "$@"
