#!/usr/bin/env bash
# Makes the source tarball: tools/dist.sh [DIRECTORY]. Writes DIRECTORY/clreduce-VERSION.tar.gz (default: the directory
# it is called in) and prints its path. In a git checkout it holds the tracked files as they are on disk, elsewhere all
# files. The same files give the same bytes on every machine. Their time is SOURCE_DATE_EPOCH, else that of the last
# commit, else that of CHANGELOG.md; tools/dist.sh --time prints it.
set -euo pipefail

only_time=no
[ "${1:-}" != --time ] || { only_time=yes; shift; }
directory=$(realpath "${1:-.}")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(clreduce VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=clreduce-$version

in_git() { [ -e .git ] && command -v git >/dev/null; }

list() {
  if in_git; then
    git ls-files -z | while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done
  else
    # Without what builds leave behind: directories of CMake, dpkg-buildpackage and Python.
    find . \( -path './build*' -o -path './obj-*' -o -path ./dist -o -path ./.git -o -path ./.deps -o -path ./.pybuild \
      -o -path './debian/*clreduce*' -o -path ./debian/tmp -o -path ./debian/.debhelper -o -name __pycache__ \
      -o -name '*.egg-info' \) -type d -prune -o -type f -printf '%P\0'
  fi
}

time=${SOURCE_DATE_EPOCH:-}
if [ -z "$time" ]; then
  time=$(if in_git; then git log -1 --format=%ct; else stat -c %Y CHANGELOG.md; fi)
fi
[ "$only_time" = no ] || { echo "$time"; exit; }
trap 'rm -f "$directory/$name.tar.gz.part"' EXIT
list | LC_ALL=C sort -z |
  tar --create --null --no-recursion --files-from=- --format=ustar --transform "s,^,$name/," --mtime "@$time" \
    --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w |
  gzip -9n >"$directory/$name.tar.gz.part"
mv "$directory/$name.tar.gz.part" "$directory/$name.tar.gz"
echo "$directory/$name.tar.gz"
