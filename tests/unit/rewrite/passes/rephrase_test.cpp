// Every rephrasing proved on random data through the interpreter, and nodes that it must leave
// alone.
#include "opkit/rewrite/passes/rephrase.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit_test_paths.h"
#include "proofs.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Names = std::vector<std::string>;

struct Said {
  Graph before, after;
  Rephrased done;

  Names operators() const {
    Names all;
    for (const graph::Node& node : after.nodes) all.push_back(node.op_type);
    return all;
  }
  Names parts() const { return done.parts.count("y") > 0 ? done.parts.at("y") : Names(); }
  std::string text() const { return to_text(after); }
};

// Rephrases the node that computes y in a canonical graph.
Said said(const std::string& text) {
  Graph canonical = parsed(text);
  EXPECT_TRUE(canonicalize(canonical).ok());
  Said said{canonical, canonical, {}};
  auto done = rephrase(said.after, {"y"});
  EXPECT_TRUE(done.ok()) << done.error().to_string();
  if (done.ok()) said.done = std::move(done).value();
  EXPECT_TRUE(graph::validate(said.after).ok()) << said.text();
  EXPECT_EQ(said.before.outputs, said.after.outputs);
  return said;
}

Said proved(const std::string& text, double tolerance = 0) {
  Said result = said(text);
  EXPECT_THAT(result.done.changes, Not(IsEmpty())) << text;
  expect_same_values(parsed(text), result.after, tolerance);
  return result;
}

void expect_left(const std::string& text) {
  const Said result = said(text);
  EXPECT_THAT(result.done.changes, IsEmpty()) << text;
  EXPECT_THAT(result.done.parts, IsEmpty()) << text;
  EXPECT_EQ(to_text(result.before), result.text());
}

const std::string kImage = "input x: float32[2, 3, 5, 4]\n", kEnd = "\noutput y\n";

TEST(RephraseAxes, NamesAll) {
  for (const char* op : {"ReduceSum", "ReduceMax", "ReduceL1"}) {
    const Said all = proved(kImage + "y = " + op + "(x)" + kEnd);
    EXPECT_THAT(all.text(), HasSubstr("axes=[0, 1, 2, 3]"));
    EXPECT_THAT(all.parts(), ElementsAre("y"));
  }
  proved(kImage + "const none: int64[0] =\ny = ReduceSum(x, none)" + kEnd);
  expect_left(kImage + "y = ReduceSum(x) {axes=[1]}" + kEnd);
  expect_left(kImage + "const none: int64[0] =\ny = ReduceSum(x, none) {noop_with_empty_axes=1}" +
              kEnd);
  expect_left("input x: float32[]\ny = ReduceSum(x)" + kEnd);
}

TEST(RephraseDroppedDims, ReshapesInstead) {
  for (const char* axes : {"[1]", "[0, 1]", "[2, 3]", "[0, 1, 2, 3]"}) {
    const Said kept =
        proved(kImage + "y = ReduceMean(x) {axes=" + axes + ", keepdims=0}" + kEnd, 1e-6);
    EXPECT_THAT(kept.operators(), ElementsAre("ReduceMean", "Reshape"));
    EXPECT_THAT(kept.parts(), ElementsAre("y/kept"));
  }
  // To a Reshape, 0 is another number's name.
  expect_left("input x: float32[0, 3]\ny = ReduceSum(x) {axes=[1], keepdims=0}" + kEnd);
}

TEST(RephraseScatteredAxes, BringsThemTogether) {
  for (const char* axes : {"[0, 2]", "[1, 3]", "[0, 2, 3]", "[0, 1, 3]"}) {
    const Said turned = proved(kImage + "y = ReduceSum(x) {axes=" + axes + "}" + kEnd);
    EXPECT_THAT(turned.operators(), ElementsAre("Transpose", "ReduceSum", "Reshape"));
    EXPECT_THAT(turned.parts(), UnorderedElementsAre("y/turned", "y/last"));
  }
  proved(kImage + "y = ReduceMax(x) {axes=[0, 2], keepdims=0}" + kEnd);
  // A dim of 1 is no reason.
  const Said one = proved("input x: float32[1, 3, 5, 4]\ny = ReduceSum(x) {axes=[0, 2, 3]}" + kEnd);
  EXPECT_THAT(one.text(), HasSubstr("axes=[2, 3]"));
  EXPECT_THAT(one.operators(), ElementsAre("ReduceSum"));
  const Said ones = proved("input x: float32[1, 3, 1]\ny = ReduceSum(x) {axes=[0, 2]}" + kEnd);
  EXPECT_THAT(ones.operators(), ElementsAre("Transpose", "ReduceSum", "Reshape"));
}

TEST(RephraseLogSums, TakesLogarithmsOfSums) {
  const std::string positive = kImage + "a = Abs(x)\nconst h: float32[] = 0.5\nb = Add(a, h)\n";
  const Said sum = proved(positive + "y = ReduceLogSum(b) {axes=[1, 2], keepdims=0}" + kEnd, 1e-6);
  EXPECT_THAT(sum.parts(), UnorderedElementsAre("y/sum/kept", "y"));
  for (const char* attributes : {"axes=[3], keepdims=0", "axes=[1, 2]", "axes=[0, 1, 2, 3]"})
    proved(kImage + "y = ReduceLogSumExp(x) {" + attributes + "}" + kEnd, 1e-6);
}

TEST(RephraseLogSums, KeepsInfiniteAndLargeElements) {
  const Said log = said("input x: float32[6, 2]\ny = ReduceLogSumExp(x) {axes=[1]}" + kEnd);
  const double inf = std::numeric_limits<double>::infinity(), big = 3e38;
  const std::vector<double> rows = {-inf, -inf, inf, 1, -inf, 2, big, 3, -big, -big, 80, 80};
  const std::vector<double> wanted = {-inf, inf, 2, big, -big, 80 + std::log(2)};
  const reference::NamedTensors inputs = {{"x", {DType::kFloat32, Shape{6, 2}, rows}}};
  for (const Graph* graph : {&log.before, &log.after}) {
    const auto y = reference::evaluate(*graph, inputs);
    ASSERT_TRUE(y.ok()) << y.error().to_string();
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (std::isinf(wanted[i])) {
        EXPECT_EQ(y->at("y")[static_cast<int64_t>(i)], wanted[i]) << i;
      } else {
        EXPECT_NEAR(y->at("y")[static_cast<int64_t>(i)] / wanted[i], 1, 1e-6) << i;
      }
    }
  }
  // So many terms might not fit into float16, and no sum has to.
  expect_left("input x: float16[4, 2]\ny = ReduceLogSum(x) {axes=[1]}" + kEnd);
  expect_left("input x: float16[100000]\ny = ReduceLogSumExp(x) {axes=[0]}" + kEnd);
}

TEST(RephraseInnerAxis, TransposesThereAndBack) {
  for (const char* op : {"Softmax", "LogSoftmax"}) {
    for (const char* axis : {"0", "1", "2"}) {
      const Said turned = proved(kImage + "y = " + op + "(x) {axis=" + axis + "}" + kEnd, 1e-6);
      EXPECT_THAT(turned.operators(), ElementsAre("Transpose", op, "Transpose"));
    }
    expect_left(kImage + "y = " + op + "(x) {axis=3}" + kEnd);
  }
}

TEST(RephraseLines, MakesImagesOfOneRow) {
  const std::string line = "input x: float32[2, 3, 9]\n";
  for (const std::string window :
       {"strides=[1]", "pads=[2, 1]", "strides=[2]", "dilations=[2], pads=[1, 3]"}) {
    const Said conv = proved(line +
                             "input w: float32[4, 3, 3]\nconst b: float32[4] = 1, 2, 3, 4\n"
                             "y = Conv(x, w, b) {" +
                             window + "}" + kEnd);
    EXPECT_THAT(conv.text(), HasSubstr("kernel_shape=[1, 3]"));
    EXPECT_THAT(conv.parts(), ElementsAre("y/image"));
    proved(line + "input w: float32[3, 2, 3]\ny = ConvTranspose(x, w) {" + window + "}" + kEnd);
    proved(line + "y = MaxPool(x) {kernel_shape=[3], " + window + "}" + kEnd);
  }
  proved(line + "y = AveragePool(x) {kernel_shape=[3], pads=[1, 0], count_include_pad=1}" + kEnd,
         1e-6);
  proved(line +
         "input w: float32[3, 2, 3]\ny = ConvTranspose(x, w) {strides=[3], "
         "output_padding=[2]}" +
         kEnd);
  expect_left(line + "y, i = MaxPool(x) {kernel_shape=[3]}\noutput i" + kEnd);
  expect_left(kImage + "y = MaxPool(x) {kernel_shape=[3, 3]}" + kEnd);
}

TEST(RephraseLines, MakesImagesOfWhatGlobalPoolsSee) {
  for (const char* shape : {"[2, 3, 9]", "[2, 3, 4, 2, 5]"}) {
    for (const char* op : {"GlobalAveragePool", "GlobalMaxPool"})
      proved(std::string("input x: float32") + shape + "\ny = " + op + "(x)" + kEnd, 1e-6);
  }
  expect_left(kImage + "y = GlobalMaxPool(x)" + kEnd);
}

TEST(RephraseCeilings, PadsBehind) {
  for (const std::string window : {"strides=[2, 2]", "strides=[2, 3], pads=[1, 0, 0, 1]",
                                   "strides=[3, 2], dilations=[2, 1]"}) {
    const Said pool =
        proved(kImage + "y = MaxPool(x) {kernel_shape=[2, 3], ceil_mode=1, " + window + "}" + kEnd);
    EXPECT_THAT(pool.text(), HasSubstr("ceil_mode=0"));
  }
  proved(kImage + "y = AveragePool(x) {kernel_shape=[2, 3], ceil_mode=1, strides=[2, 2]}" + kEnd,
         1e-6);
  proved("input x: float32[2, 3, 10]\ny = MaxPool(x) {kernel_shape=[3], ceil_mode=1, strides=[2]}" +
         kEnd);
  // The last window begins behind the input.
  proved(kImage + "y = MaxPool(x) {kernel_shape=[1, 1], ceil_mode=1, strides=[2, 2]}" + kEnd);
  // Pads would be counted.
  expect_left(kImage +
              "y = AveragePool(x) {kernel_shape=[2, 3], ceil_mode=1, strides=[2, 2], "
              "count_include_pad=1}" +
              kEnd);
}

TEST(RephraseBounds, AreMaxAndMin) {
  const std::string bounds = "input l: float32[]\ninput h: float32[]\nconst one: float32[] = 1\n";
  proved(kImage + bounds + "y = Clip(x, one)" + kEnd);
  proved(kImage + bounds + "y = Clip(x, _, one)" + kEnd);
  EXPECT_THAT(proved(kImage + bounds + "y = Clip(x, l)" + kEnd).operators(), ElementsAre("Max"));
  EXPECT_THAT(proved(kImage + bounds + "y = Clip(x, _, h)" + kEnd).operators(), ElementsAre("Min"));
  EXPECT_THAT(proved(kImage + bounds + "y = Clip(x, l, h)" + kEnd).parts(),
              UnorderedElementsAre("y/raised", "y"));
  EXPECT_THAT(proved(kImage + "y = Clip(x)" + kEnd).operators(), ElementsAre("Identity"));
  expect_left(kImage + bounds + "const two: float32[] = 2\ny = Clip(x, one, two)" + kEnd);
}

TEST(RephraseManyOperands, FoldsFromTheLeft) {
  const std::string more = kImage + "input z: float32[5, 1]\ninput w: float32[]\n";
  for (const char* op : {"Max", "Min", "Sum"}) {
    const Said folded = proved(more + "y = " + op + "(x, z, w, z)" + kEnd);
    EXPECT_EQ(folded.after.nodes.size(), 3u);
    EXPECT_EQ(folded.parts().size(), 3u);
  }
  EXPECT_THAT(proved(kImage + "y = Max(x)" + kEnd).parts(), IsEmpty());
  expect_left(more + "y = Max(x, z)" + kEnd);
}

TEST(RephraseSummands, LeaveTheProduct) {
  const std::string product = "input a: float32[3, 4]\ninput b: float32[4, 5]\n";
  for (const char* shape : {"[3, 5]", "[3, 1]", "[1]", "[]", "[1, 1]"}) {
    const std::string c = std::string("input c: float32") + shape + "\n";
    const Said added = proved(product + c + "y = Gemm(a, b, c) {alpha=0.5}" + kEnd);
    EXPECT_THAT(added.operators(), ElementsAre("Gemm", "Add")) << shape;
    proved(product + c + "y = Gemm(a, b, c) {beta=0.25}" + kEnd);
  }
  const Said row = proved(product + "input c: float32[1, 5]\ny = Gemm(a, b, c) {beta=2.0}" + kEnd);
  EXPECT_THAT(row.operators(), ElementsAre("Reshape", "Gemm"));
  expect_left(product + "input c: float32[5]\ny = Gemm(a, b, c) {beta=2.0}" + kEnd);
  expect_left(product + "y = Gemm(a, b)" + kEnd);
}

TEST(RephrasePixelShuffles, AreTransposes) {
  const std::string deep = "input x: float32[2, 18, 3, 4]\n";
  const Said shuffled = proved(deep + "y = DepthToSpace(x) {blocksize=3, mode=\"CRD\"}" + kEnd);
  EXPECT_THAT(shuffled.operators(), ElementsAre("Reshape", "Transpose", "Reshape"));
  expect_left(deep + "y = DepthToSpace(x) {blocksize=3}" + kEnd);
}

TEST(RephrasePowers, CastsWholeExponents) {
  const Said cube = proved(kImage + "const e: int64[] = 3\ny = Pow(x, e)" + kEnd);
  EXPECT_THAT(cube.text(), HasSubstr("\"y/exponent\": float32[] = 3"));
  expect_left(kImage + "const e: int64[] = 257\ny = Pow(x, e)" + kEnd);
  expect_left(kImage + "const e: float32[] = 3\ny = Pow(x, e)" + kEnd);
  expect_left("input x: int32[4]\nconst e: int64[] = 3\ny = Pow(x, e)" + kEnd);
}

// A recurrent layer of 5 steps, batch 2, 3 features, 4 hidden.
struct Layer {
  std::string op = "LSTM", attributes = "hidden_size=4", operands = "", extra = "";
  int gates = 4, directions = 1;
  bool batch_first = false;
  std::string outputs = "y, h";
  std::string wanted = "output y\noutput h\n";

  std::string text() const {
    const auto state = [&](const char* name) {
      return fmt::format("input {}: float32[{}, {}, 4]\n", name, batch_first ? 2 : directions,
                         batch_first ? directions : 2);
    };
    std::string all = batch_first ? "input x: float32[2, 5, 3]\n" : "input x: float32[5, 2, 3]\n";
    all += fmt::format("input w: float32[{0}, {1}, 3]\ninput r: float32[{0}, {1}, 4]\n", directions,
                       gates * 4);
    all += fmt::format("input b: float32[{}, {}]\n", directions, gates * 8);
    all += state("h0") + state("c0") + "const lengths: int32[2] = 5, 5\n" + extra;
    return fmt::format("{}{} = {}(x, w, r{}) {{{}}}\n{}", all, outputs, op, operands, attributes,
                       wanted);
  }
};

TEST(RephraseRecurrences, AreTheirSteps) {
  for (Layer layer :
       {Layer{"RNN", "hidden_size=4", "", "", 1}, Layer{"GRU", "hidden_size=4", "", "", 3},
        Layer{"GRU", "hidden_size=4, linear_before_reset=1", "", "", 3}, Layer{}}) {
    const std::string attributes = layer.attributes;
    for (const char* operands : {"", ", b", ", b, lengths", ", b, _, h0", ", _, lengths, h0"}) {
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (const bool batch_first : {false, true}) {
          layer.operands = operands;
          layer.batch_first = batch_first;
          layer.directions = std::string(direction) == "bidirectional" ? 2 : 1;
          layer.attributes = fmt::format("{}, direction=\"{}\", layout={}", attributes, direction,
                                         batch_first ? 1 : 0);
          const Said steps = proved(layer.text(), 1e-6);
          EXPECT_THAT(steps.operators(), Not(Contains(layer.op)));
        }
      }
    }
  }
}

TEST(RephraseRecurrences, SayAStepAsTheCellsDo) {
  Layer layer{"LSTM", "hidden_size=4", ", b, _, h0, c0"};
  layer.outputs = "y, h, c";
  layer.wanted += "output c\n";
  Said steps = proved(layer.text(), 1e-6);
  EXPECT_THAT(steps.parts(), Contains("y/0/3/x/product"));
  EXPECT_THAT(steps.text(), HasSubstr("\"y/0/3/gates/2\": float32[2, 4]"));
  EXPECT_THAT(steps.text(), HasSubstr("\"y/0/3/cell\": float32[2, 4] = Tanh(\"y/0/3/gates/2\")"));
}

TEST(RephraseRecurrences, KnowTheirActivations) {
  Layer layer;
  layer.attributes += ", activations=[\"Sigmoid\", \"Relu\", \"Tanh\"]";
  EXPECT_THAT(proved(layer.text(), 1e-6).operators(), Contains("Relu"));
  Layer rnn{"RNN", "hidden_size=4, direction=\"bidirectional\", activations=[\"Relu\", \"Tanh\"]",
            "",    "",
            1,     2};
  EXPECT_THAT(proved(rnn.text(), 1e-6).operators(), IsSupersetOf({"Relu", "Tanh"}));
}

TEST(RephraseRecurrences, GiveOnlyWhatIsWanted) {
  Layer last;
  last.outputs = "_, y";
  last.wanted = "output y\n";
  const Said steps = proved(last.text(), 1e-6);
  EXPECT_EQ(steps.text().find("Concat(\"y/0/0/state"), std::string::npos);
}

// The shipped Split and Concat have 32 parts.
TEST(RephraseRecurrences, SplitManyStepsByGroups) {
  const std::string weights = "input w: float32[1, 2, 1]\ninput r: float32[1, 2, 2]\n";
  for (const int steps : {32, 33, 1024}) {
    const Said many = proved(fmt::format("input x: float32[{}, 1, 1]\n", steps) + weights +
                                 "y = RNN(x, w, r) {hidden_size=2}" + kEnd,
                             1e-6);
    for (const graph::Node& node : many.after.nodes) {
      EXPECT_LE(node.inputs.size(), 32u);
      EXPECT_LE(node.outputs.size(), 32u);
    }
  }
  expect_left("input x: float32[1025, 1, 1]\n" + weights + "y = RNN(x, w, r) {hidden_size=2}" +
              kEnd);
}

TEST(RephraseRecurrences, LeavesWhatTheyCannotSay) {
  expect_left(Layer{"LSTM", "hidden_size=4, input_forget=1"}.text());
  expect_left(Layer{"LSTM", "hidden_size=4, clip=3.0"}.text());
  expect_left(
      Layer{"LSTM", "hidden_size=4", ", b, short", "const short: int32[2] = 5, 4\n"}.text());
  expect_left(Layer{"LSTM", "hidden_size=4", ", b, some", "input some: int32[2]\n"}.text());
  expect_left(
      Layer{"LSTM", "hidden_size=4", ", b, _, _, _, p", "input p: float32[1, 12]\n"}.text());
}

TEST(Rephrase, GoesOnWithWhatItHasSaid) {
  const Said mean = proved(kImage + "y = ReduceMean(x) {axes=[0, 2], keepdims=0}" + kEnd, 1e-6);
  EXPECT_EQ(mean.done.changes, (std::map<std::string, size_t>{{"rephrase_dropped_dims", 1},
                                                              {"rephrase_scattered_axes", 1}}));
  EXPECT_THAT(mean.parts(), UnorderedElementsAre("y/kept/turned", "y/kept/last"));
}

TEST(Rephrase, TakesOnlyTheNodesItIsGiven) {
  Graph graph = parsed(kImage +
                       "y = ReduceSum(x) {axes=[1], keepdims=0}\n"
                       "z = ReduceSum(x) {axes=[2], keepdims=0}\noutput z" +
                       kEnd);
  const auto done = rephrase(graph, {"z", "nobody"});
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->parts.size(), 1u);
  EXPECT_THAT(to_text(graph), HasSubstr("y: float32[2, 5, 4] = ReduceSum"));
}

TEST(Rephrase, ThePageListsEveryRephrasingInOrder) {
  const auto page = read_file(OPKIT_SOURCE_DIR "/docs/passes.md");
  ASSERT_TRUE(page.ok());
  std::string rows;
  for (const Rephrasing& one : rephrasings())
    rows += "| `" + std::string(one.name) + "` | " + std::string(one.does) + " |\n";
  EXPECT_THAT(*page, HasSubstr(rows));
}

}  // namespace
}  // namespace opkit::passes
