#!/bin/sh
# demo.sh OPKIT FOLDER: the main job on real input, as a new user would do it: scaffold, build, install, test, run.
set -eu
opkit=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export ASCEND_OPP_PATH="$PWD/opp"

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
run() {
  say "opkit $*"
  "$opkit" "$@"
}

run new MyFused --template elementwise
run build my_fused
run install my_fused/build/package
run why MyFused
run test MyFused --tier smoke

# The first run makes its inputs from a seed and leaves an .npy file; the second reads that file.
run run MyFused --shape x=1000 --shape y=1000 --dtype x=float32 --dtype y=float32 --seed 7 --out z=first.npy
run run MyFused --in x=first.npy --in y=first.npy --attr alpha=0.5 --out z=second.npy
ls -l first.npy second.npy
