#!/bin/sh
# format.sh: fails when a C++ file is not as clang-format writes it, a comment begins with "of" or "the same", a line
# of a page has more than 200 characters, or a fragment of changes/ is wrong.
set -eu
files=$(git ls-files '*.cpp' '*.h')
echo "$files" | xargs clang-format --dry-run -Werror
echo "clang-format: $(echo "$files" | wc -l) files clean"
git ls-files '*.cpp' '*.h' '*.c' '*.inc' '*.def' | xargs awk -f cmake/check_comments.awk
./scripts/changes.sh --check
# The two pages that are left out are tables of what a compiler says and of others' claims.
git ls-files '*.md' ':!docs/ascendc-coverage.md' ':!docs/fusion-gains.md' | xargs awk '
  length > 200 { printf "%s:%d: %d characters; wrap at 120, shorten a row of a table\n", FILENAME, FNR, length; found = 1 }
  END { exit found }'
