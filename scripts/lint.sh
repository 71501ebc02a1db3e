#!/bin/sh
# lint.sh BUILD FOLDER...: clang-tidy over the .cpp files of the folders.
set -eu
build=$1
shift
sources=$(for folder in "$@"; do git ls-files ":(glob)$folder/*.cpp"; done)
# clang reads no header that gcc precompiled. Without it a file that includes less than it uses is found, too.
mkdir -p "$build/lint"
sed 's| -Winvalid-pch -include [^ ]*/precompiled/[a-z]*\.h||' "$build/compile_commands.json" >"$build/lint/compile_commands.json"
# clang-tidy counts the warnings of system headers on stderr, file by file: they would bury a finding.
if ! findings=$(echo "$sources" | xargs -P "$(nproc)" -n 2 clang-tidy -p "$build/lint" --quiet --warnings-as-errors='*' 2>&1); then
  echo "$findings" | grep -v ' warnings generated\.$'
  echo "clang-tidy: findings above"
  exit 1
fi
echo "clang-tidy: $(echo "$sources" | wc -l) files clean"
