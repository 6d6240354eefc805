#!/bin/sh
# Measures how fast a large file is folded, compared with how fast it is read. The tool and `cat FILE >/dev/null` run in
# turn with the file in the page cache. Also prints the most memory that the tool held.
#   stream-speed.sh [TOOL] [GIB] [FILE] [OPTIONS OF reduce...]
# If FILE does not exist, it is filled with 1.0 and removed afterwards. It needs GIB GiB of disk and of memory.
set -eu

tool=${1:-build/clreduce}
gib=${2:-12}
file=${3:-/tmp/clreduce-stream-speed.raw}
[ $# -gt 3 ] && shift 3 || shift $#
turns=5

made=no
if [ ! -e "$file" ]; then
  made=yes
  trap 'rm -f "$file"' EXIT INT TERM
  # 1.0f has the bytes 00 00 80 3f; 2^18 of them are 1 MiB.
  python3 -c 'import sys
for _ in range(int(sys.argv[1]) * 1024): sys.stdout.buffer.write(b"\0\0\x80\x3f" * 2**18)' "$gib" >"$file"
fi

now() { date +%s%N; }
bytes=$(wc -c <"$file")
"$tool" query | sed -n 1,3p
echo "file: $bytes bytes; $(date -u +%Y-%m-%d)"
cat "$file" >/dev/null
"$tool" reduce sum "$file" --type float "$@" >/dev/null

take_turns() {
  for _ in $(seq "$turns"); do
    begun=$(now)
    cat "$file" >/dev/null
    between=$(now)
    result=$("$tool" reduce sum "$file" --type float "$@")
    ended=$(now)
    if [ "$made" = yes ] && [ "$result" != "$((bytes / 4))" ]; then
      echo "wrong: $result" >&2
      exit 1
    fi
    echo "$bytes $((between - begun)) $((ended - between))"
  done | awk '{ printf "%.2f %.2f %.2f\n", $1 / $2, $1 / $3, $2 / $3 }'
}
# Gigabytes per second of cat and of the tool, and the ratio of their times.
speeds=$(take_turns "$@")
median() { echo "$speeds" | cut -d ' ' -f "$1" | sort -n | sed -n "$(((turns + 1) / 2))p"; }
echo "$speeds" | awk '{ printf "cat %s GB/s, clreduce %s GB/s, ratio %s\n", $1, $2, $3 }'
echo "medians: cat $(median 1) GB/s, clreduce $(median 2) GB/s, ratio $(median 3)"

if [ -x /usr/bin/time ]; then
  /usr/bin/time -f 'most memory held, with mapped pages of the file: %M KiB' \
    "$tool" reduce sum "$file" --type float "$@"
fi
