// Graphs that look like an op and must not match it, each with the guard that says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contracts.h"
#include "opkit/rewrite/match/match.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::match {
namespace {

struct Case {
  const char* name;
  const OpContract& (*op)();
  Guard guard;
  const char* reason;  // a part of the recorded reason
  std::string graph;
};

const std::string kTwo = "input a: float32[2, 4]\ninput b: float32[2, 4]\n";
const std::string kProduct = "input x: float32[3, 8]\ninput w: float32[8, 5]\nm = MatMul(x, w)\n";
const std::string kBias = "input b: float32[5]\n";
const std::string kImage = "input x: float32[1, 3, 8, 8]\ninput w: float32[4, 3, 3, 3]\n";
const std::string kVector = "input x: float32[6]\n";
const std::string kParts = "input a: float32[2, 3]\ninput b: float32[2, 1]\n";

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      // Another operator, or none, at a place of the reference.
      {"SubInPlaceOfAdd", add_relu, Guard::kOperator,
       "nothing stands behind 't', the op goes on with Relu",
       kTwo + "s = Sub(a, b)\nz = Relu(s)\nt = Add(z, a)\noutput t\n"},
      {"TanhBehindAdd", add_relu, Guard::kOperator, "Tanh stands",
       kTwo + "s = Add(a, b)\nt = Tanh(s)\nz = Relu(a)\noutput t\noutput z\n"},
      {"NothingBehindAdd", add_relu, Guard::kOperator, "nothing stands behind 's'",
       kTwo + "s = Add(a, b)\nz = Relu(a)\noutput s\noutput z\n"},
      {"ReluOfAConstantResult", add_relu, Guard::kOperator, "nothing stands behind 's'",
       kTwo + "n = Neg(a)\nz = Relu(n)\ns = Add(z, b)\noutput s\n"},
      {"ReluOfAnInput", add_relu, Guard::kOperator, "nothing stands behind 's'",
       kTwo + "z = Relu(a)\ns = Add(z, b)\noutput s\n"},
      {"ReluBeforeAdd", add_relu, Guard::kOperator, "nothing stands behind 's'",
       kTwo + "r = Relu(b)\ns = Add(a, r)\noutput s\n"},
      {"PReluInPlaceOfLeakyRelu", linear, Guard::kOperator, "stands",
       kProduct + "s = PRelu(m, m)\nl = LeakyRelu(x)\noutput s\noutput l\n"},
      {"GemmInPlaceOfMatMul", linear, Guard::kOperator,
       "nothing stands behind 'm', the op goes on with LeakyRelu",
       kProduct + kBias + "g = Gemm(x, w, b)\ny = LeakyRelu(g)\noutput y\noutput m\n"},
      {"SigmoidInPlaceOfTanh", diamond, Guard::kOperator, "stands",
       kVector + "s = Sigmoid(x)\nu = Exp(x)\ny = Mul(s, u)\nt = Tanh(y)\noutput y\noutput t\n"},
      {"GatesOfTwoValues", diamond, Guard::kOperator,
       "Sigmoid stands behind 'x', the op goes on with Tanh",
       kVector + "input v: float32[6]\ns = Sigmoid(x)\nt = Tanh(v)\ny = Mul(s, t)\noutput y\n"},
      {"GatesAdded", diamond, Guard::kOperator, "Add stands",
       kVector + "s = Sigmoid(x)\nt = Tanh(x)\ny = Add(s, t)\nz = Mul(y, x)\noutput z\n"},
      {"ConcatWithoutRelu", concat, Guard::kOperator, "Neg stands",
       kParts + "j = Concat(a, b) {axis=1}\ny = Neg(j)\nz = Relu(a)\noutput y\noutput z\n"},
      {"ConvOfAveragePool", conv, Guard::kOperator, "AveragePool stands",
       kImage +
           "c = Conv(x, w)\np = AveragePool(c) {kernel_shape=[2, 2]}\ny = Relu(p)\noutput y\n"},
      // Operands that are missing or too many.
      {"ConvWithTwoWeights", pool, Guard::kOperands, "is read, the op has none",
       "input x: float32[1, 2, 4, 4]\ny, i = MaxPool(x) {kernel_shape=[2, 2]}\noutput y\noutput "
       "i\n"},
      {"GatherOfColumnsOfAReshape", sized, Guard::kMeaning,
       "the graph has Gather {axis=1}, the op Gather {axis=0}",
       "input x: float32[4, 3]\nconst r: int64[2] = 6, 2\ny = Reshape(x, r)\n"
       "const i: int64[1] = 1\nz = Gather(y, i) {axis=1}\noutput z\n"},
      // Constants.
      {"GeluWithTwo", gelu, Guard::kConstant, "[2], the op has [1]",
       kVector + "const c: float32[] = 2\nconst h: float32[] = 0.5\nq = Mul(x, x)\nt = Tanh(q)\n"
                 "o = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GeluNearlyOne", gelu, Guard::kConstant, "the op has [1]",
       kVector + "const c: float32[] = 1.0000001\nconst h: float32[] = 0.5\nq = Mul(x, x)\n"
                 "t = Tanh(q)\no = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GeluOfAnInput", gelu, Guard::kConstant, "is no constant",
       kVector + "input c: float32[1]\nconst h: float32[] = 0.5\nq = Mul(x, x)\nt = Tanh(q)\n"
                 "o = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GeluOfAVector", gelu, Guard::kConstant, "the op has [1]",
       kVector + "const c: float32[6] = all 1\nconst h: float32[] = 0.5\nq = Mul(x, x)\n"
                 "t = Tanh(q)\no = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GeluScaledByAVector", gelu, Guard::kConstant, "is no float",
       kVector + "const c: float32[] = 1\nconst h: float32[6] = 1, 2, 3, 4, 5, 6\nq = Mul(x, x)\n"
                 "t = Tanh(q)\no = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GeluScaledByAnInput", gelu, Guard::kConstant, "is no constant",
       kVector + "const c: float32[] = 1\ninput h: float32[]\nq = Mul(x, x)\nt = Tanh(q)\n"
                 "o = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GatherOfComputedRows", sized, Guard::kConstant, "input rows must be a constant",
       "input x: float32[4, 3]\ninput r: int64[2]\ny = Gather(x, r)\noutput y\n"},
      // Attributes.
      {"SlopeOutOfRange", linear, Guard::kAttribute, "slope",
       kProduct + "y = LeakyRelu(m) {alpha=1.5}\noutput y\n"},
      {"NegativeSlope", linear, Guard::kAttribute, "slope",
       kProduct + "y = LeakyRelu(m) {alpha=-0.1}\noutput y\n"},
      {"StrideTooLong", conv, Guard::kAttribute, "strides",
       kImage + "c = Conv(x, w) {strides=[5, 5]}\ny = Relu(c)\noutput y\n"},
      {"PadsTooWide", conv, Guard::kAttribute, "pads",
       kImage + "c = Conv(x, w) {pads=[4, 4, 4, 4]}\ny = Relu(c)\noutput y\n"},
      {"DilationTooWide", conv, Guard::kAttribute, "dilations",
       "input x: float32[1, 3, 16, 16]\ninput w: float32[4, 3, 3, 3]\n"
       "c = Conv(x, w) {dilations=[5, 5]}\ny = Relu(c)\noutput y\n"},
      {"GroupedConv", conv, Guard::kAttribute, "group of Conv is 3, the op has 1",
       "input x: float32[1, 3, 8, 8]\ninput w: float32[6, 1, 3, 3]\nc = Conv(x, w) {group=3}\n"
       "y = Relu(c)\noutput y\n"},
      {"CeilPool", pool, Guard::kAttribute, "ceil_mode of MaxPool is 1, the op has 0",
       "input x: float32[1, 2, 5, 5]\n"
       "y = MaxPool(x) {kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1}\noutput y\n"},
      {"ColumnMajorPool", pool, Guard::kAttribute, "storage_order",
       "input x: float32[1, 2, 5, 5]\n"
       "y = MaxPool(x) {kernel_shape=[2, 2], storage_order=1}\noutput y\n"},
      {"LargePool", pool, Guard::kAttribute, "kernel",
       "input x: float32[1, 2, 16, 16]\ny = MaxPool(x) {kernel_shape=[9, 9]}\noutput y\n"},
      {"PoolOfOneDim", pool, Guard::kAttribute, "kernel",
       "input x: float32[1, 2, 16]\ny = MaxPool(x) {kernel_shape=[3]}\noutput y\n"},
      // One input that would be two values.
      {"SquareOfTwo", gelu, Guard::kSameValue, "x would be",
       kVector +
           "input v: float32[6]\nconst c: float32[] = 1\nconst h: float32[] = 0.5\n"
           "q = Mul(x, v)\nt = Tanh(q)\no = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\n"},
      {"GeluTimesAnother", gelu, Guard::kSameValue, "x would be",
       kVector +
           "input v: float32[6]\nconst c: float32[] = 1\nconst h: float32[] = 0.5\n"
           "q = Mul(x, x)\nt = Tanh(q)\no = Add(t, c)\np = Mul(o, v)\ny = Mul(p, h)\noutput y\n"},
      {"BroadcastRow", add_relu, Guard::kShape, "S of y",
       "input a: float32[2, 4]\ninput b: float32[4]\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      // Values that others need.
      {"SumReadTwice", add_relu, Guard::kSingleUse, "'s' is also read by Tanh",
       kTwo + "s = Add(a, b)\nz = Relu(s)\nt = Tanh(s)\noutput z\noutput t\n"},
      {"SumIsAnOutput", add_relu, Guard::kSingleUse, "'s' is an output of the model",
       kTwo + "s = Add(a, b)\nz = Relu(s)\noutput z\noutput s\n"},
      {"ProductReadTwice", linear, Guard::kSingleUse, "'m' is also read by Exp",
       kProduct + "y = LeakyRelu(m)\ne = Exp(m)\noutput y\noutput e\n"},
      {"SumOfLinearRead", linear, Guard::kSingleUse, "'s' is also read by Neg",
       kProduct + kBias + "s = Add(m, b)\ny = LeakyRelu(s)\nn = Neg(s)\noutput y\noutput n\n"},
      {"ConvIsAnOutput", conv, Guard::kSingleUse, "'c' is an output of the model",
       kImage + "c = Conv(x, w)\ny = Relu(c)\noutput y\noutput c\n"},
      {"GateReadOutside", diamond, Guard::kSingleUse, "'s' is also read by Neg",
       kVector + "s = Sigmoid(x)\nt = Tanh(x)\ny = Mul(s, t)\nn = Neg(s)\noutput y\noutput n\n"},
      {"TanhOfGeluRead", gelu, Guard::kSingleUse, "'t' is also read by Neg",
       kVector + "const c: float32[] = 1\nconst h: float32[] = 0.5\nq = Mul(x, x)\nt = Tanh(q)\n"
                 "n = Neg(t)\no = Add(t, c)\np = Mul(o, x)\ny = Mul(p, h)\noutput y\noutput n\n"},
      {"ConcatRead", concat, Guard::kSingleUse, "'j' is also read by Neg",
       kParts + "j = Concat(a, b) {axis=1}\ny = Relu(j)\nn = Neg(j)\noutput y\noutput n\n"},
      // A node outside, on the way from the op to the op.
      {"ResidualBetween", residual, Guard::kBetween, "Exp reads a result of the op",
       kVector + "t = Tanh(x)\ne = Exp(t)\ny = Add(t, e)\noutput y\n"},
      {"TwoBetween", residual, Guard::kBetween, "reads a result of the op",
       kVector + "t = Tanh(x)\ne = Exp(t)\nf = Neg(e)\ny = Add(t, f)\noutput y\n"},
      // Element types.
      {"IntegersAdded", add_relu, Guard::kDType, "x is int32, y is int32",
       "input a: int32[2, 4]\ninput b: int32[2, 4]\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      {"DoublesAdded", add_relu, Guard::kDType, "float64",
       "input a: float64[2, 4]\ninput b: float64[2, 4]\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      {"BrainFloats", linear, Guard::kDType, "bfloat16",
       "input x: bfloat16[3, 8]\ninput w: bfloat16[8, 5]\nm = MatMul(x, w)\ny = "
       "LeakyRelu(m)\noutput y\n"},
      {"HalfImages", conv, Guard::kDType, "float16",
       "input x: float16[1, 3, 8, 8]\ninput w: float16[4, 3, 3, 3]\nc = Conv(x, w)\ny = Relu(c)\n"
       "output y\n"},
      {"NarrowRows", sized, Guard::kDType, "rows is int32",
       "input x: float32[4, 3]\nconst r: int32[2] = 1, 0\ny = Gather(x, r)\noutput y\n"},
      {"BytePool", pool, Guard::kDType, "uint8",
       "input x: uint8[1, 2, 5, 5]\ny = MaxPool(x) {kernel_shape=[2, 2]}\noutput y\n"},
      // Dims.
      {"BroadcastSum", add_relu, Guard::kShape, "S of y",
       "input a: float32[2, 4]\ninput b: float32[1, 4]\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      {"ScalarSum", add_relu, Guard::kShape, "S of y",
       "input a: float32[2, 4]\nconst b: float32[] = 3\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      {"BatchedProduct", linear, Guard::kShape, "needs rank 2",
       "input x: float32[2, 3, 8]\ninput w: float32[8, 5]\nm = MatMul(x, w)\ny = "
       "LeakyRelu(m)\noutput y\n"},
      {"BiasOfTwoDims", linear, Guard::kShape, "needs rank 1",
       kProduct + "input b: float32[3, 5]\ns = Add(m, b)\ny = LeakyRelu(s)\noutput y\n"},
      {"BiasOfOne", linear, Guard::kShape, "expected N = 5",
       kProduct + "input b: float32[1]\ns = Add(m, b)\ny = LeakyRelu(s)\noutput y\n"},
      {"LineConv", conv, Guard::kAttribute, "has 1 elements, not 2",
       "input x: float32[1, 3, 8]\ninput w: float32[4, 3, 3]\nc = Conv(x, w)\ny = Relu(c)\noutput "
       "y\n"},
      {"ConcatOfOneDim", concat, Guard::kShape, "needs rank 2",
       "input a: float32[2]\ninput b: float32[3]\nj = Concat(a, b) {axis=0}\ny = Relu(j)\noutput "
       "y\n"},
      {"OpenBatch", add_relu, Guard::kShape, "the shape of 'a' is not known",
       "input a: float32[...]\ninput b: float32[...]\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      // Numbered constraints.
      {"OddNumber", add_relu, Guard::kWhere, "C2",
       "input a: float32[3, 3]\ninput b: float32[3, 3]\ns = Add(a, b)\nz = Relu(s)\noutput z\n"},
      {"FiveDims", add_relu, Guard::kWhere, "C1",
       "input a: float32[1, 1, 1, 1, 2]\ninput b: float32[1, 1, 1, 1, 2]\ns = Add(a, b)\n"
       "z = Relu(s)\noutput z\n"},
      {"DeepProduct", linear, Guard::kWhere, "C1",
       "input x: float32[3, 65]\ninput w: float32[65, 5]\nm = MatMul(x, w)\ny = "
       "LeakyRelu(m)\noutput y\n"},
      {"ManyChannels", conv, Guard::kWhere, "C1",
       "input x: float32[1, 513, 2, 2]\ninput w: float32[4, 513, 1, 1]\nc = Conv(x, w)\ny = "
       "Relu(c)\n"
       "output y\n"},
      {"FourRows", sized, Guard::kWhere, "C2",
       "input x: float32[4, 3]\nconst r: int64[4] = 3, 2, 1, 0\ny = Gather(x, r)\noutput y\n"},
      // What only the meaning shows.
      {"SoftmaxOfColumns", softmax, Guard::kMeaning, "the op Softmax {axis=1}",
       "input x: float32[4, 7]\ny = Softmax(x) {axis=0}\noutput y\n"},
      {"SoftmaxOfTheMiddle", softmax, Guard::kMeaning, "the op Softmax {axis=2}",
       "input x: float32[4, 7, 3]\ny = Softmax(x) {axis=1}\noutput y\n"},
      {"DilatedPool", pool, Guard::kMeaning, "dilations=[2,2,]",
       "input x: float32[1, 2, 8, 8]\ny = MaxPool(x) {kernel_shape=[2, 2], dilations=[2, "
       "2]}\noutput y\n"},
      {"RowsOfColumns", sized, Guard::kMeaning, "the graph has Gather {axis=1}",
       "input x: float32[4, 3]\nconst r: int64[2] = 2, 0\ny = Gather(x, r) {axis=1}\noutput y\n"},
      {"ConcatOfRows", concat, Guard::kMeaning, "the op Concat {axis=1}",
       "input a: float32[2, 3]\ninput b: float32[2, 3]\nj = Concat(a, b) {axis=0}\ny = "
       "Relu(j)\noutput y\n"},
      {"TransposedBatch", transposed, Guard::kShape, "needs rank 2",
       "input x: float32[2, 3]\ninput w: float32[2, 3, 5]\ny = MatMul(x, w)\noutput y\n"},
  };
  return kCases;
}

TEST(NearMiss, CorpusIsLarge) { EXPECT_GE(cases().size(), 60u); }

class NearMissCase : public ::testing::TestWithParam<Case> {};

TEST_P(NearMissCase, IsRefusedWithItsReason) {
  const Case& one = GetParam();
  auto graph = graph::parse_text(one.graph);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const auto changes = passes::canonicalize(*graph);
  ASSERT_TRUE(changes.ok()) << changes.error().to_string();
  const Found found = Matcher(*graph).find(one.op());
  EXPECT_TRUE(found.matches.empty()) << to_text(*graph);
  std::string recorded;
  bool as_expected = false;
  for (const NearMiss& miss : found.near_misses) {
    recorded += std::string(name_of(miss.refusal.guard)) + ": " + miss.refusal.reason + "\n";
    as_expected |= miss.refusal.guard == one.guard &&
                   miss.refusal.reason.find(one.reason) != std::string::npos;
  }
  EXPECT_TRUE(as_expected) << "recorded: " << recorded << to_text(*graph);
}

INSTANTIATE_TEST_SUITE_P(Corpus, NearMissCase, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace opkit::match
