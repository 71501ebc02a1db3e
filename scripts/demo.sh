#!/bin/sh
# demo.sh OPKIT FOLDER: the main job on real input, as a new user would do it: scaffold, build, install, test, run.
set -eu
opkit=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export ASCEND_OPP_PATH="$PWD/opp"

# Colours, on a terminal only.
dim= bold= plain=
if [ -t 1 ]; then dim=$(printf '\033[2m') bold=$(printf '\033[1m') plain=$(printf '\033[0m'); fi

# step WHY WORDS...: says what a command is for, shows it, and runs opkit with the words.
step() {
  printf '\n%s\n' "$dim$1$plain"
  shift
  printf '%s\n' "$bold\$ opkit $*$plain"
  "$opkit" "$@"
}

step "A project from a template: contract, tiling, kernel" new MyFused --template elementwise
step "Its plugin, compiled, and a package of it" build my_fused
step "The package becomes an op of the OPP in $ASCEND_OPP_PATH" install my_fused/build/package
step "Which package serves the op" why MyFused
step "Problems from its contract, results judged against its reference" test MyFused --tier smoke

# The first run makes its inputs from a seed and leaves an .npy file; the second reads that file.
step "A run on numbers made from a seed" \
  run MyFused --shape x=1000 --shape y=1000 --dtype x=float32 --dtype y=float32 --seed 7 --out z=first.npy
step "A run on the file that the first one left" run MyFused --in x=first.npy --in y=first.npy --attr alpha=0.5 --out z=second.npy
ls -l first.npy second.npy
printf '\nThe project, the op and both results are in %s. README.md goes on with "Five minutes".\n' "$PWD"
