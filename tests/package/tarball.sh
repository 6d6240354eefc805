#!/usr/bin/env bash
# Makes the source tarball of this tree, and once more of the tree in that tarball: the bytes must be the same.
#   tarball.sh WORK    WORK/once gets the tarball; what an earlier run made in WORK is removed
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

work=$1
rm -rf "$work/once" "$work/twice"
mkdir -p "$work/once" "$work/twice"
tarball=$("$here/../../tools/dist.sh" "$work/once")
# The second tree is no git checkout.
tar -xf "$tarball" -C "$work/twice"
name=$(basename "$tarball" .tar.gz)
"$work/twice/$name/tools/dist.sh" "$work/twice"
cmp "$tarball" "$work/twice/$name.tar.gz"
