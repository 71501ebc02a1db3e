#!/bin/sh
# lint.sh BUILD FOLDER...: clang-tidy over the .cpp files of the folders.
set -eu
build=$1
shift
sources=$(for folder in "$@"; do git ls-files ":(glob)$folder/*.cpp"; done)
echo "$sources" | xargs -P "$(nproc)" -n 2 clang-tidy -p "$build" --quiet --warnings-as-errors='*'
echo "clang-tidy: $(echo "$sources" | wc -l) files clean"
