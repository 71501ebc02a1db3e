#!/bin/sh
# page_test.sh SOURCE MAP: docs/architecture.md shows the layer map as it is.
set -eu
made=$(mktemp)
trap 'rm -f "$made"' EXIT
awk -f "$1/cmake/layer_docs.awk" "$2" "$1/docs/architecture.md" > "$made"
diff -u "$1/docs/architecture.md" "$made" || { echo "the page is stale: run make architecture" >&2; exit 1; }
