#!/bin/sh
# bench_peers.sh BUILD OPP: opkit's ops beside oneDNN, in one run. Quote it from a machine that does nothing else.
set -eu
build=$1
export ASCEND_OPP_PATH="$2"
if ! ninja -C "$build" -t query peers >/dev/null 2>&1; then
  echo "oneDNN was not there when the build was configured: apt-get install libdnnl-dev, then cmake --preset release" >&2
  exit 1
fi
cmake --build "$build" --target peers >&2
exec "$build"/tests/bench/peers
