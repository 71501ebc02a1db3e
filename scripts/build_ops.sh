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

# Folders with one contract or with those of a family.
projects() { find "$@" -mindepth 2 -maxdepth 2 -name "*_contract.yaml" -printf "%h\n" | sort -u; }

projects "$@" | xargs -P "$jobs" -I {} sh -c '
  "$1" build "$3" --build-dir "$2/$(basename "$3")" --vendor opkit --jobs 1 --quiet >"$2/$(basename "$3").log" 2>&1 ||
    { cat "$2/$(basename "$3").log" >&2; exit 255; }
  echo "built $3"
' build "$opkit" "$build" {}

# One after the other: installers write one list of vendors.
projects "$@" | while read -r project; do
  find "$build/$(basename "$project")/package" -maxdepth 2 -name manifest.yaml | sort | while read -r manifest; do
    field() { sed -n "s/^$1: *//p" "$manifest" | tr -d '"' | head -1; }
    there=$opp/vendors/$(field vendor)/op_pkg/$(field op)/$(field version)
    cmp -s "$manifest" "$there/manifest.yaml" || "$opkit" install "$(dirname "$manifest")" --opp "$opp" --force
  done
done
