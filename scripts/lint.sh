#!/bin/sh
# lint.sh BUILD: formatting, then clang-tidy over what the last commit range touched (all of it with LINT_ALL=1).
set -eu
build=$1
files=$(git ls-files '*.cpp' '*.h' | grep -v '^templates/')
echo "$files" | xargs clang-format --dry-run -Werror
echo "clang-format: $(echo "$files" | wc -l) files clean"
sources=$(git ls-files 'opkit/**/*.cpp' 'registry/*.cpp' | grep -v '^opkit/include/')
echo "$sources" | xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' 2>/dev/null
echo "clang-tidy: $(echo "$sources" | wc -l) files clean"
