#!/bin/sh
# build_ops.sh OPKIT OPP BUILD JOBS FOLDER...: builds every op project below the folders with the installed SDK, as an
# author would, JOBS projects side by side, and installs the packages into the OPP. An op whose package is the one that
# is installed is left alone.
set -eu
opkit=$1
opp=$2
build=$3
jobs=$4
shift 4
mkdir -p "$opp" "$build"

find "$@" -mindepth 2 -maxdepth 2 -name op_contract.yaml | sort | xargs -P "$jobs" -I {} sh -c '
  op=$(dirname "$3")
  "$1" build "$op" --build-dir "$2/$(basename "$op")" --jobs 1 --quiet >"$2/$(basename "$op").log" 2>&1 ||
    { cat "$2/$(basename "$op").log" >&2; exit 255; }
  echo "built $op"
' build "$opkit" "$build" {}

# One after the other: installers write one list of vendors.
find "$@" -mindepth 2 -maxdepth 2 -name op_contract.yaml | sort | while read -r contract; do
  package=$build/$(basename "$(dirname "$contract")")/package
  field() { sed -n "s/^$1: *//p" "$package/manifest.yaml" | tr -d '"' | head -1; }
  there=$opp/vendors/$(field vendor)/op_pkg/$(field op)/$(field version)
  cmp -s "$package/manifest.yaml" "$there/manifest.yaml" || "$opkit" install "$package" --opp "$opp" --force
done
