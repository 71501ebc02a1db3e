#!/bin/sh
# lint.sh BUILD FOLDER...: clang-tidy over the .cpp files of the folders, in the batches that the compiler reads them in:
# most of the time is for headers, which a batch reads once. (The preset dev, which has no batches, finds a file that includes
# less than it uses.)
set -eu
build=$1/lint
shift
# Without the headers that gcc precompiled, which clang cannot read.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPKIT_BATCH=16 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
      -DOPKIT_TESTS=OFF -DOPKIT_BENCH=OFF >/dev/null
for folder in "$@"; do git ls-files ":(glob)$folder/*.cpp"; done | sort -u > "$build/linted_files"
# Prints each file of the compiler's list that is one of the files, or a batch that holds one.
units=$(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | sort -u | awk -v root="$PWD/" '
  NR == FNR { linted[$0]; next }
  index($0, "/batches/") { while ((getline line < $0) > 0) { split(line, part, "\""); if (part[2] in linted) { print; break } } next }
  substr($0, length(root) + 1) in linted' "$build/linted_files" -)
# A batch includes files that end in .cpp, as it should. clang-tidy counts the warnings of system headers on stderr, file by
# file: they would bury a finding.
if ! findings=$(echo "$units" | xargs -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet --warnings-as-errors='*' \
                --checks=-bugprone-suspicious-include --header-filter="^$PWD/(opkit|registry)/.*\.cpp\$" 2>&1); then
  echo "$findings" | grep -v ' warnings generated\.$'
  echo "clang-tidy: findings above"
  exit 1
fi
echo "clang-tidy: $(wc -l < "$build/linted_files") files clean"
