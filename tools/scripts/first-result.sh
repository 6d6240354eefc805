#!/usr/bin/env bash
# Measures the time from a fresh process to its first result: the sum of 2^20 floats from a .npy file, with nothing
# compiled and with a warm cache, beside a program that only opens the device, a context and a queue (open_device). The
# programs run in turn. Prints medians, and also the least times, because other users may slow the machine.
#   tools/scripts/first-result.sh [BUILD_DIR [TURNS [COLD_TURNS]]]
# Default: build 21 5. The build needs -DCLREDUCE_BUILD_BENCH=ON.
# CLREDUCE_DEVICE selects a device by name or index. The driver's cache is empty in cold runs and warm in all others.
set -euo pipefail

build=${1:-build}
turns=${2:-21}
cold_turns=${3:-5}
device=${CLREDUCE_DEVICE:-}
for program in clreduce open_device; do
  [ -x "$build/$program" ] || {
    echo "first-result.sh: $build/$program is missing; build with -DCLREDUCE_BUILD_BENCH=ON" >&2
    exit 2
  }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$work/data.npy
cache=$work/cache

# The caches of drivers: PoCL, NVIDIA, Mesa.
fresh_driver() {
  local fresh
  fresh=$(mktemp -d "$work/driver.XXXXXX")
  export POCL_CACHE_DIR=$fresh CUDA_CACHE_PATH=$fresh MESA_SHADER_CACHE_DIR=$fresh
}

tool() { "$build/clreduce" reduce sum "$data" ${device:+--device "$device"} "$@"; }
open_device() { "$build/open_device" ${device:+"$device"}; }

# Writes the milliseconds of a command to $work/NAME. It must print the sum or nothing.
timed() {
  local name=$1 begun ended printed
  shift
  begun=$(date +%s%N)
  printed=$("$@")
  ended=$(date +%s%N)
  [ "$name" = open ] || [ "$printed" = "$expected" ] || {
    echo "first-result.sh: $name gave '$printed', not $expected" >&2
    exit 3
  }
  awk -v ns=$((ended - begun)) 'BEGIN { printf "%.3f\n", ns / 1e6 }' >>"$work/$name"
}

median() {
  sort -g "$work/$1" |
    awk '{ t[NR] = $1 } END { printf "%.1f", NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}
least() { sort -g "$work/$1" | head -n 1; }

row() {
  awk -v what="$1" -v median="$(median "$2")" -v least="$(least "$2")" \
    -v open="$(median open)" -v open_least="$(least open)" \
    'BEGIN { printf "%-46s %10.1f %10.1f %8.2f %8.2f\n", what, median, least, median / open, least / open_least }'
}

fresh_driver
"$build/clreduce" reduce sum --generate uniform:1048576 ${device:+--device "$device"} --cache off >"$work/sum"
expected=$(cat "$work/sum")
"$build/clreduce" select 1 --generate uniform:1048576 --output "$data" ${device:+--device "$device"} --cache off

for ((i = 0; i < cold_turns; i++)); do
  fresh_driver
  rm -rf "$cache"
  timed cold tool --cache "$cache"
done
for ((i = 0; i < cold_turns; i++)); do
  fresh_driver
  timed alone tool --cache "$cache"
done
for ((i = 0; i < turns; i++)); do
  timed open open_device
  timed warm tool --cache "$cache"
  timed none tool --cache off
done

tool --cache "$cache" --json | sed 's/.*"device":"\([^"]*\)","platform":"\([^"]*\)","driver":"\([^"]*\)".*/\1 (\2, \3)/'
printf '%-46s %10s %10s %8s %8s\n' "ms" median least ratio "of least"
row "open the device, a context and a queue" open
row "the sum of 2^20 floats, warm" warm
row "the same, warm, the driver's own cache empty" alone
row "the same, no cache (driver's own warm)" none
row "the same, cold" cold
