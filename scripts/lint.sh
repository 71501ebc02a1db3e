#!/bin/sh
# lint.sh BUILD [FOLDER...]: the formatting of everything, then clang-tidy over the .cpp files of the folders.
set -eu
build=$1
shift
files=$(git ls-files '*.cpp' '*.h' | grep -v '^templates/')
echo "$files" | xargs clang-format --dry-run -Werror
echo "clang-format: $(echo "$files" | wc -l) files clean"
sources=$(for folder in "$@"; do git ls-files ":(glob)$folder/*.cpp"; done)
[ -n "$sources" ] || exit 0
echo "$sources" | xargs -P "$(nproc)" -n 2 clang-tidy -p "$build" --quiet --warnings-as-errors='*'
echo "clang-tidy: $(echo "$sources" | wc -l) files clean"
