#!/usr/bin/env bash
# unpack.sh SEEDS DIRECTORY: writes a file for each seed. A line of SEEDS has a name and bytes, escaped for printf %b.
# Lines that begin with two blanks continue it.
set -euo pipefail
while IFS= read -r line; do
  name=${line%% *}
  if [ "$name" ]; then
    file=$2/$name line=${line#"$name"}
    : >"$file"
  else
    line=${line#" "}
  fi
  printf %b "${line#" "}" >>"$file"
done <"$1"
