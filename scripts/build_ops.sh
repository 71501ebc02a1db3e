#!/bin/sh
# build_ops.sh OPKIT OPP FOLDER...: builds every op project below the folders with the installed SDK, as an author
# would, and installs the packages into the OPP.
set -eu
opkit=$1
opp=$2
shift 2
mkdir -p "$opp"
for folder in "$@"; do
  for op in "$folder"/*/; do
    [ -f "$op/op_contract.yaml" ] || continue
    name=$(basename "$op")
    out=$(dirname "$opp")/ops/$name
    "$opkit" build "$op" --build-dir "$out"
    "$opkit" install "$out/package" --opp "$opp" --force
  done
done
