#!/bin/sh
# format.sh: fails when a C++ file is not as clang-format writes it, a comment begins with "Of" or "The same", or a fragment
# of changes/ is wrong.
set -eu
files=$(git ls-files '*.cpp' '*.h')
echo "$files" | xargs clang-format --dry-run -Werror
echo "clang-format: $(echo "$files" | wc -l) files clean"
git ls-files '*.cpp' '*.h' '*.c' '*.inc' '*.def' | xargs awk -f cmake/check_comments.awk
./scripts/changes.sh --check
