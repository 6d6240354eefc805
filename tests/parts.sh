#!/bin/sh
# parts.sh [BUILD_DIR]: reductions in parts, the long form: every operator of docs/distributed.md, up to 2^26 + 5
# elements in up to 1000 parts that random trees join; then the tool, by devices, streams, files and ranks. Takes
# minutes, and 4 GiB of memory. PoCL shows two devices, unless POCL_DEVICES says otherwise.
set -eu

build=${1:-build}
here=$(dirname "$0")
if [ ! -x "$build/parts" ]; then
  echo "parts.sh: there is no program parts in $build; build the tests first" >&2
  exit 2
fi
for facts in cpu=1 cpu=0,unified_memory=0; do
  CLREDUCE_TEST_ASSUME=$facts "$build/parts" --full
done
# Waiting ranks do not spin, and may be more than the cores. Open MPI refuses root unless told twice.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1
POCL_DEVICES=${POCL_DEVICES:-pthread basic}
export POCL_DEVICES
PATH=/usr/bin:$PATH exec python3 "$here/parts.py" "$build"
