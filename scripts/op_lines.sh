#!/bin/sh
# op_lines.sh FOLDER...: how much an op project holds, and how much two of them hold both, as Markdown. Lines are those of
# kernels, tilings and build files that are neither blank nor comments; in common are equal lines, each counted as often as
# both have it, but for what every file of its kind has: braces, #include and #endif, namespaces, access specifiers.
set -eu
projects() { find "$@" -mindepth 2 -maxdepth 2 -name "*_contract.yaml" -printf "%h\n" | sort -u; }

projects "$@" | while read -r project; do
  contracts=$(find "$project" -maxdepth 1 -name "*_contract.yaml")
  printf '@ops %s %s\n' "$project" "$(echo "$contracts" | wc -l)"
  printf '@contract %s %s\n' "$project" "$(cat $contracts "$project"/family.yaml 2>/dev/null | grep -cvE '^ *(#.*)?$')"
  find "$project" -name "*.cpp" -o -name "*.h" -o -name "CMakeLists.txt" | sort | while read -r file; do
    printf '@file %s\n' "$project"
    cat "$file"
  done
done | awk -f "$(dirname "$0")/op_lines.awk"
