#!/bin/sh
# precompiled_test.sh CMAKE_FOLDER COMPILER PROCESSOR: the precompiled headers of a small SDK are taken by sources that
# fit, read anew by others, left out once a header has changed, and made again then.
set -eu
scripts=$1
compiler=$2
processor=$3
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
sdk=$tree/sdk/opkit/include
folder=$tree/precompiled
mkdir -p "$sdk/opkit_kernel" "$sdk/register"
printf '#ifndef P_H\n#define P_H\nconst int kPass = OPKIT_CORE_PASS;\n#endif\n' > "$sdk/opkit_kernel/prelude.h"
printf '#ifndef I_H\n#define I_H\nconst int kRegistry = 1;\n#endif\n' > "$sdk/register/op_impl_registry.h"
printf '#ifndef D_H\n#define D_H\n#include "register/op_impl_registry.h"\n#endif\n' > "$sdk/register/op_def_registry.h"
failures=0
fail() { echo "$1"; failures=$((failures + 1)); }

make_folder() {
  cmake -DCOMPILER="$compiler" -DINCLUDE="${1:-$tree/sdk}" -DFOLDER="$folder" -DCMAKE_SYSTEM_PROCESSOR="$processor" \
    -P "$scripts/OpkitPrecompile.cmake"
}
# What opkit_add_op takes: the folder, or nothing.
cat > found.cmake <<'CMAKE'
set(CMAKE_CXX_COMPILER_ID GNU)
include(${SCRIPTS}/OpkitOp.cmake)
file(WRITE found.txt "${OPKIT_PRECOMPILED_HERE}")
file(WRITE options.txt "-O3;-DNDEBUG;-fPIC;${OPKIT_OP_COMPILE_OPTIONS}")
CMAKE
found() {
  cmake -DSCRIPTS="$scripts" -DOPKIT_PRECOMPILED="$folder" -DCMAKE_SYSTEM_PROCESSOR="$processor" -P found.cmake
  cat found.txt
}

# compile LINES: "precompiled" or "read", and whether the object is right.
compile() {
  printf "$1" > unit.cpp
  tr ';' '\n' < options.txt > words.txt
  xargs "$compiler" -H -I"$folder" -isystem "$tree/sdk" -isystem "$sdk" -c unit.cpp -o unit.o < words.txt 2> included.txt ||
    { cat included.txt; fail "does not compile: $1"; }
  if grep -q '^!' included.txt; then echo precompiled; else echo read; fi
}
expect() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

make_folder
expect 'a fresh folder' "$folder" "$(found)"

aiv='#define OPKIT_CORE_PASS 1\n#define __DAV_C220_VEC__ 1\n#define OPKIT_DTYPE_MACROS 1\n#define OPKIT_DEVICE_SCALARS 1\n'
aic='#define OPKIT_CORE_PASS 0\n#define __DAV_C220_CUBE__ 1\n#define OPKIT_DTYPE_MACROS 1\n#define OPKIT_DEVICE_SCALARS 1\n'
mix='#define OPKIT_CORE_PASS 2\n#define OPKIT_DTYPE_MACROS 1\n#define OPKIT_DEVICE_SCALARS 1\n'
kernel='#include "opkit_kernel/prelude.h"\n'
expect 'a vector unit' precompiled "$(compile "$aiv#define DTYPE_X half\n${kernel}static_assert(kPass == 1);")"
expect 'a cube unit' precompiled "$(compile "$aic${kernel}static_assert(kPass == 0);")"
expect 'a unit of both' read "$(compile "$mix${kernel}static_assert(kPass == 2);")"
expect 'another registry first' read "$(compile '#include <cstdint>\n#include "register/op_impl_registry.h"\nstatic_assert(kRegistry == 1);')"
host='#include "register/op_def_registry.h"\n#include "register/op_impl_registry.h"\nstatic_assert(kRegistry == 1);'
expect 'a host source' precompiled "$(compile "$host")"

made=$(stat -c %Y.%i "$folder/register/op_def_registry.h.gch/host")
make_folder
expect 'nothing has changed' "$made" "$(stat -c %Y.%i "$folder/register/op_def_registry.h.gch/host")"

# The time of a file does not count, what it holds does.
touch -r "$sdk/register/op_impl_registry.h" then
printf '#ifndef I_H\n#define I_H\nconst int kRegistry = 2;\n#endif\n' > "$sdk/register/op_impl_registry.h"
touch -r then "$sdk/register/op_impl_registry.h"
expect 'a changed header' '' "$(found)"
make_folder
expect 'made again' "$folder" "$(found)"
expect 'the new header' precompiled "$(compile '#include "register/op_impl_registry.h"\nstatic_assert(kRegistry == 2);')"

rm -r "$folder"
make_folder sdk
expect 'a relative path' "$folder" "$(found)"
printf '#ifndef I_H\n#define I_H\nconst int kRegistry = 1;\n#endif\n' > "$sdk/register/op_impl_registry.h"
expect 'a changed header below a relative path' '' "$(found)"
printf '#ifndef I_H\n#define I_H\nconst int kRegistry = 2;\n#endif\n' > "$sdk/register/op_impl_registry.h"

# A built project is built again when a header has changed, with the folder made again or not.
cat > CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES CXX)
add_library(opkit::sdk INTERFACE IMPORTED)
set_target_properties(opkit::sdk PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$tree/sdk;$sdk")
set(OPKIT_PRECOMPILED $folder)
include($scripts/OpkitOp.cmake)
add_library(parts OBJECT user.cpp)
_opkit_compile_as_authors(parts "")
add_executable(user \$<TARGET_OBJECTS:parts>)
set_target_properties(user PROPERTIES LINKER_LANGUAGE CXX)
CMAKE
printf '#include "register/op_impl_registry.h"\nint main() { return kRegistry; }\n' > user.cpp
built() {
  cmake --build build > build.txt 2>&1 || { cat build.txt; fail 'the project does not build'; }
  build/user || echo $?
}
cmake -G Ninja -S . -B build -DCMAKE_CXX_COMPILER="$compiler" > build.txt
expect 'a first build' 2 "$(built)"
sleep 1
sed -i 's/= 2/= 3/' "$sdk/register/op_impl_registry.h"
make_folder
expect 'a new SDK' 3 "$(built)"
sleep 1
sed -i 's/= 3/= 4/' "$sdk/register/op_impl_registry.h"
expect 'a changed header' 4 "$(built)"

rm "$sdk/register/op_impl_registry.h"
expect 'a header that is gone' '' "$(found)"
exit $((failures != 0))
