#!/bin/sh
# full.sh [BUILD_DIR]: every strategy with every finish, operator and type, on the device that CLREDUCE_TEST_DEVICE
# names.
#
# What is done stands in BUILD_DIR/full.state, so that the script can be broken off and started again; remove the file
# to begin anew. A combination that brings the process down is tried once more and then counts as failed. More
# arguments for the grid (--slice 1/8, --filter "hand_off", --seconds 500) can stand in CLREDUCE_FULL_OPTIONS.
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

# A program build costs a driver much and is needed once: compiled kernels stay beside the build.
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
  # The log is shown as it grows; the exit status is the grid's and not tee's.
  # shellcheck disable=SC2086
  { "$grid" --full --resume "$state" ${CLREDUCE_FULL_OPTIONS:-} 2>&1; echo $? > "$log.status"; } | tee "$log"
  status=$(cat "$log.status")
  rm -f "$log.status"
  if [ "$status" -le 2 ] || [ "$(lines)" = "$before" ]; then
    exit "$status"
  fi
  echo "full.sh: the grid ended with status $status; going on"
done
