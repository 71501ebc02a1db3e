#!/bin/sh
# check_layers_test.sh CHECKER: every way to include a forbidden file is found, knots of modules are, too, and allowed
# includes are not reported.
set -eu
checker=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p opkit/low opkit/mid/part opkit/mid/other opkit/high opkit/include/author
cat > layers.map <<'MAP'
library yaml-cpp yaml-cpp/
layer opkit/low the bottom
links opkit/low yaml-cpp private
layer opkit/include what authors include
layer opkit/mid between
use opkit/mid opkit/low
sublayer opkit/mid/part a part
sublayer opkit/mid/other another part
layer opkit/high the top
use opkit/high opkit/mid
use opkit/high opkit/include
MAP
: > opkit/low/a.h; : > opkit/mid/b.h; : > opkit/mid/part/p.h; : > opkit/mid/other/o.h; : > opkit/high/c.h
: > opkit/include/author/api.h; : > opkit/high/words.inc
failures=0

# expect VERDICT FILE LINE: a file that holds the line is accepted (ok), or refused with the words of VERDICT.
expect() {
  printf '%b\n' "$3" > "$2"
  find opkit -type f | sort > files.txt
  if awk -f "$checker" layers.map files.txt > out.txt 2>&1; then found=ok; else found=$(cat out.txt); fi
  rm "$2"
  case "$found" in
    "$1") ;;
    *"$1"*) [ "$1" != ok ] || { echo "refused: $3: $found"; failures=$((failures + 1)); } ;;
    *) echo "in $2: $3: expected '$1', got '$found'"; failures=$((failures + 1)) ;;
  esac
}

expect ok opkit/high/x.cpp '#include "opkit/low/a.h"'
expect ok opkit/high/x.cpp '#include <author/api.h>'
expect ok opkit/mid/x.cpp '#include "opkit/mid/part/p.h"'
expect ok opkit/mid/part/x.cpp '#include "opkit/low/a.h"'
expect ok opkit/low/x.cpp '// #include "opkit/high/c.h"'
expect ok opkit/low/x.cpp '#include <vector>'
expect ok opkit/low/x.cpp '#include <yaml-cpp/yaml.h>'

above='opkit/low/x.cpp:1: opkit/low includes opkit/high/c.h'
expect "$above" opkit/low/x.cpp '#include "opkit/high/c.h"'
expect "$above" opkit/low/x.cpp '#include <opkit/high/c.h>'
expect "$above" opkit/low/x.cpp ' #\tinclude "opkit/high/c.h"'
expect "$above" opkit/low/x.cpp '%:include "opkit/high/c.h"'
expect "$above" opkit/low/x.cpp '#include_next <opkit/high/c.h>'
expect "$above" opkit/low/x.cpp '/* why */ #include "opkit/high/c.h"'
expect "$above" opkit/low/x.cpp '# /* why */ include "opkit/high/c.h"'
expect "$above" opkit/low/x.cpp '#inc\\\nlude "opkit/high/c.h"'
expect 'opkit/low/x.inc:1: opkit/low includes opkit/high/c.h' opkit/low/x.inc '#include "opkit/high/c.h"'
expect 'opkit/low includes opkit/high/words.inc' opkit/low/x.cpp '#include "opkit/high/words.inc"'
expect 'opkit/low includes opkit/high/not_yet_made.h' opkit/low/x.cpp '#include "opkit/high/not_yet_made.h"'
expect 'the relative include ../high/c.h' opkit/low/x.cpp '#include "../high/c.h"'
expect 'an include through a macro' opkit/low/x.cpp '#include HEADER'
expect 'opkit/mid includes opkit/include/author/api.h' opkit/mid/x.cpp '#include "author/api.h"'
expect 'opkit/mid/part includes opkit/mid/other/o.h' opkit/mid/part/x.cpp '#include "opkit/mid/other/o.h"'
expect 'opkit/mid/part includes opkit/mid/b.h' opkit/mid/part/x.cpp '#include "opkit/mid/b.h"'
expect 'includes <yaml-cpp/yaml.h> of yaml-cpp, which it does not link' opkit/high/x.cpp '#include <yaml-cpp/yaml.h>'
# A source and its headers are one module; two that a third one includes are no knot.
printf '#include "opkit/low/a.h"\n' > opkit/low/one.h
printf '#include "opkit/low/a.h"\n' > opkit/low/two.h
expect ok opkit/low/one.cpp '#include "opkit/low/one.h"'
expect ok opkit/low/x.cpp '#include "opkit/low/one.h"\n#include "opkit/low/two.h"'

# Knots: by headers, by a source, through a third module, over the folder of author headers.
printf '#include "opkit/low/b.h"\n' > opkit/low/a.h
expect 'a knot of 2 modules in opkit/low:' opkit/low/b.h '#include "opkit/low/a.h"'
expect 'opkit/low/a includes opkit/low/b (a.h:1)' opkit/low/b.h '#include "opkit/low/a.h"'
: > opkit/low/b.h
expect 'opkit/low/b includes opkit/low/a (b.cpp:2)' opkit/low/b.cpp '\n#include "opkit/low/a.h"'
printf '#include "opkit/low/a.h"\n' > opkit/low/c.h
expect 'a knot of 3 modules in opkit/low:' opkit/low/b.cpp '#include "opkit/low/c.h"'
expect 'a knot of 2 modules in opkit/low:' opkit/low/b.inc '#include "opkit/low/a.h"'
printf '#include "author/more.h"\n' > opkit/include/author/api.h
expect 'a knot of 2 modules in opkit/include:' opkit/include/author/more.h '#include "author/api.h"'
: > opkit/include/author/api.h

# A circle longer than awk's own stack would take.
mkdir opkit/low/long
n=0
while [ "$n" -lt 400 ]; do
  printf '#include "opkit/low/long/m%d.h"\n' $(((n + 1) % 401)) > "opkit/low/long/m$n.h"
  n=$((n + 1))
done
expect 'a knot of 401 modules in opkit/low:' opkit/low/long/m400.h '#include "opkit/low/long/m0.h"'
rm -r opkit/low/long

# The size that the map names holds for the largest knot, and only downwards.
cp layers.map plain.map
echo 'knot opkit/low 2' >> layers.map
expect ok opkit/low/b.cpp '#include "opkit/low/a.h"'
expect 'a knot of 3 modules in opkit/low, whose largest one has 2:' opkit/low/b.cpp '#include "opkit/low/c.h"'
expect 'opkit/low has no knot: take its opkit_knot out of the map' opkit/low/b.cpp '#include <vector>'
echo 'knot opkit/low 3' >> layers.map
expect ok opkit/low/b.cpp '#include "opkit/low/c.h"'
expect 'the largest knot of opkit/low has 2 modules, the map says 3: lower the number' opkit/low/b.cpp '#include "opkit/low/a.h"'
cp plain.map layers.map
echo 'knot opkit/nowhere 2' >> layers.map
expect 'opkit_knot names opkit/nowhere, which is no layer' opkit/low/x.cpp '#include <vector>'
cp plain.map layers.map
: > opkit/low/a.h

mkdir opkit/stray
expect 'its folder is no layer' opkit/stray/x.cpp '#include <vector>'
echo 'use opkit/low opkit/high' >> layers.map
expect 'a cycle' opkit/low/x.cpp '#include <vector>'
echo 'layer opkit/dumb' >> layers.map
expect 'does not say what it HOLDS' opkit/low/x.cpp '#include <vector>'

[ "$failures" = 0 ] || exit 1
echo "every include and every knot was judged as expected"
