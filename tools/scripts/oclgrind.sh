#!/usr/bin/env bash
# Runs kernels under Oclgrind, an interpreter that checks every access: races, reads of memory that was not written,
# accesses out of bounds, barriers that some work-items miss, and wrong use of the API. Any report is a failure.
#   tools/scripts/oclgrind.sh quick   [BUILD]  every kernel of every strategy on up to 4000 elements; about a minute
#   tools/scripts/oclgrind.sh full    [BUILD]  the same on more assumed devices, then grid, algebra, scans, layouts
#                                              by pairs, on up to 1024 elements
#   tools/scripts/oclgrind.sh planted [BUILD]  plants a race, an overrun and an unwritten read into a copy of cl/: each
#                                              must be reported
#   tools/scripts/oclgrind.sh counts  [BUILD]  counts what kernels combine and access; the analysis must give the same
# BUILD (default: build-tests) must contain the tests. Exit code 77 without oclgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."

what=${1:-quick}
build=${2:-build-tests}
options=
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 77; }
[ -x "$build/kernels" ] || { echo "oclgrind.sh: there is no $build/kernels; build the tests first" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Oclgrind 21.10 does not know some results of an optimizer (freeze, alias scopes), so kernels are neither optimized nor
# inlined.
export CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable CLREDUCE_CL_DIR=$work/cl
# Oclgrind has only one device, whichever device the tests name.
unset CLREDUCE_TEST_DEVICE
cp -r cl "$work/cl"
sed -i 's/^#define INLINE .*/#define INLINE/' "$work/cl/common/words.clh"

# Oclgrind fails if it follows unwritten values through shuffles of vectors, so these cases run without that check. The
# case `chunked last` covers their other code.
vectors='^((chunked.* (sum|argmax|stream)|rows_chunked rows|(segments|runs|scan_runs)_chunked .*) on '
vectors+='|(median|quantiles|top) on cpu=1)'
unwritten=--uninitialized

# Runs a program under the name $1. Reports go to $work/$1.log, output to $work/$1.out. Oclgrind always ends with 0, and
# would begin its own log anew in each context.
interpret() {
  local name=$1 status=0
  shift
  oclgrind --data-races --check-api --max-errors 1000 --num-threads 1 ${unwritten:+"$unwritten"} \
    "$@" >"$work/$name.out" 2>"$work/$name.err" || status=$?
  grep -vE '^[0-9]+ warnings? generated' "$work/$name.err" >"$work/$name.log" || true
  return "$status"
}

# Runs a program that must succeed on Oclgrind's device without a report.
step() {
  local name=$1 begun=$SECONDS status=0
  shift
  interpret "$name" "$@" || status=$?
  if [ "$status" = 0 ] && [ ! -s "$work/$name.log" ] && grep -q '^device: Oclgrind' "$work/$name.out"; then
    echo "$name: $(tail -n 1 "$work/$name.out"), no report, $((SECONDS - begun)) s"
    return
  fi
  echo "FAILED $name: ended with $status"
  grep -E '^FAILED' "$work/$name.out" || tail -n 3 "$work/$name.out"
  head -n 40 "$work/$name.log"
  return 1
}

# Runs every case. Then each kernel must have been launched, and each strategy of `clreduce list` must have a kernel or
# run on the host.
check_kernels() {
  local failed=0 strategy
  unwritten='' step vectors "$build/kernels" ${options:+$options} --only "$vectors" || failed=1
  step others "$build/kernels" ${options:+$options} --except "$vectors" || failed=1
  awk '/^kernel / {times[$2 " " $3] += $4} END {for (name in times) print name, times[name]}' \
    "$work/vectors.out" "$work/others.out" | sort >"$work/kernels"
  awk '{print "  " $0} $3 == 0 {print "FAILED: never launched: " $0; missing = 1} END {exit missing}' \
    "$work/kernels" || failed=1
  for strategy in $("$build/clreduce" list strategies --json | sed -n 's/.*"name": *"\([a-z_]*\)".*/\1/p'); do
    grep -q "^$strategy " "$work/kernels" || [[ $strategy == *host_serial ]] ||
      { echo "FAILED: $strategy launched nothing"; failed=1; }
  done
  echo "$("$build/kernels" ${options:+$options} --list | wc -l) cases, $(wc -l <"$work/kernels") kernels:" \
    "$([ "$failed" = 0 ] && echo no report || echo FAILED)"
  return "$failed"
}

full() {
  local failed=0 slice
  options=--full check_kernels || failed=1
  for slice in 1 2 3 4 5 6 7 8; do
    step "grid $slice/8" "$build/grid" --pairwise --most 1000 --slice "$slice/8" || failed=1
    step "algebra $slice/8" "$build/algebra" --pairwise --most 300 --slice "$slice/8" || failed=1
    step "scans $slice/8" "$build/scans" --pairwise --most 1024 --slice "$slice/8" || failed=1
    step "layouts $slice/8" "$build/layouts" --pairwise --most 1024 --slice "$slice/8" || failed=1
  done
  return "$failed"
}

planted_case='^local_sequential.relaunch sum on '

# Changes the text of one kernel. Oclgrind must report the given words.
plant() {
  local name=$1 file=$2 change=$3 words=$4
  cp -r "$work/cl" "$work/planted"
  sed -i "$change" "$work/planted/$file"
  if cmp -s "cl/$file" "$work/planted/$file"; then
    echo "$name: FAILED, $file has no place for it"
    return 1
  fi
  CLREDUCE_CL_DIR=$work/planted interpret plant "$build/kernels" --only "$planted_case" || true
  rm -rf "$work/planted"
  if grep -q "$words" "$work/plant.log"; then
    echo "$name: reported, '$(grep -m 1 "$words" "$work/plant.log")'"
  else
    echo "$name: FAILED, not reported"
    head -n 20 "$work/plant.log"
    return 1
  fi
}

planted() {
  step "nothing planted" "$build/kernels" --only "$planted_case"
  plant "a race" group/trees.clh '/^void clred_halving/,/^}/s/barrier(PLACES_FENCE);//' 'data race at local memory'
  plant "an overrun" strategies/local_sequential.cl 's/STATE places\[GROUP_SIZE\]/STATE places[GROUP_SIZE - 1]/' \
    'Invalid write of size'
  plant "an unwritten read" strategies/local_sequential.cl 's/if (item < present)/if (item > 0 \&\& item < present)/' \
    'Uninitialized value'
}

# Needs liboclgrind-dev and a C++ compiler when the tests are built.
counts() {
  local plugin=$build/libcounting.so
  [ -f "$plugin" ] || { echo "skipped: $plugin is missing; liboclgrind-dev or a C++ compiler was missing"; exit 77; }
  oclgrind --num-threads 1 --plugins "$(realpath "$plugin")" "$build/counts"
}

case $what in
  counts) counts ;;
  quick) check_kernels ;;
  full) full ;;
  planted) planted ;;
  *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac
