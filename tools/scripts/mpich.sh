#!/usr/bin/env bash
# Runs the tests of libclreduce-mpi with MPICH, beside the Open MPI of the other tests: tools/scripts/mpich.sh [CTest's
# options]. Installs MPICH where it is missing (Debian, Ubuntu, which keep both apart), and builds in build-mpich.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${CLREDUCE_MPICH_BUILD:-build-mpich}
tools/install-packages.sh build run test mpich
command -v mpicc.mpich >/dev/null || { echo "mpich.sh: there is no mpicc.mpich; install libmpich-dev" >&2; exit 1; }
cmake -B "$build" -DCLREDUCE_BUILD_TESTS=ON -DCLREDUCE_MPI=ON -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
  -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)"
cmake --build "$build" -j "$(nproc)" --target mpi_tests example_mpi example_mpi_scan
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/$build/pocl-cache}
mkdir -p "$POCL_CACHE_DIR"
cd "$build"
exec ctest -R '^(mpi_.*|example_mpi.*)$' --output-on-failure "$@"
