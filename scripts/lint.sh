#!/bin/sh
# lint.sh BUILD FOLDER...: clang-tidy over the .cpp files of the folders.
set -eu
build=$1/lint
shift
sources=$(for folder in "$@"; do git ls-files ":(glob)$folder/*.cpp"; done)
# Files as they are by themselves: in no batch, and without the headers that gcc precompiled, which clang cannot read. So a
# file that includes less than it uses is found, too.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPKIT_BATCH=1 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
      -DOPKIT_TESTS=OFF -DOPKIT_BENCH=OFF >/dev/null
# clang-tidy counts the warnings of system headers on stderr, file by file: they would bury a finding.
if ! findings=$(echo "$sources" | xargs -P "$(nproc)" -n 2 clang-tidy -p "$build" --quiet --warnings-as-errors='*' 2>&1); then
  echo "$findings" | grep -v ' warnings generated\.$'
  echo "clang-tidy: findings above"
  exit 1
fi
echo "clang-tidy: $(echo "$sources" | wc -l) files clean"
