#!/bin/sh
# chips.sh BUILD: prints for every chip of the catalogue whether an op that was built once runs there, passes its tests,
# is taken into a model, and whether the model runs by command and by a program.
set -u
out=$("$1"/tests/e2e/e2e --gtest_filter=Chips.BuildTestCompileAndRunOnEach 2>&1)
status=$?
if [ $status -eq 0 ]; then echo "$out" | grep '^|'; else echo "$out" >&2; fi
exit $status
