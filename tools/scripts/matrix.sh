#!/usr/bin/env bash
# Runs the suite on one OpenCL implementation after another and prints a table of results.
#   tools/scripts/matrix.sh [OPTIONS] [NAME...]
# NAME: pocl, pocl-basic, pocl-x86-64, oclgrind, rusticl. Default: all.
#   --build DIR     build with the tests (default: build-tests)
#   --seconds N     start no further test of an implementation after N seconds; the rest is counted as left
#   --tests REGEX   only these tests of CTest
#   --sample        a sample instead of CTest's tests; Oclgrind always gets the sample
#   --timeout N     seconds per test (PoCL 1200, others 120)
# pocl is its threaded driver, pocl-basic the one without threads, pocl-x86-64 the first for a processor without AVX.
# Oclgrind is an interpreter and slow. rusticl (over llvmpipe) is a second implementation; its packages are unpacked,
# not installed, because installing would change the drivers of the machine. Logs and results: DIR/matrix. Tests that a
# driver is known to crash are counted apart. Exit code 1 if another test failed, except on rusticl.
set -uo pipefail
cd "$(dirname "$0")/../.."

build=build-tests seconds=0 tests=. sample=no limit=
names=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --tests) tests=$2; shift ;;
    --timeout) limit=$2; shift ;;
    --sample) sample=yes ;;
    -*) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done
[ "${#names[@]}" -gt 0 ] || names=(pocl pocl-basic pocl-x86-64 oclgrind rusticl)
[ -x "$build/kernels" ] || { echo "matrix.sh: there is no $build/kernels; build the tests first" >&2; exit 2; }
build=$(cd "$build" && pwd)
matrix=$build/matrix
mkdir -p "$matrix"
table=$(mktemp)
trap 'rm -f "$table"' EXIT

# ---------------------------------------------------------------- Implementations

# A directory that registers one driver and no other.
register() {
  mkdir -p "$matrix/vendors-$1"
  echo "$2" >"$matrix/vendors-$1/one.icd"
  export OCL_ICD_VENDORS=$matrix/vendors-$1
}

find_library() {
  find "${@:2}" -name "$1" -print 2>/dev/null | head -n 1
}

use_pocl() {
  register pocl "$(cat /etc/OpenCL/vendors/pocl.icd 2>/dev/null || echo libpocl.so.2)"
}

# The packages, unpacked beside the build.
unpack_mesa() {
  mkdir -p "$matrix/mesa"
  (cd "$matrix/mesa" && apt-get -qq download mesa-opencl-icd libllvmspirvlib15 >/dev/null 2>&1
    for package in ./*.deb; do [ -e "$package" ] && dpkg -x "$package" .; done)
}

# Oclgrind does not know some instructions that its compiler makes when it inlines or optimizes. So the kernels get an
# empty macro INLINE and no optimizer.
use_oclgrind() {
  register oclgrind "$(find_library 'liboclgrind-rt-icd.so' /usr/lib)"
  rm -rf "$matrix/cl"
  cp -r cl "$matrix/cl"
  sed -i 's/^#define INLINE .*/#define INLINE/' "$matrix/cl/common/words.clh"
  export CLREDUCE_CL_DIR=$matrix/cl CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable
  [ -s "$OCL_ICD_VENDORS/one.icd" ]
}

use_rusticl() {
  local library
  library=$(find_library 'libRusticlOpenCL.so.1' "$matrix/mesa" /usr/lib)
  [ -n "$library" ] || { unpack_mesa; library=$(find_library 'libRusticlOpenCL.so.1' "$matrix/mesa"); }
  [ -n "$library" ] || return 1
  export LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} RUSTICL_ENABLE=llvmpipe
  register rusticl "$library"
}

use() {
  export POCL_CACHE_DIR=$matrix/cache-$1 CLREDUCE_TEST_DEVICE=0
  mkdir -p "$POCL_CACHE_DIR"
  case $1 in
    pocl) use_pocl ;;
    pocl-basic) export POCL_DEVICES=basic CLREDUCE_TEST_DEVICE=basic; use_pocl ;;
    pocl-x86-64) export POCL_KERNELLIB_NAME=sse2; use_pocl ;;
    oclgrind) use_oclgrind ;;
    rusticl) use_rusticl ;;
    *) echo "matrix.sh: unknown implementation '$1'" >&2; exit 2 ;;
  esac
}

# ---------------------------------------------------------------- Tests

# The tests for slow implementations: on each line a name and a command.
list_sample() {
  local data=$PWD/tests/data slice short=4096
  [ "$1" = oclgrind ] && short=16
  for name in hand_written host refusals refused_calls; do
    echo "$name $build/test_$name"
  done
  echo "order $build/bits --order --most $short --compare $data/fixed1.txt"
  echo "bits $build/bits --most $short --compare $data/bits1.txt"
  echo "kernels $build/kernels"
  # Oclgrind never returns from a flush with a user event pending.
  [ "$1" = oclgrind ] || echo "events $build/test_events"
  echo "threads $build/threads --threads 4 --calls 50"
  for slice in 1 2 3 4 5 6 7 8; do
    echo "grid_$slice $build/grid --pairwise --most 1000 --slice $slice/8"
    echo "algebra_$slice $build/algebra --pairwise --most 300 --slice $slice/8"
    echo "scans_$slice $build/scans --pairwise --most 1024 --slice $slice/8"
    echo "layouts_$slice $build/layouts --pairwise --most 1024 --slice $slice/8"
  done
}

list_ctest() {
  (cd "$build" && ctest -N -R "$tests") | sed -n 's/^ *Test *#[0-9]*: \([^ ]*\).*/\1/p' |
    while read -r name; do echo "$name ctest --test-dir $build -V -R ^$name\$"; done
}

# One test with its output in $log: passed, skipped, failed or out of time.
run_test() {
  local command=$1 log=$2 status=0
  nice -n 10 timeout -k 10 "$most" bash -c "$command" >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" = 124 ] || [ "$status" = 137 ] || grep -q '\*\*\*Timeout' "$log"; then echo timeout
  elif grep -q '\*\*\*Skipped' "$log"; then echo skipped
  elif [ "$status" = 0 ]; then echo passed
  else echo failed; fi
}

# Prints the reason if this driver is known to end the process in this test (docs/portability.md).
ended_by_driver() {
  case "$1 $2" in
    "pocl-basic threads" | "pocl-basic threads_tsan")
      echo "the process ends where two threads launch at once" ;;
    "oclgrind threads") echo "it runs one kernel at a time: an assertion ends the process where two threads launch" ;;
  esac
}

# Lines "name outcome" into $matrix/$1.results.
run_all() {
  local begun=$SECONDS outcome name command reason
  : >"$matrix/$1.results"
  while read -r name command; do
    outcome=left
    if [ "$seconds" = 0 ] || [ $((SECONDS - begun)) -lt "$seconds" ]; then
      outcome=$(run_test "$command" "$matrix/$1-$name.log")
      reason=$(ended_by_driver "$1" "$name")
      [ "$outcome" != failed ] || [ -z "$reason" ] || outcome=driver
      [ "$outcome" != driver ] || echo "$1: $name: $reason" >&2
    fi
    echo "$name $outcome" >>"$matrix/$1.results"
    [[ $outcome = @(passed|left|driver) ]] || echo "$1: $name $outcome" >&2
  done
}

count() {
  grep -c " $2\$" "$matrix/$1.results" || true
}

# The number of single cases that passed: cases of Check, of the programs over lists, and of the tool's tests.
count_cases() {
  cat "$matrix/$1"-*.log | sed -n -e 's/.*Checks: \([0-9]*\), Failures.*/\1/p' \
    -e 's/.*\b\([0-9]\+\) passed, [0-9]* failed.*/\1/p' \
    -e 's/.*Ran \([0-9]*\) tests\? in.*/\1/p' | awk '{sum += $1} END {print sum + 0}'
}

describe() {
  "$build/clreduce" query --json 2>/dev/null |
    sed -n 's/.*"\(device\|driver\|version\)": *"\([^"]*\)".*/\2/p' | head -n 3 | paste -sd, -
}

show_row() {
  printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$(describe)" \
    "$(wc -l <"$matrix/$1.results")" "$(count "$1" passed)" \
    "$(count "$1" failed)" "$(count "$1" driver)" "$(count "$1" timeout)" \
    "$(count "$1" skipped)" "$(count "$1" left)" "$(count_cases "$1")" >>"$table"
}

# What was skipped within tests, and how often.
show_skips() {
  echo "$1, skipped:"
  cat "$matrix/$1"-*.log | sed -n 's/^\([0-9]*: \)\{0,1\}skipped:\{0,1\} \(.*\)/\2/p' |
    sed 's/[0-9a-f]\{9,\}/N/g' | sort | uniq -c | sort -rn | head -n 20
}

gate=0
columns=(implementation 'device, driver' tests passed failed 'ended by the driver' 'out of time' skipped left cases)
{ printf '| %s ' "${columns[@]}" && printf '|\n' && printf '|---%.0s' "${columns[@]}" && printf '|\n'; } >"$table"
for name in "${names[@]}"; do
  # In a subshell, because each implementation changes the environment.
  (
    use "$name" || { echo "| $name | not found | | | | | | | | |" >>"$table"; exit 0; }
    most=${limit:-$([[ $name == pocl* ]] && echo 1200 || echo 120)}
    [ "$name" = oclgrind ] && sample=yes most=${limit:-600}
    rm -f "$matrix/$name"-*.log
    run_all "$name" < <(if [ "$sample" = yes ]; then list_sample "$name"; else list_ctest; fi)
    show_row "$name"
    show_skips "$name"
    [ "$name" = rusticl ] || [ $(($(count "$name" failed) + $(count "$name" timeout))) = 0 ]
  ) || gate=1
done
cat "$table"
exit "$gate"
