#!/bin/sh
# sizes.sh [--lower]: fails on C++ files over 350 lines and functions over 40 that cmake/large_sizes.txt does not allow.
# --lower writes what has shrunk into that list; nothing that has grown.
set -eu
list=cmake/large_sizes.txt
files=$(git ls-files 'opkit/*.cpp' 'opkit/*.h' 'opkit/*.hpp' 'opkit/*.inc' 'registry/*.cpp' 'registry/*.h' 'tests/*.cpp' 'tests/*.h')
if [ "${1:-}" = --lower ]; then
  new=$(mktemp)
  trap 'rm -f "$new"' EXIT
  # shellcheck disable=SC2086
  awk -v written=1 -f cmake/check_sizes.awk $files > "$new"
  awk '
    FNR == NR { size[NF == 3 ? $1 " " $2 : $1] = $NF; next }
    /^#/ { print; next }
    { key = NF == 3 ? $1 " " $2 : $1 }
    key in size { print key, (size[key] < $NF ? size[key] : $NF) }' "$new" "$list" > "$new.list"
  mv "$new.list" "$list"
fi
# shellcheck disable=SC2086
awk -v list="$list" -f cmake/check_sizes.awk $files
echo "sizes: $(echo "$files" | wc -l) files within their limits"
