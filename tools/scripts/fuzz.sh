#!/usr/bin/env bash
# Searches for input that breaks a promise, with Clang's libFuzzer and the sanitizers.
#   tools/scripts/fuzz.sh TARGET|all SECONDS|ROUNDSx [BUILD_DIR]
# TARGET is a file of tests/fuzz/seeds; all runs one after the other, for SECONDS or ROUNDS inputs each. Prints
# executions, findings and how much code was reached. Exit code 1 if something was found; 77 without libFuzzer. Findings
# stay in BUILD_DIR/found: add them to tests/fuzz/seeds and write a test. New input stays in BUILD_DIR/corpus; the next
# run starts with it.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() { echo "usage: $0 TARGET|all SECONDS|ROUNDSx [BUILD_DIR]; targets: $targets" >&2; exit 2; }

targets=$(find tests/fuzz/seeds -type f -printf '%f\n' | sort | tr '\n' ' ')
[ $# -ge 2 ] || usage
[[ $2 =~ ^[1-9][0-9]*x?$ ]] || usage
case $2 in *x) effort=-runs=${2%x} ;; *) effort=-max_total_time=$2 ;; esac
build=${3:-build-fuzz}
[ "$1" = all ] || case " $targets" in *" $1 "*) targets=$1 ;; *) usage ;; esac

if ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
  clang -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null; then
  echo "skipped: no Clang with libFuzzer here (Debian and Ubuntu: clang, libclang-rt-dev)"
  exit 77
fi
# Build only the targets, without the packages that the other tests need. LLVM's linker takes a third of the time.
linker=()
! command -v ld.lld >/dev/null || linker=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
cmake -B "$build" "${linker[@]}" -DCMAKE_RULE_MESSAGES=OFF -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_FLAGS_RELWITHDEBINFO="${FUZZ_CFLAGS:--O1 -gline-tables-only}" \
  -DCLREDUCE_SANITIZE=address,undefined -DCLREDUCE_FUZZERS=ON >/dev/null
cmake --build "$build" -j "${FUZZ_JOBS:-$(nproc)}" --target fuzz_targets >/dev/null
build=$(cd "$build" && pwd)

# malloc may return NULL for large sizes. Memory and the time of one input are bounded.
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=256:detect_stack_use_after_return=0
limits="-malloc_limit_mb=100000 -rss_limit_mb=2048 -timeout=20"

# The value of a number that libFuzzer prints at the end, by the name of the number.
said() { sed -n "s/.*$1[: ]*\([0-9]*\).*/\1/p" "$2" | tail -n 1; }

# libFuzzer's dictionary: names and long numbers of the seeds, with the character behind each; the options of the tool.
words_of() {
  grep -aohE "([A-Za-z_]{2,}[A-Za-z_0-9]*|[0-9]{5,})[=:, '(]?" "$build/tests/fuzz/seeds/$1"/* | sort -u |
    sed 's/.*/"&"/'
  [ "$1" != command_line ] || sed -n 's/^  {"\([a-z-]\{2,\}\)", .*/"--\1\\x0a"/p' tools/cli/options.c
}

status=0
for target in $targets; do
  mkdir -p "$build/corpus/$target" "$build/found/$target" "$build/runs/$target"
  log="$build/found/$target.log"
  words_of "$target" >"$build/words"
  code=0
  (cd "$build/runs/$target" && FUZZ_TARGET=$target "$build/fuzz_targets" $limits "$effort" \
    -use_value_profile=1 -len_control=0 -max_len=4096 \
    -close_fd_mask=3 -print_final_stats=1 -dict="$build/words" -artifact_prefix="$build/found/$target/" \
    "$build/corpus/$target" "$build/tests/fuzz/seeds/$target") >"$log" 2>&1 || code=$?
  found=$(find "$build/found/$target" -type f | wc -l)
  printf '%-14s %10s executions in %5s s  %6s edges reached  %s found\n' "$target" \
    "$(said stat::number_of_executed_units "$log")" \
    "$(said 'runs in' "$log")" "$(said cov "$log")" "$found"
  if [ "$code" -ne 0 ] || [ "$found" -ne 0 ]; then
    status=1
    tail -n 40 "$log" >&2
  fi
done
exit $status
