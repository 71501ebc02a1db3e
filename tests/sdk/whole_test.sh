#!/bin/sh
# whole_test.sh BUILD: names every file of BUILD that `cmake --install` copies and the target sdk does not build.
set -eu
cd "$1"
installed=$(mktemp)
built=$(mktemp)
trap 'rm -f "$installed" "$built"' EXIT
find . -path ./lint -prune -o -name cmake_install.cmake -exec grep -ho "\"$PWD/[^\"]*\.\(so\|a\)[.0-9]*\"" {} + | tr -d '"' | sed "s,^$PWD/,," | sort -u >"$installed"
find . -path ./lint -prune -o -name cmake_install.cmake -exec grep -ho "TYPE EXECUTABLE FILES \"$PWD/[^\"]*\"" {} + | sed "s,.*\"$PWD/,,; s,\"$,," >>"$installed"
# Archives are written by `ar qc FILE`, everything else by `-o FILE`.
ninja -t commands sdk | grep -o -e '-o [^ ]*' -e 'ar qc [^ ]*' | sed 's,.* ,,' | sort -u >"$built"
missing=$(sort -u "$installed" | grep -vxFf "$built" || true)
[ -s "$installed" ] || { echo "found no file that the SDK installs"; exit 1; }
[ -z "$missing" ] || { echo "installed with the SDK, but not built by its target:"; echo "$missing"; exit 1; }
echo "$(wc -l <"$installed") files of the SDK are built by its target"
