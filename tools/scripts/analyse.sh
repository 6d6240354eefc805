#!/usr/bin/env bash
# Runs static analyzers over src, include, tools and examples: clang-tidy with the checks of .clang-tidy, and cppcheck
# with the suppressions of tests/analysis/cppcheck.txt. Exit code 1 if one finds something.
#   tools/scripts/analyse.sh [BUILD_DIR]
#   TIDY=clang-tidy-19 tools/scripts/analyse.sh      uses another version
#   ANALYSE=tidy|cppcheck tools/scripts/analyse.sh   runs one of the two
# Debian and Ubuntu: clang-tidy, cppcheck.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build-analysis}
jobs=${ANALYSE_JOBS:-$(nproc)}
tidy=${TIDY:-clang-tidy}
what=${ANALYSE:-both}
status=0

# Both need the compile commands, and the generated file with the texts of the kernels.
cmake -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCLREDUCE_BUILD_TESTS=ON >/dev/null
cmake --build "$build" -j "$jobs" --target clreduce_objects >/dev/null

if [ "$what" != cppcheck ]; then
  git ls-files 'src/*.c' 'tools/*.c' 'examples/*.c' | grep -v '^tools/peers/' |
    xargs -P "$jobs" -n 4 "$tidy" -p "$build" --quiet --warnings-as-errors='*' 2>"$build/tidy.err" |
    tee "$build/tidy.log" || status=1
  [ ! -s "$build/tidy.log" ] || status=1
fi

if [ "$what" != tidy ]; then
  cppcheck --project="$build/compile_commands.json" --file-filter="$PWD/src/*" --file-filter="$PWD/tools/*" \
    -i"$PWD/tools/peers" -j "$jobs" \
    --enable=warning,style,performance,portability --inconclusive --std=c11 --inline-suppr --quiet --error-exitcode=1 \
    --library=tests/analysis/cjson.cfg \
    --suppressions-list=tests/analysis/cppcheck.txt --template='{file}:{line}: {severity}: {message} [{id}]' || status=1
fi
exit $status
