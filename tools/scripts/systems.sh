#!/usr/bin/env bash
# Runs tests/run.sh in roots of other systems, and the tool's tests under other names of the device.
#
#   tools/scripts/systems.sh [--dependent | --make] [SYSTEM...] [-- CTEST'S OPTIONS]
#   SYSTEM: debian-12, debian-13, debian-unstable, ubuntu (its current LTS), names. Without one: all of them.
#
# A root is made with debootstrap, which needs root rights and a network, and is kept in the directory that
# CLREDUCE_SYSTEMS names (default: /var/cache/clreduce-systems). It gets a copy of this checkout and nothing else of the
# machine but /proc, /sys and /dev. To make a root anew, delete its directory.
#
# --dependent leaves out the tests that every system answers alike: label `once` in the CMake files.
# --make makes the roots and installs the packages, but runs no test: for the image of a machine.
# names runs the tests cli_* of build-tests, which tests/run.sh makes, under names and numbers of compute units that a
# layer reports (tests/layer/build_layer.c).
#
# CLREDUCE_TEST_NAME and CLREDUCE_TEST_UNITS take effect in the roots, too.
# CLREDUCE_DEBIAN_MIRROR and CLREDUCE_UBUNTU_MIRROR name other mirrors. Exit code 1 if tests failed, 77 if none failed
# and a system could not be run; the last lines say for each system what happened.
set -uo pipefail
self=$(realpath "$0")
cd "$(dirname "$self")/../.." || exit

systems=${CLREDUCE_SYSTEMS:-/var/cache/clreduce-systems}
debian=${CLREDUCE_DEBIAN_MIRROR:--}  # -: the mirror that debootstrap takes by itself
ubuntu=${CLREDUCE_UBUNTU_MIRROR:--}
# SYSTEM  suite  mirror  further components
table="
debian-12        bookworm  $debian
debian-13        trixie    $debian
debian-unstable  sid       $debian
ubuntu           resolute  $ubuntu  universe
"
# Short, of 80 characters, of digits, with brackets, in UTF-8; each with a number of compute units.
names=(
  "1|gfx"
  "3|Processor of eighty characters, which is as long as a line of a terminal: 512 bit"
  "64|7763 2450 128"
  "128|AMD EPYC(R) [7763] <x> @ 2.45GHz"
  "256|Prozessor-äöü 中文処理装置 é"
)
results=()
failed=0
missing=0

has() { command -v "$1" >/dev/null 2>&1; }

# ---- Inside of the new mount namespace

# Makes what the tests need of the machine: processes, memory that ranks share, terminals.
mount_all() {
  mount -t proc proc "$1/proc" 2>/dev/null || mount --rbind /proc "$1/proc"
  mount --rbind /sys "$1/sys" 2>/dev/null || mount -t sysfs sysfs "$1/sys"
  mount --rbind /dev "$1/dev" 2>/dev/null && [ -e "$1/dev/pts/ptmx" ] && [ -w "$1/dev/shm" ] && return
  mkdir -p "$1/dev/pts" "$1/dev/shm"
  [ -e "$1/dev/pts/ptmx" ] || mount -t devpts -o ptmxmode=666 devpts "$1/dev/pts"
  mountpoint -q "$1/dev/shm" || mount -t tmpfs tmpfs "$1/dev/shm" || chmod 1777 "$1/dev/shm"
}

# enter ROOT COMMAND...: runs a command of the checkout in the root.
enter() {
  local root=$1 launcher=""
  shift
  mount_all "$root"
  [ -e "$root/proc/self/exe" ] || { echo "systems.sh: /proc cannot be mounted in $root"; exit 77; }
  [ -x "$root/usr/bin/ccache" ] && launcher=ccache
  # shellcheck disable=SC2016  # the shell in the root expands these
  exec chroot "$root" env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    ${CLREDUCE_TEST_NAME:+CLREDUCE_TEST_NAME="$CLREDUCE_TEST_NAME"} \
    ${CLREDUCE_TEST_UNITS:+CLREDUCE_TEST_UNITS="$CLREDUCE_TEST_UNITS"} \
    CMAKE_C_COMPILER_LAUNCHER=$launcher CMAKE_CXX_COMPILER_LAUNCHER=$launcher CCACHE_DIR=/var/cache/ccache \
    bash -c 'cd /root/clreduce && exec "$@"' enter "$@"
}

if [ "${1:-}" = --enter ]; then
  shift
  enter "$@"
fi

# ---- Roots

# Prints why no root can be made here; nothing if it can.
obstacle() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "needs root rights"
  elif ! has debootstrap && ! { tools/install-packages.sh systems && has debootstrap; } >&2; then
    echo "needs debootstrap"
  elif ! unshare --mount true 2>/dev/null; then
    echo "needs a mount namespace, which this machine does not allow"
  fi
}

# make_root SYSTEM SUITE MIRROR [COMPONENT]: returns 1 after a failure, whose reason is the last line of SYSTEM.log.
make_root() {
  local root=$systems/$1 suite=$2 mirror=("$3") component=${4:-} part=$systems/$1.part script=()
  [ -d "$root" ] && return
  rm -rf --one-file-system "$part"
  mkdir -p "$systems"
  # debootstrap may be older than the suite; all suites of a distribution are made alike.
  if [ ! -e "/usr/share/debootstrap/scripts/$suite" ]; then
    script=("/usr/share/debootstrap/scripts/$([ "$1" = ubuntu ] && echo gutsy || echo sid)")
  fi
  # An empty mirror is the one that debootstrap takes by itself.
  [ "${mirror[0]}" = - ] && mirror=("")
  echo "systems.sh: making $root" >&2
  debootstrap --variant=minbase --include=ca-certificates ${component:+--components="main,$component"} \
    "$suite" "$part" "${mirror[@]}" "${script[@]}" >"$systems/$1.log" 2>&1 || return 1
  # Mirrors may have an old copy of unstable.
  echo 'Acquire::Check-Valid-Until "false";' >"$part/etc/apt/apt.conf.d/90clreduce"
  chroot "$part" apt-get -qq update >>"$systems/$1.log" 2>&1
  # Builds are made anew for each run; this keeps the objects of files that did not change.
  chroot "$part" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ccache \
    >>"$systems/$1.log" 2>&1
  mv "$part" "$root"
}

# Copies the tracked files, and new ones that Git does not ignore, as they are in the working tree.
copy_checkout() {
  local to=$1/root/clreduce
  rm -rf --one-file-system "$to"
  mkdir -p "$to"
  if git -c safe.directory="$PWD" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard
  else
    find . -name 'build*' -prune -o -name .git -prune -o -type f -print0
  fi | tar -c --null --ignore-failed-read -T - 2>/dev/null | tar -x -C "$to"
}

note_result() {
  results+=("$1: $2")
  case $2 in
  passed*) ;;
  not\ run*) missing=1 ;;
  *) failed=1 ;;
  esac
}

# One run at a time in each root.
in_root() {
  local root=$1
  shift
  flock "$root.lock" unshare --mount --propagation private "$self" --enter "$root" "$@"
}

# PoCL 6.0 compiles a kernel differently from one time to the next, and now and then wrong (docs/portability.md). So
# what failed on it is compiled and tested once more, and the last line names it.
# shellcheck disable=SC2016  # the shell in the root expands these
compiled_anew='dpkg-query -W -f "\${Version}" pocl-opencl-icd | grep -q "^6\.0" || exit 8
rm -rf build-tests/pocl-cache
cd build-tests && POCL_CACHE_DIR=$PWD/pocl-cache exec ctest -j "$(nproc)" --rerun-failed --output-on-failure'

run_system() {
  local system=$1 root=$systems/$1 row why code again=""
  shift
  row=$(sed -n "s/^$system  *//p" <<<"$table")
  why=$(obstacle)
  [ -z "$why" ] || { note_result "$system" "not run: it $why"; return; }
  # shellcheck disable=SC2086  # the columns
  if ! make_root "$system" $row; then
    note_result "$system" "not run: debootstrap failed: $(tail -n 1 "$systems/$system.log")"
    return
  fi
  cp -L /etc/resolv.conf "$root/etc/" 2>/dev/null
  copy_checkout "$root"
  echo "systems.sh: $system, $(. "$root/etc/os-release" && echo "$PRETTY_NAME")"
  in_root "$root" "$@"
  code=$?
  if [ $code -eq 8 ] && [ "$1" = tests/run.sh ]; then
    again=$(sed 's/^[0-9]*://' "$root/root/clreduce/build-tests/Testing/Temporary/LastTestsFailed.log" | paste -sd ' ')
    again=", compiled a second time: $again"
    in_root "$root" bash -c "$compiled_anew"
    code=$?
  fi
  case $code in
  0)
    [ "$1" = tests/run.sh ] || again=": the root is made"
    note_result "$system" "passed$again"
    ;;
  77) note_result "$system" "not run" ;;
  *) note_result "$system" "FAILED with exit code $code" ;;
  esac
}

# ---- Names

run_names() {
  local row units name code
  if [ ! -f build-tests/CTestTestfile.cmake ]; then
    note_result names "not run: build-tests is missing; run tests/run.sh"
    return
  fi
  for row in "${names[@]}"; do
    units=${row%%|*} name=${row#*|}
    echo "systems.sh: the device is '$name' with $units compute units"
    (cd build-tests && POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/pocl-cache} CLREDUCE_TEST_NAME=$name \
      CLREDUCE_TEST_UNITS=$units ctest -j "$(($(nproc) + 2))" --output-on-failure -R '^cli_' "$@")
    code=$?
    note_result "name '$name', $units units" "$([ $code -eq 0 ] && echo passed || echo "FAILED with exit code $code")"
  done
}

main() {
  local action=(tests/run.sh) wanted=() system
  case ${1:-} in
  --dependent) action+=(-LE once) ;;
  --make) action=(tools/install-packages.sh build run test fuzz mpi site) ;;
  *) set -- "" "$@" ;;
  esac
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    wanted+=("$1")
    shift
  done
  [ $# -eq 0 ] || action+=("${@:2}")
  set -- ${wanted[@]+"${wanted[@]}"}
  [ $# -gt 0 ] || set -- debian-12 debian-13 debian-unstable ubuntu names
  for system in "$@"; do
    if [ "$system" = names ]; then
      [ "${action[0]}" != tests/run.sh ] || run_names "${action[@]:1}"
    elif grep -q "^$system " <<<"$table"; then
      run_system "$system" "${action[@]}"
    else
      echo "systems.sh: unknown system '$system'; give debian-12, debian-13, debian-unstable, ubuntu or names" >&2
      exit 2
    fi
  done
  printf 'systems.sh: %s\n' "${results[@]}"
  [ "$failed" -eq 0 ] || exit 1
  [ "$missing" -eq 0 ] || exit 77
}

# In one line: the shell reads a script while it runs, and a run takes long enough to edit this one.
main "$@"; exit
