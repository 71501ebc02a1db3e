// A graph before and after one rewrite, and what is expected of the two. For the tests of this
// folder.
#ifndef OPKIT_TESTS_UNIT_REWRITE_PASSES_REWRITTEN_H_
#define OPKIT_TESTS_UNIT_REWRITE_PASSES_REWRITTEN_H_

#include <gtest/gtest.h>

#include <string>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "proofs.h"
#include "symbolic.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::passes {

using graph::Graph;
using Apply = Result<size_t> (*)(Graph&);

struct Rewritten {
  Graph before, after;
  size_t changes = 0;
  std::string text() const { return to_text(after); }
};

// Applies the rewrite, then removes what it left without readers.
inline Rewritten rewritten(Apply apply, const std::string& text) {
  Rewritten result{parsed(text), parsed(text), 0};
  const auto changes = apply(result.after);
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  if (changes.ok()) result.changes = *changes;
  EXPECT_TRUE(graph::sort_nodes(result.after).ok());
  EXPECT_TRUE(remove_dead_code(result.after).ok());
  const Status inferred = reference::infer(result.after);
  EXPECT_TRUE(inferred.ok()) << inferred.error().to_string() << to_text(result.after);
  EXPECT_TRUE(graph::validate(result.after).ok()) << to_text(result.after);
  EXPECT_EQ(result.before.outputs, result.after.outputs);
  return result;
}

// Both graphs on the same data, to the last bit (-0 equals 0).
inline void expect_same_values(const Rewritten& result, double tolerance = 0) {
  passes::expect_same_values(result.before, result.after, tolerance);
}

inline void expect_proved(const Rewritten& result) {
  EXPECT_GT(result.changes, 0u) << result.text();
  EXPECT_EQ(compared(result.before, result.after), "equal") << result.text();
  expect_same_values(result);
}

inline void expect_unchanged(Apply apply, const std::string& text) {
  Graph graph = parsed(text);
  const std::string before = to_text(graph);
  const auto changes = apply(graph);
  ASSERT_TRUE(changes.ok()) << changes.error().to_string();
  EXPECT_EQ(*changes, 0u) << to_text(graph);
  EXPECT_EQ(to_text(graph), before);
}

inline const std::string kX = "input x: float32[2, 3, 4, 4]\n";
// Powers of two: every step is exact in float32.
inline const std::string kConv =
    "const w: float32[2, 3, 1, 1] = 1, 2, -0.5, 0.25, 4, -1\nconst b: float32[2] = 0.5, -2\n"
    "c = Conv(x, w, b)\n";
inline const std::string kNorm =
    "const s: float32[2] = 2, -1\nconst h: float32[2] = 0.5, 3\nconst m: float32[2] = 1, -4\n"
    "const v: float32[2] = 3.75, 0\ny = BatchNormalization(c, s, h, m, v) {epsilon=0.25}\n";

}  // namespace opkit::passes

#endif  // OPKIT_TESTS_UNIT_REWRITE_PASSES_REWRITTEN_H_
