#!/usr/bin/env bash
# Runs test programs under Valgrind's memcheck, which finds what the sanitizers cannot: memory that the host reads and
# no kernel wrote. Exit code 1 for any error and for any leak of the library.
#   tools/scripts/valgrind.sh [BUILD_DIR] [NAME...]
# Without names: the unit suites and the examples, which are fast enough. PoCL's compiler is slow under Valgrind, so a
# first run without Valgrind fills PoCL's cache of kernels.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build-tests}
shift || true
suppressions=$PWD/tests/sanitizers/valgrind.supp
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/$build/pocl-cache} CK_FORK=no CK_TIMEOUT_MULTIPLIER=20
cd "$build"
programs=("$@")
if [ "${#programs[@]}" -eq 0 ]; then
  mapfile -t programs < <(find . -maxdepth 1 -type f -executable \( -name 'test_shape' -o -name 'test_model' \
    -o -name 'test_source' -o -name 'test_steps' -o -name 'test_layout' \
    -o -name 'test_tuning' -o -name 'example_*' \) -printf '%f\n' | sort)
fi

status=0
for program in "${programs[@]}"; do
  "./$program" >/dev/null 2>&1 || true
  if valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
    --suppressions="$suppressions" "./$program" >valgrind.log 2>&1; then
    echo "$program: nothing found"
  else
    echo "$program: exit code $?"
    tail -n 40 valgrind.log
    status=1
  fi
done
exit $status
