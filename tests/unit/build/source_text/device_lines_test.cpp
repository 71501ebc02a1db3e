#include "opkit/build/source_text/device_lines.h"

#include <gtest/gtest.h>

namespace opkit::source_text {
namespace {

// The lines, from 1 on, that are the device's, as "1 2 5".
std::string device(const std::string& text) {
  const auto ranges = device_lines(text);
  std::string lines;
  int count = 1;
  for (const char c : text) count += c == '\n';
  for (int line = 1; line <= count; ++line) {
    if (holds(ranges, line)) lines += (lines.empty() ? "" : " ") + std::to_string(line);
  }
  return lines;
}

TEST(DeviceLines, AreThoseOfMarkedFunctions) {
  EXPECT_EQ(device("__aicore__ inline int f(int a) {\n  if (a) { return 1; }\n  return 0;\n}\n"
                   "int main() {\n  return 0;\n}\n"
                   "extern \"C\" __global__ [aicore] void k() {\n}\n"),
            "1 2 3 4 8 9");
}

TEST(DeviceLines, DeclarationsHaveNone) {
  EXPECT_EQ(device("__aicore__ int f(int a);\nint g() {\n}\n__global__ void k();\n"), "");
}

TEST(DeviceLines, WhatAConstructorInitialisesIsNoBody) {
  EXPECT_EQ(device("struct K {\n  __aicore__ inline K(int n) : a_{n}, b_(n), c_{}\n  {\n    f();\n"
                   "  }\n  int a_, b_, c_;\n};\n"),
            "2 3 4 5");
}

TEST(DeviceLines, AMacroMayStandForTheMark) {
  EXPECT_EQ(device("#define DEVICE __forceinline__ __aicore__\nDEVICE int f() {\n  return 1;\n}\n"
                   "int g() {\n}\n"),
            "2 3 4");
}

TEST(DeviceLines, CommentsAndTextsHoldNoBrackets) {
  EXPECT_EQ(device("__aicore__ void f() {\n  // }\n  g(\"}\");\n}\nvoid h() {\n}\n"), "1 2 3 4");
}

}  // namespace
}  // namespace opkit::source_text
