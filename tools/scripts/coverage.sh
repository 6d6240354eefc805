#!/usr/bin/env bash
# Shows which lines and branches of src/ the tests reach. Needs GCC and gcovr.
#   tools/scripts/coverage.sh [CTEST OPTIONS]     without options: all tests
#   tools/scripts/coverage.sh -R '^unit_'         some tests
#   COVERAGE_KEEP=1 tools/scripts/coverage.sh ... adds to the counts of earlier runs; with -N it only reports
# Prints the shares, and every line and branch that no test reached, except those that tests/coverage/explained.txt
# explains. Exit code 1 if there are others. Pages: build-coverage/pages/index.html.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${COVERAGE_BUILD:-build-coverage}
command -v gcovr >/dev/null || { echo "coverage.sh: gcovr is missing (Debian and Ubuntu: gcovr)" >&2; exit 2; }
jobs=${COVERAGE_JOBS:-$(nproc)}

cmake -B "$build" -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DCLREDUCE_BUILD_TESTS=ON -DCLREDUCE_COVERAGE=ON \
  -DCLREDUCE_TEST_PATIENCE=4 >/dev/null
cmake --build "$build" -j "$jobs" >/dev/null
[ -n "${COVERAGE_KEEP:-}" ] || find "$build" -name '*.gcda' -delete

build=$(cd "$build" && pwd)
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$build/pocl-cache} CK_TIMEOUT_MULTIPLIER=4
mkdir -p "$POCL_CACHE_DIR" "$build/pages"
(cd "$build" && ctest -j "$jobs" "$@" | tail -n 40) ||
  echo "coverage.sh: some tests failed; what they reached counts all the same" >&2

gcovr --root . --filter 'src/' --gcov-executable "${GCOV:-gcov}" --exclude-throw-branches -j "$jobs" \
  --json "$build/coverage.json" --html-details "$build/pages/index.html" "$build" >/dev/null
exec /usr/bin/env python3 -B tests/coverage/report.py "$build/coverage.json" tests/coverage/explained.txt
