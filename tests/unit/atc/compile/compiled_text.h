// Models of texts, compiled without any plugin: every node is a unit of its
// own.
#ifndef OPKIT_TESTS_UNIT_ATC_COMPILE_COMPILED_TEXT_H_
#define OPKIT_TESTS_UNIT_ATC_COMPILE_COMPILED_TEXT_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "opkit/atc/compile/compile.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {

inline compile::Compiled compiled(const std::string& text, const std::string& soc = "Ascend910B1") {
  auto graph = graph::parse_text("graph \"m\" opset 17\n" + text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  const auto folder = std::filesystem::path(testing::TempDir()) / "empty_opp";
  std::filesystem::create_directories(folder / "vendors");
  const InstalledOps ops = InstalledOps::open(registry::Registry::open(folder), soc);
  compile::Options options;
  options.candidates.soc = soc;
  auto made = compile::compile(std::move(*graph), ops, options);
  EXPECT_TRUE(made.ok()) << made.error().to_string();
  return std::move(*made);
}

}  // namespace opkit

#endif  // OPKIT_TESTS_UNIT_ATC_COMPILE_COMPILED_TEXT_H_
