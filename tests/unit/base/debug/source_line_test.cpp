#include "opkit/base/debug/source_line.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace opkit::debug {
namespace {

[[gnu::noinline]] const void* here() { return __builtin_return_address(0); }

inline __attribute__((always_inline)) const void* inlined() {
  const void* pc = here();  // the innermost frame of what is inlined
  asm volatile("" : : "r"(pc));
  return pc;
}

TEST(SourceLines, NameTheCall) {
  SourceLines lines;
  const int line = __LINE__ + 1;
  const void* pc = here();
  const auto found = lines.find(pc);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->line, line);
  EXPECT_NE(found->file.find("source_line_test.cpp"), std::string::npos);
  EXPECT_EQ(lines.text(pc), found->file + ":" + std::to_string(line));
}

TEST(SourceLines, InlinedCodeIsNamedByItsOwnFile) {
  SourceLines lines;
  const auto found = lines.find(inlined());
  ASSERT_TRUE(found.has_value());
  EXPECT_NE(found->file.find("source_line_test.cpp"), std::string::npos);
  EXPECT_EQ(found->function, "inlined");
}

// Two libraries of the same size with a function at the same place.
TEST(SourceLines, WhatLaterLiesAtAnAddressIsNamed) {
  SourceLines lines;
  const void* places[2] = {};
  for (int i = 0; i < 2; ++i) {
    void* const library = dlopen(i == 0 ? MARKED_LIBRARY_1 : MARKED_LIBRARY_2, RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    places[i] = static_cast<const char*>(dlsym(library, "marked")) + 1;
    const auto found = lines.find(places[i]);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->line, i == 0 ? 101 : 202);
    dlclose(library);
  }
  if (places[0] != places[1]) GTEST_SKIP() << "the loader took another address";
}

TEST(SourceLines, NothingIsKnownOfNonsense) {
  SourceLines lines;
  EXPECT_FALSE(lines.find(nullptr).has_value());
  EXPECT_FALSE(lines.find(reinterpret_cast<const void*>(0x10)).has_value());
  EXPECT_EQ(lines.text(nullptr), "");
}

}  // namespace
}  // namespace opkit::debug
