#!/usr/bin/env bash
# Makes a release: tools/release.sh [--dry-run] VERSION
#   1. VERSION goes into CMakeLists.txt, clreduce.h, the changelogs of the project and of debian/, and bindings/python
#   2. debian/*.symbols get the new functions; a new MAJOR.MINOR gives packages new names (cmake/README.md)
#   3. a commit and the tag vVERSION
#   4. dist/clreduce-VERSION.tar.gz and its checksum
# It pushes nothing; the last lines say how. --dry-run does all of it in a temporary clone and shows the changes.
# Before a release run tests/run.sh and tools/scripts/package-check.sh. CHANGELOG.md needs a section
# "## VERSION, unreleased".
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "release.sh: $*" >&2
  exit 1
}

dry=no
[ "${1:-}" != --dry-run ] || { dry=yes; shift; }
[ $# = 1 ] || { sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
version=$1
[[ $version =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] ||
  fail "$version: not a version; give MAJOR.MINOR.PATCH, such as 0.1.0"
read -r major minor patch <<<"${version//./ }"
soname=$major.$minor

git rev-parse --git-dir >/dev/null 2>&1 || fail "this directory is no git checkout; clone the project"
[ -z "$(git status --porcelain)" ] || fail "the checkout has changes; commit or remove them first"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "the tag v$version exists; choose another version"
grep -q "^## $version, unreleased$" CHANGELOG.md ||
  fail "CHANGELOG.md has no section '## $version, unreleased'; write what changed"
before=$(sed -n 's/^project(clreduce VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$(printf '%s\n' "$before" "$version" | sort -V | tail -n 1)" = "$version" ] ||
  fail "$version: older than $before; give a newer version"

if [ "$dry" = yes ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  git clone -q . "$work/clone"
  cd "$work/clone"
  git config user.name "dry run"
  git config user.email "dry-run@clreduce.invalid"
fi

# ---------------------------------------------------------------- The version

set_versions() {
  sed -i "s/^project(clreduce VERSION [0-9.]*/project(clreduce VERSION $version/" CMakeLists.txt
  sed -i -e "s/^\(#define CLRED_VERSION_MAJOR\) .*/\1 $major/" -e "s/^\(#define CLRED_VERSION_MINOR\) .*/\1 $minor/" \
    -e "s/^\(#define CLRED_VERSION_PATCH\) .*/\1 $patch/" include/clreduce.h
  sed -i "s/^## $version, unreleased$/## $version, $(date -u +%F)/" CHANGELOG.md
  if [ -f bindings/python/pyproject.toml ]; then
    sed -i "s/^version = .*/version = \"$version\"/" bindings/python/pyproject.toml
  fi
}

# The first release keeps its entry; each later one gets an entry above.
add_debian_entry() {
  local changelog=debian/changelog author
  author=$(sed -n 's/^Maintainer: //p' debian/control)
  if ! grep -q "^clreduce ($version-0upstream1)" $changelog; then
    { printf 'clreduce (%s-0upstream1) unstable; urgency=medium\n\n  * New release.\n\n' "$version"
      printf ' -- %s  %s\n\n' "$author" "$(date -uR)"
      cat $changelog; } >"$changelog.new"
    mv "$changelog.new" $changelog
  fi
}

# A new MAJOR.MINOR has a new SONAME, so packages and symbols get new names.
keep_interface() {
  local old=${before%.*} file
  if [ "$old" != "$soname" ]; then
    for file in debian/*"$old"*; do
      git mv "$file" "${file/$old/$soname}"
    done
    sed -i "s/\(libclreduce[a-z-]*\(\.so\.\)\{0,1\}\)${old/./\\.}\b/\1$soname/g" debian/control debian/*.symbols
    sed -i "s/@Base .*/@Base $version/" debian/*.symbols
  fi
  tools/scripts/symbols.sh
}

set_versions
add_debian_entry
keep_interface
git add -A
git commit -q -m "Release $version"
git tag -a "v$version" -m "libclreduce $version"

# ---------------------------------------------------------------- The tarball

mkdir -p dist
tarball=$(tools/dist.sh dist)
(cd dist && sha256sum "${tarball##*/}" | tee "clreduce-$version.sha256")
ls -l "$tarball"
if [ "$dry" = yes ]; then
  git show --stat --format='%n%s' HEAD
  git show --format= HEAD
  echo "dry run: nothing was changed"
else
  echo "now: git push origin HEAD v$version, then attach the files of dist/ to the release"
fi
