#!/bin/sh
# fusion_gains.sh OPKIT OPP: docs/fusion-gains.md, made of every fused op in the OPP on both architectures. Figures are
# those of the model of time and of the oracle, the same on every machine.
set -eu
opkit=$1
opp=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for soc in Ascend910B1 Ascend310B1; do
  "$opkit" compare --all --opp "$opp" --soc "$soc" --warm 0 --samples 1 --json > "$work/$soc.json" ||
    echo "$soc: not every op could be compared; the page says which" >&2
done
python3 "$here/fusion_gains.py" "$here/fusion_claims.tsv" "$work/Ascend910B1.json" "$work/Ascend310B1.json"
