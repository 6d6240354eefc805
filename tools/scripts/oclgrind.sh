#!/usr/bin/env bash
# Kernels under Oclgrind, an interpreter that looks at every access: races between work-items and between groups, reads of what nobody
# wrote, accesses out of bounds, barriers that not all work-items reach, and wrong use of the API. A report is a failure.
#   tools/scripts/oclgrind.sh quick   [BUILD]  every kernel of every strategy on up to 4000 elements; about a minute
#   tools/scripts/oclgrind.sh full    [BUILD]  the same as more devices, then the grid, the algebra and the scans by pairs on up to 1024 elements
#   tools/scripts/oclgrind.sh planted [BUILD]  a race, an overrun and an unwritten read, each put into a copy of cl/: each must be reported
# BUILD (build-tests) has the tests built. Ends with 77 where there is no oclgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."

what=${1:-quick}
build=${2:-build-tests}
jobs=${CLREDUCE_JOBS:-$(nproc)}
options=
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 77; }
[ -x "$build/kernels" ] || { echo "oclgrind.sh: there is no $build/kernels; build the tests first" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Oclgrind 21.10 does not know all that an optimizer leaves (freeze, scopes of what is no alias), so kernels are neither optimized nor
# inlined.
export CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable CLREDUCE_CL_DIR=$work/cl
# The only device there is Oclgrind's, whichever the tests are on.
unset CLREDUCE_TEST_DEVICE
cp -r cl "$work/cl"
sed -i 's/^#define INLINE .*/#define INLINE/' "$work/cl/words.clh"

# It loses its way, or ends, where it follows unwritten values through shuffles of vectors: these cases go without that check. What they
# have beside vectors the case `chunked last` goes through.
vectors='^(chunked.* (sum|argmax|stream)|rows_chunked rows|segments_chunked .*) on '

# Runs a program under the name $1; what Oclgrind reports goes to $work/$1.log, what the program says to $work/$1.out. Oclgrind ends
# with 0 whatever it finds.
interpret() {
  local name=$1 checks=(--data-races --check-api --max-errors 1000 --num-threads 1)
  shift
  [[ "${*: -1}" =~ $vectors ]] || checks+=(--uninitialized)
  : >"$work/$name.log"
  oclgrind "${checks[@]}" --log "$work/$name.log" "$@" >"$work/$name.out" 2>&1
}

# A program that must end well, on Oclgrind's device, without a report.
step() {
  local name=$1 begun=$SECONDS status=0
  shift
  interpret "$name" "$@" || status=$?
  if [ "$status" = 0 ] && [ ! -s "$work/$name.log" ] && grep -q '^device: Oclgrind' "$work/$name.out"; then
    [ -n "${quiet:-}" ] || echo "$name: $(tail -n 1 "$work/$name.out"), no report, $((SECONDS - begun)) s"
    return
  fi
  echo "FAILED $name: ended with $status"
  grep -E '^FAILED' "$work/$name.out" || tail -n 3 "$work/$name.out"
  head -n 40 "$work/$name.log"
  return 1
}

# A case in a process of its own: one that ends Oclgrind ends no other.
one_case() {
  quiet=1 step "case-$1" "$build/kernels" ${options:+$options} --only "$2"
}

# Every case; then each kernel must have been launched, and each strategy that `clreduce list` knows must have one or be the host's.
check_kernels() {
  local failed=0 strategy
  "$build/kernels" ${options:+$options} --list >"$work/cases"
  export -f interpret step one_case
  export work build options vectors
  # shellcheck disable=SC2016
  awk '{print NR "\t" $0}' "$work/cases" |
    xargs -d '\n' -P "$jobs" -I '{}' bash -c 'line="{}"; one_case "${line%%	*}" "${line#*	}"' || failed=1
  cat "$work"/case-*.out | awk '/^kernel / {times[$2 " " $3] += $4} END {for (name in times) print name, times[name]}' | sort >"$work/kernels"
  awk '{print "  " $0} $3 == 0 {print "FAILED: never launched: " $0; missing = 1} END {exit missing}' "$work/kernels" || failed=1
  for strategy in $("$build/clreduce" list strategies --json | sed -n 's/.*"name": *"\([a-z_]*\)".*/\1/p'); do
    grep -q "^$strategy " "$work/kernels" || [[ $strategy == *host_serial ]] || { echo "FAILED: $strategy launched nothing"; failed=1; }
  done
  echo "$(wc -l <"$work/cases") cases, $(wc -l <"$work/kernels") kernels: $([ "$failed" = 0 ] && echo no report || echo FAILED)"
  return "$failed"
}

full() {
  local failed=0 slice
  options=--full check_kernels || failed=1
  for slice in 1 2 3 4 5 6 7 8; do
    step "grid $slice/8" "$build/grid" --pairwise --most 1000 --slice "$slice/8" || failed=1
    step "algebra $slice/8" "$build/algebra" --pairwise --most 300 --slice "$slice/8" || failed=1
    step "scans $slice/8" "$build/scans" --pairwise --most 1024 --slice "$slice/8" || failed=1
  done
  return "$failed"
}

# A change to one kernel's text, and the words that Oclgrind must have for it.
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
  "$build/kernels" --list >"$work/cases"
  planted_case=$(grep -m 1 '^local_sequential+relaunch sum ' "$work/cases")
  step "nothing planted" "$build/kernels" --only "$planted_case"
  plant "a race" trees.clh '/^void clred_halving/,/^}/s/barrier(PLACES_FENCE);//' 'data race at local memory'
  plant "an overrun" strategies/local_sequential.cl 's/STATE places\[GROUP_SIZE\]/STATE places[GROUP_SIZE - 1]/' 'Invalid write of size'
  plant "an unwritten read" strategies/local_sequential.cl 's/if (item < present)/if (item > 0 \&\& item < present)/' 'Uninitialized value'
}

case $what in
  quick) check_kernels ;;
  full) full ;;
  planted) planted ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
