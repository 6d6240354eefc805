#!/usr/bin/env bash
# Builds and runs all tests: tests/run.sh [CTest's options]. Installs what is missing first. A package that this system
# does not have costs only its own tests: they are skipped, and the last lines say why.
set -euo pipefail
cd "$(dirname "$0")/.."

build="build-tests"
jobs=$(nproc)

tools/install-packages.sh build run test fuzz mpi site
# A message for each file would take a tenth of the build's time.
cmake -B "$build" -DCLREDUCE_BUILD_TESTS=ON -DCMAKE_RULE_MESSAGES=OFF
cmake --build "$build" -j "$jobs"

# The tests must not find kernels that earlier builds of the tree or other programs compiled.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/$build/pocl-cache}
mkdir -p "$POCL_CACHE_DIR"
cd "$build"
# Runs two tests more than there are cores, because some tests wait for drivers that start or for programs that another
# process compiles.
code=0
ctest -j $((jobs + 2)) --output-on-failure --no-label-summary "$@" || code=$?

# What tests print of what they cannot check here. CTest itself shows no reasons.
awk '/^[0-9]+\/[0-9]+ Testing: / { test = $3 } /^(skipped[: ]|SKIPPED )/ && !seen[test, $0]++ { print test ": " $0 }' \
  Testing/Temporary/LastTest.log | sort >skipped.txt
if [ -s skipped.txt ]; then
  echo "$(wc -l <skipped.txt) reasons why a test or a part of one was skipped ($build/skipped.txt):"
  head -n 40 skipped.txt | cut -c 1-200
fi
exit "$code"
