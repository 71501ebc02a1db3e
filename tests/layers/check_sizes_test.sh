#!/bin/sh
# check_sizes_test.sh CHECKER: files over 4 lines and functions over 3 are found by what a list allows, and nothing else is.
set -eu
checker=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
failures=0
run() { awk -v list=list.txt -v file_limit="$limit" -v function_limit=3 "$@" -f "$checker" x.cpp; }

# expect SAID LIST TEXT: about a file with the text, a list allows (ok) or the words of SAID are printed.
expect() {
  printf '%b' "$2" > list.txt
  printf '%b\n' "$3" > x.cpp
  if run > out.txt 2>&1; then found=ok; else found=$(cat out.txt); fi
  [ "$found" = "$1" ] || { printf '%s\nexpected %s\ngot %s\n\n' "$3" "$1" "$found"; failures=$((failures + 1)); }
}

limit=4
expect ok '' 'int a;\nint b;\nint c;\nint d;'
expect 'x.cpp: 5 lines, more than 4' '' 'int a;\nint b;\nint c;\nint d;\nint e;'
expect ok 'x.cpp 5\n' 'int a;\nint b;\nint c;\nint d;\nint e;'
expect 'x.cpp: 6 lines; it had 5 and may only shrink' 'x.cpp 5\n' '\n\n\n\n\n'
expect 'x.cpp: 5 lines; lower its 6 in list.txt' '# files\nx.cpp 6\n' '\n\n\n\n'
expect 'x.cpp: no longer too long; take it out of list.txt' 'x.cpp 5\n' 'int a;'

limit=99
# measures LINES NAME TEXT: the file holds one function over the limit.
measures() { expect "x.cpp: $2: $1 lines, more than 3" '' "$3"; }
expect ok '' 'int f() {\n  return 1;\n}'
measures 4 f 'int f() {\n  g();\n  return 1;\n}'
measures 4 f 'int f(int a,\n      int b) {\n  return 1;\n}'
measures 4 f 'static int k[] = {1, 2};\nint f() {\n  g();\n  return 1;\n}'
measures 4 A::f 'namespace a {\nnamespace {\nint A::f() const {\n  g();\n  return 1;\n}\n}\n}'
measures 4 f 'class A final : public B<int (int)> {\n public:\n  int f() {\n    g();\n    return 1;\n  }\n};'
measures 5 A::A 'A::A(int a)\n    : B(a), c_{a}, d_{} {\n  g();\n  h();\n}'
measures 4 f 'template <class T>\nstruct A {};\nextern "C" {\nint f() {\n  g();\n  return 1;\n}\n}'
measures 4 Suite.Name 'TEST(Suite, Name) {\n  g();\n  h();\n}'
measures 4 f 'REGISTER(a, b)\nint f() {\n  g();\n  return 1;\n}'
measures 4 f 'struct tm* f(int a) {\n  g();\n  return 1;\n}'
# Braces in text, comments, numbers, lambdas and the preprocessor end nothing.
measures 9 f 'int f() {\n  g("}{", \0047}\0047, "\\\\"); // }\n  /* }\n  } */ h(1\0047000, R"(}\n}")");\n#define X }\n  [] { return 1; }();\n  if (a) { b(); }\n}'
# Tables are no functions, and what stands in them is none.
expect ok '' 'const Row kRows[] = {\n  {1, f(2)},\n  {2, f(3)},\n  {3, [] { return 1; }},\n};'
expect ok '' 'const Row k = make({\n  1,\n  2,\n  3,\n});\nint f() {\n  return 1;\n}'
expect ok '' 'enum class E {\n  kA,\n  kB,\n  kC,\n};'

expect 'x.cpp: f: 5 lines; it had 4 and may only shrink' 'x.cpp f 4\n' 'int f() {\n  g();\n\n  return 1;\n}'
expect 'x.cpp: f: 4 lines; lower its 5 in list.txt' 'x.cpp f 5\n' 'int f() {\n  g();\n  return 1;\n}'
expect 'x.cpp: f: no longer too long; take it out of list.txt' 'x.cpp f 4\n' 'int f() { return 1; }'
written=$(printf 'int f() {\n\n\n}\n' > x.cpp; : > list.txt; run -v written=1)
[ "$written" = 'x.cpp f 4' ] || { echo "written: $written"; failures=$((failures + 1)); }
exit $((failures != 0))
