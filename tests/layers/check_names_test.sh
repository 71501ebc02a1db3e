#!/bin/sh
# check_names_test.sh CHECKER: a type name that stands for two things is found, by what a list allows, and nothing else is.
set -eu
checker=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
failures=0

# expect SAID LIST FIRST SECOND: about two headers with the texts, a list allows (ok) or the words of SAID are printed.
expect() {
  printf '%b' "$2" > list.txt
  printf 'namespace a {\n%b\n}\n' "$3" > one.h
  printf 'namespace b::c {\n%b\n}\n' "$4" > two.h
  printf 'one.h\ntwo.h\nthree.cpp\n' > files.txt
  if awk -v list=list.txt -f "$checker" files.txt > out.txt 2>&1; then found=ok; else found=$(cat out.txt); fi
  [ "$found" = "$1" ] || { printf '%s\n%s\nexpected %s\ngot %s\n\n' "$3" "$4" "$1" "$found"; failures=$((failures + 1)); }
}
printf 'namespace d {\nstruct Step {\n};\n}\n' > three.cpp

both='a::Step (one.h), b::c::Step (two.h)'
expect ok '' 'struct Step {' 'struct Slot {'
expect "Step names several things: $both; rename one" '' 'struct Step {' 'struct Step {'
expect "Step names several things: $both; rename one" '' 'class OPKIT_SHARED Step final : public X {' 'enum class Step : int {'
expect "Step names several things: $both; rename one" '' 'template <class T>\nclass Step {' 'using Step = int;'
expect "Step names several things: $both; rename one" '' 'struct Step {' 'enum class Step { kOne, kTwo };'
expect "Step names several things: $both; rename one" '' 'union Step {' 'struct [[nodiscard]] Step {'
# Declarations, nested types, names that are handed on and sources count for nothing.
expect ok '' 'struct Step {' 'struct Step;'
expect ok '' 'struct Step {' 'struct Slot {\n  struct Step {\n  };\n};'
expect ok '' 'struct Step {' 'using Step = a::Step;'
expect ok '# known\nStep 2\n' 'struct Step {' 'struct Step {'
expect "Step names 2 things; lower its number in list.txt" 'Step 3\n' 'struct Step {' 'struct Step {'
expect "Step names one thing; take it out of list.txt" 'Step 2\n' 'struct Step {' 'struct Slot {'
expect "Step names 3 things, and named 2: a::Step (one.h), e::Step (one.h), b::c::Step (two.h); rename the new one" 'Step 2\n' \
       'struct Step {\n};\n}\nnamespace e {\nstruct Step {' 'struct Step {'
exit $((failures != 0))
