#!/bin/sh
# check_codes_test.sh CHECKER: each way in which sources and the table of error codes can differ is found.
set -eu
checker=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p opkit/base/codes opkit/include registry
failures=0

# expect VERDICT TABLE SOURCE: the pair is accepted (ok), or refused with the words of VERDICT.
expect() {
  printf '%b\n' "$2" > opkit/base/codes/tools.def
  printf '%b\n' "$3" > registry/x.cpp
  find opkit registry -type f | sort > files.txt
  if awk -f "$checker" files.txt > out.txt 2>&1; then found=ok; else found=$(cat out.txt); fi
  case "$found" in
    "$1") ;;
    *"$1"*) [ "$1" != ok ] || { echo "refused: $3: $found"; failures=$((failures + 1)); } ;;
    *) echo "$2 and $3: expected '$1', got '$found'"; failures=$((failures + 1)) ;;
  esac
}

row='OPKIT_CODE(OPK_CLI_014, "OPK-CLI-014",\n  "cause", "example", "cure", "page")'
engine='OPKIT_CODE(EK1001, "EK1001",\n  "cause", "example", "cure", "page")'
expect ok "$row" 'return Error("OPK-CLI-014", text);'
expect ok "$row\n$engine" 'fault("EK1001", "OPK-CLI-014: x");'
expect 'registry/x.cpp:2: OPK-CLI-015 has no row' "$row" 'Error("OPK-CLI-014");\nError("OPK-CLI-015");'
expect 'registry/x.cpp:1: EK1002 has no row' "$row" 'Error("OPK-CLI-014"); fault("EK1002");'
expect 'opkit/base/codes/tools.def:1: no source names OPK-CLI-014' "$row" 'nothing();'
expect 'OPK-CLI-014 has a row already, opkit/base/codes/tools.def:1' "$row\n$row" 'Error("OPK-CLI-014");'
expect 'the row of OPK-CLI-014 is named OPK_CLI_041' 'OPKIT_CODE(OPK_CLI_041, "OPK-CLI-014",' 'Error("OPK-CLI-014");'
expect 'OPK-CLI-014... has too many digits' "$row" 'Error("OPK-CLI-0141"); Error("OPK-CLI-014");'
cause='OPKIT_CAUSE(kNone, "OPK-CLI-015")'
expect 'opkit/base/codes/tools.def:3: OPK-CLI-015 has no row' "$row\\n$cause" 'Error("OPK-CLI-014");'
exit $((failures != 0))
