#include "opkit/build/project/object_symbols.h"

#include <gmock/gmock.h>

namespace opkit::project {
namespace {

// Weak functions and constants; not what is undefined, strong, or a variable.
TEST(OwnDefinitions, AreFunctionsAndConstants) {
  const std::string listing =
      "\n/tmp/a.o:     file format elf64-x86-64\n\nSYMBOL TABLE:\n"
      "0000000000000000 l    df *ABS*\t0000000000000000 a.cpp\n"
      "0000000000000000  w    F .text._Z5valueIfET_v\t000000000000000b .hidden _Z5valueIfET_v\n"
      "0000000000000010  w    O .rodata._ZN1S1kE\t0000000000000008 _ZN1S1kE\n"
      "0000000000000010  w    O .data.rel.ro._ZTV1S\t0000000000000008 _ZTV1S\n"
      "0000000000000000  w    O .bss.seen\t0000000000000004 .hidden seen\n"
      "0000000000000000  w    O .data.x\t0000000000000004 x\n"
      "0000000000000000  w    O .tbss.current\t0000000000000008 current\n"
      "0000000000000000  w      *UND*\t0000000000000000 __gmon_start__\n"
      "0000000000000000 g     F .text\t000000000000000b main\n";
  EXPECT_THAT(own_definitions(listing),
              testing::ElementsAre("_Z5valueIfET_v", "_ZN1S1kE", "_ZTV1S"));
}

}  // namespace
}  // namespace opkit::project
