#!/usr/bin/env bash
# On a machine with a GPU: builds into build-gpu and runs there, by verb. Needs no network.
#   tools/gpu.sh build           the tool, the test programs, the benchmarks, and the peers whose compiler is found
#   tools/gpu.sh query           the devices
#   tools/gpu.sh ladder          every strategy, at 8000 and at 2^26 elements
#   tools/gpu.sh check           the order, the stored bits, the grid, scans and layouts by pairs, on all cores
#   tools/gpu.sh grid [I/N]      every strategy, finish, operator and type against the reference: slice I of N. Starts
#                                nothing after 500 seconds; the next run continues
#   tools/gpu.sh order           the bits of the order fixed/1 and of tests/data, on assumed devices, tuned and streamed
#   tools/gpu.sh large           more than 2^32 elements, in a buffer above 4 GiB if the device allows one
#   tools/gpu.sh chains          operators that do not commute, over 2^26 elements
#   tools/gpu.sh algebra [I/N]   every operator with every type, at 30 sizes, against the reference
#   tools/gpu.sh scans [I/N]     every strategy, kind, shape, operator and type of scans, as grid does
#   tools/gpu.sh scan-faults     look-back with tiles that publish late or never
#   tools/gpu.sh repeat          scans and segments of 2^24 elements, 1000 times each: the same bits
#   tools/gpu.sh trials [--full] plans of operators, types and layouts: none may fail its trial
#   tools/gpu.sh selftest                 the selftest
#   tools/gpu.sh tune [OPTIONS]           tunes sum, max, argmin and var
#   tools/gpu.sh bench                    sums next to CUB; every operator and axis next to the sum
#   tools/gpu.sh bench-cub [OPTIONS]      sum, max and argmin of five types next to CUB
#   tools/gpu.sh bench-plot [OPTIONS]     clreduce bench of float sums: build-gpu/bench.json, .csv; with gnuplot .svg
#   tools/gpu.sh bench-TASK [OPTIONS]     tools/peers/compare.py TASK: reduce, small, scan, segments, keys,
#                                         histogram, sort next to CUB; operators, axes next to our own sum
#   tools/gpu.sh devices [OPTIONS]        two GPUs next to one: the bits of reductions and scans, then the times of sums
#   tools/gpu.sh first-result    the first result of a fresh process, beside a process that only opens the device
#   tools/gpu.sh all             all of these but devices, the grids by pairs only
# OPTIONS are those of the verb of clreduce; of bench, bench-cub, bench-TASK and devices those of compare.py.
# Headers and libraries that the system lacks are taken from .deps, where Debian packages may have been unpacked
# (dpkg -x FILE.deb .deps). CLREDUCE_DEVICE picks a device by name or index.
set -euo pipefail
cd "$(dirname "$0")/.."

build="build-gpu"
multiarch=$(cc -print-multiarch 2>/dev/null || true)
if [ -d .deps/usr ]; then
  export CMAKE_PREFIX_PATH=$PWD/.deps/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
  export PKG_CONFIG_PATH=$PWD/.deps/usr/lib/$multiarch/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export LD_LIBRARY_PATH=$PWD/.deps/usr/lib/$multiarch${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
  export PATH=$PATH:/usr/local/cuda/bin
fi

# The architecture of this machine's GPU, so that CUB is built for it; empty if nvidia-smi does not report one.
cuda_architecture() {
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .
}

build_all() {
  local architecture
  architecture=$(cuda_architecture) || architecture=
  cmake -B "$build" -DCMAKE_BUILD_TYPE=Release -DCLREDUCE_BUILD_TESTS=OFF -DCLREDUCE_BUILD_GRID=ON \
    -DCLREDUCE_BUILD_BENCH=ON ${architecture:+"-DCMAKE_CUDA_ARCHITECTURES=$architecture"} >"$build/build.log"
  cmake --build "$build" -j "$(nproc)" "${targets[@]}" >>"$build/build.log" 2>&1 ||
    { tail -n 30 "$build/build.log"; return 1; }
}

sees_gpu() {
  "$build/clreduce" query --json 2>/dev/null | grep -q '"gpu'
}

# NVIDIA's driver is often installed, but not registered with the ICD loader.
register_nvidia() {
  local library
  library=$(ldconfig -p 2>/dev/null | sed -n 's/.*=> \(.*libnvidia-opencl\.so\.1\)$/\1/p' | head -n 1)
  for library in $library /usr/local/nvidia/lib64/libnvidia-opencl.so.1 /usr/local/nvidia/lib/libnvidia-opencl.so.1; do
    [ -e "$library" ] || continue
    mkdir -p "$build/vendors"
    echo "$library" >"$build/vendors/nvidia.icd"
    export OCL_ICD_VENDORS=$PWD/$build/vendors
    return
  done
}

# The device that the tool works on, as --json names it.
device_in_use() {
  "$build/clreduce" reduce sum --generate ones:1 --json "${device[@]}" |
    sed -n 's/.*"device": *"\([^"]*\)".*/\1/p' | head -n 1
}

prepare() {
  mkdir -p "$build"
  build_all
  sees_gpu || register_nvidia
  sees_gpu || echo "no GPU is seen through OpenCL; running on what there is" >&2
  device=(${CLREDUCE_DEVICE:+--device "$CLREDUCE_DEVICE"})
  CLREDUCE_TEST_DEVICE=$(device_in_use)
  export CLREDUCE_TEST_DEVICE
}

# Runs a command under a heading, and keeps its outcome for the table at the end.
outcomes=()
step() {
  local name=$1 begun=$SECONDS code=0
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  "$@" || code=$?
  outcomes+=("$(printf '%-14s %-10s %5d s' "$name" "$([ "$code" -eq 0 ] && echo right || echo "FAILED $code")" \
    $((SECONDS - begun)))")
  failed=$((failed + (code != 0)))
}

query() { step query "$build/clreduce" query "${device[@]}"; }

ladder() {
  step "ladder 8000" "$build/clreduce" ladder "${device[@]}"
  step "ladder 2^26" "$build/clreduce" ladder -n 67108864 "${device[@]}"
}

# Cases that an older build passed are run again.
forget_if_older() {
  local newer
  [ -e "$1" ] || return 0
  newer=$(find "$build" \( -name grid -o -name scans -o -name 'libclreduce*' \) -newer "$1" 2>/dev/null)
  [ -z "$newer" ] || rm -f "$1"
}

# A slice of a program that continues where its last run ended.
slice_of() {
  local record="$build/$1-${2/\//-of-}.txt"
  forget_if_older "$record"
  step "$1 $2" "$build/$1" --full --slice "$2" --seconds 500 --resume "$record"
}
grid() { slice_of grid "${1:-1/1}"; }
scans() { slice_of scans "${1:-1/1}"; }
grid_by_pairs() { step "grid pairwise" "$build/grid" --pairwise --seconds 300; }
order() {
  step order "$build/bits" --order --full --compare tests/data/fixed1.txt
  local slice
  for slice in 1/2 2/2; do step "bits $slice" "$build/bits" --full --slice "$slice" --compare tests/data/bits1.txt; done
}
large() { step large "$build/large"; }
chains() { step chains "$build/chains"; }
algebra() { step algebra "$build/algebra" --full --slice "${1:-1/1}"; }

# Tiles that never publish, and tiles that publish late: other groups compute the missing nodes, and the scan ends and
# is right. Sums in double are not in place, because their results are wider; in place every tile must publish.
scan_faults() {
  local strategy
  for strategy in scan_wide scan_chunked; do
    step "silent tiles" env "CLREDUCE_TEST_BUILD_OPTIONS=-DFAULT_SILENT=3 -DPOLLS=64" \
      "$build/scans" --full --filter "$strategy sum float state double" --seconds 200
    step "late tiles" env "CLREDUCE_TEST_BUILD_OPTIONS=-DFAULT_DELAY=20000 -DFAULT_LATE=40000 -DPOLLS=64" \
      "$build/scans" --full --filter "$strategy sum float inclusive" --seconds 200
  done
}

scans_by_pairs() { step "scans pairwise" "$build/scans" --pairwise --seconds 300; }

# Runs a program if it was built. A missing program is reported and is no failure.
step_if_built() {
  local name=$1 program=$2
  shift 2
  if [ -x "$build/$program" ]; then
    step "$name" "$build/$program" "$@"
  else
    printf '\n== %s: %s was not built\n' "$name" "$build/$program"
    outcomes+=("$(printf '%-14s %-10s' "$name" absent)")
  fi
}

repeat() { step_if_built repeat repeat --seconds 60 "$@"; }
# A slice for each core; without --full a sample.
all_trials() {
  local cores i running=() failed=0
  cores=$(nproc)
  for ((i = 1; i <= cores; i++)); do
    "$build/trials" --slice "$i/$cores" "$@" >"$build/trials.$i" &
    running+=($!)
  done
  for i in "${running[@]}"; do wait "$i" || failed=1; done
  cat "$build"/trials.[0-9]*
  return "$failed"
}
trials() { step trials all_trials "$@"; }
bench_of() {
  step "bench-$1" tools/peers/compare.py "$1" --build "$build" --csv "$build/$1.csv" "${device[@]}" "${@:2}"
}
first_result() { step first-result tools/scripts/tool-speed.py "$build/clreduce" /tmp first "${device[@]}"; }
devices() {
  step "devices: bits" bits_of_two
  bench_of devices "$@"
}
# The results of reductions and scans on devices 0 and 1, in shares of 1 to 2, beside those of device 0.
bits_of_two() {
  local op count code=0
  for op in sum mean var norm2 argmin stats minmax; do
    for count in 1 777 5000 3000017 67108869; do
      cmp <(on_device reduce "$op" "$count" 0) <(on_device reduce "$op" "$count" 0,1 --weights 1,2) ||
        { echo "wrong: $op of $count elements"; code=1; }
    done
  done
  for op in sum prod max; do
    for count in 777 5000 3000017; do
      cmp <(on_device scan "$op" "$count" 0 --output -) <(on_device scan "$op" "$count" 0,1 --weights 1,2 --output -) ||
        { echo "wrong: scan by $op of $count elements"; code=1; }
    done
  done
  return "$code"
}
on_device() { "$build/clreduce" "$1" "$2" --generate "wide:$3" --device "$4" "${@:5}"; }
bench() {
  local task
  for task in reduce operators axes; do bench_of "$task"; done
}

bench_cub() {
  bench_of reduce --ops sum,max,argmin --types float,double,int,uchar,half --sizes 2^24,2^28 --runs 9 "$@"
}

# Runs one check on a core; prints its last line, and whether it failed.
beside() {
  local name=$1
  shift
  local log=$build/check-$name.txt
  ("$@" >"$log" 2>&1 && echo "$name: $(tail -n 1 "$log")" || { echo "$name FAILED: $log"; exit 1; }) &
  checks+=($!)
}
check() { step check all_beside; }
all_beside() {
  local slice checks=() code=0 job
  for slice in 1 2 3 4; do
    beside "bits-$slice" "$build/bits" --full --slice "$slice/4" --compare tests/data/bits1.txt
    beside "grid-$slice" "$build/grid" --pairwise --slice "$slice/4"
  done
  for slice in 1 2; do
    beside "scans-$slice" "$build/scans" --pairwise --slice "$slice/2"
  done
  # The driver takes a second for each program. Strategies of one work-item take minutes for long rows on a GPU.
  for slice in 1 2 3 4 5 6; do
    beside "layouts-$slice" "$build/layouts" --pairwise --most 3001 --slice "$slice/6"
  done
  for slice in 1 2; do
    beside "layouts-long-$slice" "$build/layouts" --pairwise --filter "wide " --slice "$slice/2"
  done
  beside order "$build/bits" --order --full --compare tests/data/fixed1.txt
  for job in "${checks[@]}"; do wait "$job" || code=1; done
  return "$code"
}

selftest() { step selftest "$build/clreduce" selftest "${device[@]}" "$@"; }
tune() {
  step tune "$build/clreduce" tune sum,max,argmin,var --type float,double,int --tuning "$build/tuning.txt" \
    "${device[@]}" "$@"
}
# bench.json has the same rows as bench.csv. --compare reads bench.json.
bench_to_files() {
  local plot=()
  command -v gnuplot >/dev/null && plot=(--plot "$build/bench.svg") || echo "no gnuplot here: no plot is drawn" >&2
  "$build/clreduce" bench "${device[@]}" --sizes 2^10..2^28 --csv "$build/bench.csv" "${plot[@]}" --json "$@" \
    >"$build/bench.json"
}
bench_plot() { step bench-plot bench_to_files "$@"; }

all() {
  query; selftest; ladder; order; large; chains; algebra; scan_faults; repeat; bench; first_result
  local task
  for task in scan segments keys histogram; do bench_of "$task"; done
  grid_by_pairs; scans_by_pairs
}
build() { echo "built into $build for $CLREDUCE_TEST_DEVICE"; }

verb=${1:-}
failed=0
case $verb in
  build | query | ladder | check | grid | order | large | chains | algebra | scans | scan-faults) ;;
  repeat | trials) ;;
  selftest | tune | bench | bench-* | devices | first-result | all) ;;
  *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac
targets=()
[ "$verb" = devices ] && targets=(--target clreduce_tool peer_clreduce)
prepare
case $verb in
  bench-cub | bench-plot) "${verb//-/_}" "${@:2}" ;;
  bench-*) bench_of "${verb#bench-}" "${@:2}" ;;
  *) "${verb//-/_}" "${@:2}" ;;
esac

[ "${#outcomes[@]}" -eq 0 ] || printf '\n%s' "${outcomes[@]}" ""
exit "$((failed != 0))"
