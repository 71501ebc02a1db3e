#!/bin/sh
# run.sh OPKIT SOURCE FOLDER: builds, installs and tests the op as a user would.
set -eu
opkit=$1
source=$2
folder=$3
rm -rf "$folder"
mkdir -p "$folder"
"$opkit" build "$source" --build-dir "$folder/build"
"$opkit" install "$folder/build/package" --opp "$folder/opp"
"$opkit" test PlainSub --opp "$folder/opp" --tier smoke
