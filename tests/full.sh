#!/bin/sh
# full.sh [BUILD_DIR]: every strategy with every finish, operator and type, on the device that CLREDUCE_TEST_DEVICE
# names.
#
# BUILD_DIR/full.state records the finished combinations, so the script can be stopped and started again. Remove the
# file to start from the beginning. A combination that crashes the process is tried once more and then counts as failed.
# CLREDUCE_FULL_OPTIONS may have further arguments for the grid (--slice 1/8, --filter "hand_off", --seconds 500).
set -u

build=${1:-build}
state=$build/full.state
log=$build/full.log

for grid in "$build/grid" "$build/tests/grid" ""; do
  [ -n "$grid" ] && [ -f "$grid" ] && [ -x "$grid" ] && break
done
if [ -z "$grid" ]; then
  echo "full.sh: there is no grid in $build; build the tests first" >&2
  exit 2
fi

# Building programs takes long, and one build is enough: the driver keeps its compiled kernels in the build directory.
if [ -z "${POCL_CACHE_DIR:-}" ]; then
  POCL_CACHE_DIR=$(cd "$build" && pwd)/pocl-cache
  export POCL_CACHE_DIR
  mkdir -p "$POCL_CACHE_DIR"
fi

lines() {
  if [ -f "$state" ]; then wc -l < "$state"; else echo 0; fi
}

while :; do
  before=$(lines)
  # Shows the log as it grows. The status file has the exit status of the grid, not that of tee.
  # shellcheck disable=SC2086
  { "$grid" --full --resume "$state" ${CLREDUCE_FULL_OPTIONS:-} 2>&1; echo $? > "$log.status"; } | tee "$log"
  status=$(cat "$log.status")
  rm -f "$log.status"
  if [ "$status" -le 2 ] || [ "$(lines)" = "$before" ]; then
    exit "$status"
  fi
  echo "full.sh: the grid ended with status $status; going on"
done
