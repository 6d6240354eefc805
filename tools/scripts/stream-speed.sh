#!/bin/sh
# Measures how fast a large file is folded, beside how fast it is read: the tool and `cat FILE >/dev/null` take turns
# with the file in the page cache. Also prints the most memory that the tool held.
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
  # 2^18 times 1.0f, the bytes 00 00 80 3f, is 1 MiB.
  block=$file.block
  printf '\000\000\200\077' >"$block"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do
    cat "$block" "$block" >"$block.next"
    mv "$block.next" "$block"
  done
  i=0
  while [ "$i" -lt $((gib * 1024)) ]; do
    cat "$block"
    i=$((i + 1))
  done >"$file"
  rm -f "$block"
fi

now() { date +%s%N; }
bytes=$(wc -c <"$file")
"$tool" query | sed -n 1,3p
echo "file: $bytes bytes; $(date -u +%Y-%m-%d)"
cat "$file" >/dev/null
"$tool" reduce sum "$file" --type float "$@" >/dev/null

turn=0
while [ "$turn" -lt "$turns" ]; do
  begun=$(now)
  cat "$file" >/dev/null
  between=$(now)
  result=$("$tool" reduce sum "$file" --type float "$@")
  ended=$(now)
  if [ "$made" = yes ] && [ "$result" != "$(awk "BEGIN { printf \"%.0f\", $bytes / 4 }")" ]; then
    echo "wrong: $result" >&2
    exit 1
  fi
  echo "$bytes $((between - begun)) $((ended - between))"
  turn=$((turn + 1))
done | sort -n -k3 | awk '{
  cat[NR] = $1 / $2; tool[NR] = $1 / $3; ratio[NR] = $2 / $3
  printf "cat %.2f GB/s, clreduce %.2f GB/s, ratio %.2f\n", cat[NR], tool[NR], ratio[NR]
}
END {
  for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) {
    if (cat[j] < cat[i]) { t = cat[i]; cat[i] = cat[j]; cat[j] = t }
    if (tool[j] < tool[i]) { t = tool[i]; tool[i] = tool[j]; tool[j] = t }
    if (ratio[j] < ratio[i]) { t = ratio[i]; ratio[i] = ratio[j]; ratio[j] = t }
  }
  m = int((NR + 1) / 2)
  printf "medians: cat %.2f GB/s, clreduce %.2f GB/s, ratio %.2f\n", cat[m], tool[m], ratio[m]
}'

if [ -x /usr/bin/time ]; then
  /usr/bin/time -f 'most memory held, with mapped pages of the file: %M KiB' \
    "$tool" reduce sum "$file" --type float "$@"
fi
