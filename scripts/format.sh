#!/bin/sh
# format.sh: fails when a C++ file is not as clang-format writes it.
set -eu
files=$(git ls-files '*.cpp' '*.h')
echo "$files" | xargs clang-format --dry-run -Werror
echo "clang-format: $(echo "$files" | wc -l) files clean"
