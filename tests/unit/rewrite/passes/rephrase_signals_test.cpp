// Scatters and Fourier transforms in other words, proved on random data through the interpreter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/rephrase.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "proofs.h"

namespace opkit::passes {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The canonical graph with the node that computes y in other words; the same values.
std::string otherwise(const std::string& text, double tolerance = 0) {
  graph::Graph graph = parsed(text);
  EXPECT_TRUE(canonicalize(graph).ok()) << text;
  const auto done = rephrase(graph, {"y"});
  EXPECT_TRUE(done.ok()) << text << done.error().to_string();
  EXPECT_TRUE(graph::validate(graph).ok()) << to_text(graph);
  expect_same_values(parsed(text), graph, tolerance);
  return to_text(graph);
}

std::vector<double> values_of_y(const std::string& text, const reference::NamedTensors& inputs) {
  const auto got = reference::evaluate(parsed(text), inputs);
  EXPECT_TRUE(got.ok()) << got.error().to_string();
  return got.ok() ? got->at("y").values : std::vector<double>();
}

TEST(RephraseScatters, NumbersPlacesOneBehindTheOther) {
  const std::string end = "y = ScatterND(x, i, u)\noutput y\n";
  const std::string tuples = otherwise(
      "input x: float32[3, 4, 2]\ninput u: float32[3, 2]\n"
      "const i: int64[3, 2] = 2, 1, 0, -1, -3, 0\n" +
      end);
  EXPECT_THAT(tuples, HasSubstr("const \"y/places\": int64[3, 1] = 9, 3, 0"));
  EXPECT_THAT(otherwise("input x: float32[4, 2]\ninput u: float32[3, 1, 2]\n"
                        "const i: int64[3, 1, 1] = 2, 0, 3\n" +
                        end),
              HasSubstr("\"y/updates\": float32[3, 2] = Reshape(u"));
  otherwise(
      "input x: float32[3, 4]\ninput u: float32[4]\nconst i: int64[4, 2] = 2, 1, 0, 0, 2, 1, 2, 1\n"
      "y = ScatterND(x, i, u) {reduction=\"add\"}\noutput y\n");
  const std::string left = "input x: float32[3, 4]\ninput u: float32[2]\ninput i: int64[2, 2]\n";
  graph::Graph graph = parsed(left + end);
  const std::string before = to_text(graph);
  ASSERT_TRUE(rephrase(graph, {"y"}).ok());
  EXPECT_EQ(to_text(graph), before);
}

TEST(RephraseMarks, SmallNumbersNeedNoWords) {
  const std::string begin = "input i: int64[2, 3]\nconst d: int64[] = 5\n";
  const std::string end = "y = OneHot(i, d, v) {axis=1}\noutput y\n";
  EXPECT_THAT(otherwise(begin + "const v: int64[2] = -1, 7\n" + end),
              HasSubstr("\"y/words\": int32[2, 5, 3] = OneHot(i, d, \"y/marks\")"));
  EXPECT_THAT(otherwise(begin + "const v: int64[2] = 0, 2147483648\n" + end),
              Not(HasSubstr("words")));
  EXPECT_THAT(otherwise(begin + "const v: float32[2] = 0, 1\n" + end), Not(HasSubstr("words")));
}

TEST(RephraseManyParts, AreGroupsOfParts) {
  std::string inputs, names, parts, sizes, outputs;
  for (int i = 0; i < 70; ++i) {
    const std::string comma = i == 0 ? "" : ", ", number = std::to_string(i);
    inputs += "input x" + number + ": float32[2, " + std::to_string(i % 3 + 1) + "]\n";
    names += comma + "x" + number;
    parts += comma + (i == 0 ? "y" : "p" + number);
    sizes += comma + std::to_string(i % 3 + 1);
    outputs += "output " + std::string(i == 0 ? "y" : "p" + number) + "\n";
  }
  EXPECT_THAT(otherwise(inputs + "y = Concat(" + names + ") {axis=1}\noutput y\n"),
              HasSubstr("y: float32[2, 139] = Concat(\"y/group\", \"y/group#1\", \"y/group#2\")"));
  const std::string split = otherwise("input x: float32[2, 139]\nconst s: int64[70] = " + sizes +
                                      "\n" + parts + " = Split(x, s) {axis=1}\n" + outputs);
  EXPECT_THAT(split, HasSubstr("\"y/group#2\": float32[2, 12] = Split(x"));
}

// Results of both, y within one step: a step of floats may turn a half.
void expect_near_steps(const std::string& x, const std::vector<double>& numbers) {
  const std::string text = x +
                           "y, scale, zero = DynamicQuantizeLinear(x)\noutput y\n"
                           "output scale\noutput zero\n";
  graph::Graph before = parsed(text), after = parsed(text);
  ASSERT_TRUE(canonicalize(after).ok());
  ASSERT_TRUE(rephrase(after, {"y"}).ok());
  EXPECT_THAT(to_text(after), Not(HasSubstr("Dynamic")));
  const reference::NamedTensors inputs = {{"k", {DType::kFloat32, Shape{5}, numbers}}};
  const auto expected = reference::evaluate(before, inputs),
             got = reference::evaluate(after, inputs);
  ASSERT_TRUE(expected.ok() && got.ok()) << to_text(after);
  EXPECT_NEAR(expected->at("scale")[0], got->at("scale")[0], 1e-7);
  EXPECT_EQ(expected->at("zero")[0], got->at("zero")[0]);
  for (int64_t i = 0; i < 5; ++i)
    EXPECT_NEAR(expected->at("y")[i], got->at("y")[i], 1) << numbers[static_cast<size_t>(i)];
}

TEST(RephraseDynamicSteps, BoundsDecideTheSteps) {
  const std::string plain = "input k: float32[5]\nx = Identity(k)\n";
  expect_near_steps(plain, {-1, 0.3, 2, 0, 1.7});
  expect_near_steps(plain, {1, 3, 2, 5, 4});
  expect_near_steps(plain, {-1, -3, -2, -5, -4});
  expect_near_steps(plain, {0, 0, 0, 0, 0});
  graph::Graph left = parsed("input x: float32[]\ny, s, z = DynamicQuantizeLinear(x)\noutput y\n");
  const std::string before = to_text(left);
  ASSERT_TRUE(rephrase(left, {"y"}).ok());
  EXPECT_EQ(to_text(left), before);
}

TEST(RephraseLongLines, WideStepsAreChannels) {
  const std::string begin =
      "input x: float32[1, 2, 1000]\ninput b: float32[3]\nconst w: float32[3, 2, 100] = ";
  std::string numbers;
  for (int i = 0; i < 600; ++i) numbers += (i == 0 ? "" : ", ") + std::to_string(i % 7 - 3);
  for (const std::string window :
       {"{strides=[64], pads=[0, 0]}", "{strides=[80], pads=[30, 70]}", "{strides=[256]}"}) {
    const std::string after =
        otherwise(begin + numbers + "\ny = Conv(x, w, b) " + window + "\noutput y\n", 1e-6);
    EXPECT_THAT(after, HasSubstr("strides=[1, 1]")) << window;
    EXPECT_THAT(after, HasSubstr("= Transpose(")) << window;
  }
  const std::string narrow =
      otherwise(begin + numbers + "\ny = Conv(x, w, b) {strides=[63]}\noutput y\n", 1e-6);
  EXPECT_THAT(narrow, HasSubstr("strides=[1, 63]"));
}

TEST(RephraseLongLines, ColumnsAreRows) {
  std::string numbers = "1";
  for (int i = 1; i < 300; ++i) numbers += ", " + std::to_string(i % 5 - 2);
  const std::string after =
      otherwise("input x: float32[1, 1, 400, 1]\nconst w: float32[1, 1, 300, 1] = " + numbers +
                    "\ny = Conv(x, w) {strides=[4, 1], pads=[30, 0, 7, 0]}\noutput y\n",
                1e-6);
  EXPECT_THAT(after, HasSubstr("\"y/row\": float32[1, 1, 1, 35] = Conv("));
  EXPECT_THAT(after, HasSubstr("strides=[1, 1]"));
}

TEST(RephraseLongLines, LongRowsArePartsOfThem) {
  const std::string x =
      "input x: float32[1, 2, 20000]\nconst w: float32[2, 1, 3] = 1, 2, 3, -1, 0, 2\n";
  const std::string after =
      otherwise(x + "y = Conv(x, w) {group=2, dilations=[5], pads=[4, 6]}\noutput y\n", 1e-6);
  EXPECT_THAT(after, HasSubstr("\"y/image/part\""));
  EXPECT_THAT(after, HasSubstr("\"y/image/part#1\""));
  EXPECT_THAT(after, Not(HasSubstr("part#2")));
  EXPECT_THAT(otherwise("input x: float32[1, 1, 20001]\nconst w: float32[1, 1, 2] = 1, 2\n"
                        "y = Conv(x, w) {strides=[2]}\noutput y\n",
                        1e-6),
              HasSubstr("[1, 2, 1, 10000]"));
}

TEST(RephraseFourier, FramesAreAConvolution) {
  const std::string x =
      "input x: float32[2, 20, 1]\nconst step: int64[] = 3\n"
      "const n: int64[] = 8\nconst w: float32[8] = 1, 2, 3, 4, 4, 3, 2, 1\n";
  for (const std::string call : {"STFT(x, step, w, n)", "STFT(x, step, w)", "STFT(x, step, _, n)",
                                 "STFT(x, step, w, n) {onesided=0}"}) {
    const std::string after = otherwise(x + "y = " + call + "\noutput y\n", 1e-6);
    EXPECT_THAT(after, HasSubstr("\"y/sums/image\"")) << call << ": as an image of one row";
    EXPECT_THAT(after, HasSubstr("= Conv(")) << call;
    EXPECT_THAT(after, Not(HasSubstr("STFT"))) << call;
  }
  otherwise(
      "input x: float32[2, 9]\nconst s: int64[] = 2\nconst n: int64[] = 5\n"
      "y = STFT(x, s, _, n)\noutput y\n",
      1e-6);
}

TEST(RephraseFourier, ATransformIsAProduct) {
  const std::string constants =
      "const n: int64[] = 5\nconst a: int64[] = 1\nconst b: int64[] = -3\n";
  for (const std::string x : {"input x: float32[2, 6, 3, 1]\n", "input x: float32[2, 6, 3, 2]\n"}) {
    for (const std::string call :
         {"DFT(x)", "DFT(x, _, a)", "DFT(x, n, b)", "DFT(x, n, a) {inverse=1}",
          "DFT(x) {onesided=1}", "DFT(x, n, a) {onesided=1}"}) {
      const std::string after = otherwise(x + constants + "y = " + call + "\noutput y\n", 1e-6);
      EXPECT_THAT(after, HasSubstr("= MatMul(")) << call;
    }
  }
  // Longer than what there is, and the axis as version 17 says it.
  otherwise("input x: float32[2, 3, 2]\nconst n: int64[] = 8\ny = DFT(x, n)\noutput y\n", 1e-6);
  const std::string old = "graph \"g\" opset 17\ninput x: float32[2, 6, 3, 1]\n";
  EXPECT_THAT(otherwise(old + "y = DFT(x)\noutput y\n", 1e-6), HasSubstr("float32[2, 6, 3, 2]"));
  otherwise(old + "y = DFT(x) {axis=2, onesided=1}\noutput y\n", 1e-6);
}

TEST(RephraseFourier, ValuesByHand) {
  const graph::RefTensor x{DType::kFloat32, Shape{1, 4, 1}, {1, 2, 3, 4}};
  const std::vector<double> whole =
      values_of_y("input x: float32[1, 4, 1]\ny = DFT(x)\noutput y\n", {{"x", x}});
  const std::vector<double> expected = {10, 0, -2, 2, -2, 0, -2, -2};
  ASSERT_EQ(whole.size(), expected.size());
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], expected[i], 1e-12) << i;
  const std::vector<double> frames = values_of_y(
      "input x: float32[1, 4, 1]\nconst s: int64[] = 2\nconst n: int64[] = 2\n"
      "y = STFT(x, s, _, n)\noutput y\n",
      {{"x", x}});
  const std::vector<double> pairs = {3, 0, -1, 0, 7, 0, -1, 0};
  ASSERT_EQ(frames.size(), pairs.size());
  for (size_t i = 0; i < frames.size(); ++i) EXPECT_NEAR(frames[i], pairs[i], 1e-12) << i;
}

}  // namespace
}  // namespace opkit::passes
