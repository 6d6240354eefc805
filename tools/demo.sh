#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds, reduces a file, and runs the ladder.
set -euo pipefail
cd "$(dirname "$0")/.."

show() {
  echo
  echo "\$ $*"
  "$@"
}

show tools/install-packages.sh build run
show cmake -B build
show cmake --build build -j "$(nproc)"
show build/clreduce query
show build/clreduce reduce max examples/data/co2_weekly.npy
show build/clreduce reduce sum examples/data/co2_weekly.npy --verify --json
show build/clreduce plan sum examples/data/co2_weekly.npy
show build/clreduce ladder
