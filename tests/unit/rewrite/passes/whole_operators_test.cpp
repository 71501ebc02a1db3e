// Spellings of operators, made from their parts in every order, and near misses of each: what
// nearly is an operator is none.
#include "opkit/rewrite/passes/whole_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "opkit/rewrite/passes/rewrite.h"
#include "rewritten.h"

namespace opkit::passes {
namespace {

using Texts = std::vector<std::string>;

const std::string kBegin =
    "input x: float32[2, 3, 8]\ninput other: float32[2, 3, 8]\n"
    "const half: float32[] = 0.5\nconst one: float32[] = 1\nconst minus: float32[] = -1\n"
    "const two: float32[] = 2\nconst three: float32[1] = 3\nconst six: float32[] = 6\n"
    "const zero: float32[] = 0\nconst root: float32[] = 1.4142135623730951\n"
    "const by_root: float32[1, 1, 1] = 0.7071067811865476\nconst bend: float32[] = 0.044715\n"
    "const slope: float32[] = 0.7978845608028654\nconst by_slope: float32[] = 1.2533141373155003\n"
    "const eps: float32[] = 0.00001\nconst g: float32[8] = 1, 2, 3, -1, 0.5, 4, 2, 1\n"
    "const wide: float32[1, 1, 8] = 1, 2, 3, -1, 0.5, 4, 2, 1\n"
    "const b: float32[8] = 0.5, -1, 2, 3, 0, 1, -2, 0.25\nconst down: float32[] = -0.5\n";

// Every text of one list in front of every one of the next.
Texts joined(const Texts& front, const Texts& back) {
  Texts all;
  for (const std::string& a : front) {
    for (const std::string& b : back) all.push_back(a + b);
  }
  return all;
}

Texts gelus() {
  const Texts scaled = {"s = Div(x, root)\n", "s = Mul(x, by_root)\n", "s = Mul(by_root, x)\n"};
  const Texts lifted = {"e = Erf(s)\nl = Add(e, one)\n", "e = Erf(s)\nl = Add(one, e)\n",
                        "e = Erf(s)\nl = Sub(e, minus)\n"};
  const Texts ends = {"p = Mul(x, l)\ny = Mul(p, half)\n", "p = Mul(l, x)\ny = Mul(half, p)\n",
                      "h = Mul(x, half)\ny = Mul(h, l)\n", "h = Mul(half, x)\ny = Mul(l, h)\n",
                      "h = Mul(l, half)\ny = Mul(x, h)\n", "h = Div(l, two)\ny = Mul(h, x)\n",
                      "p = Mul(x, l)\ny = Div(p, two)\n"};
  return joined(joined(scaled, lifted), ends);
}

Texts tanh_gelus() {
  const Texts cubes = {"c = Pow(x, three)\n", "q = Mul(x, x)\nc = Mul(q, x)\n",
                       "q = Pow(x, two)\nc = Mul(x, q)\n"};
  Texts inner =
      joined(cubes, {"m = Mul(c, bend)\ni = Add(x, m)\n", "m = Mul(bend, c)\ni = Add(m, x)\n"});
  // x * (1 + 0.044715 * x * x)
  inner.push_back("q = Mul(x, x)\nm = Mul(q, bend)\nn = Add(m, one)\ni = Mul(x, n)\n");
  const Texts scaled = {"s = Mul(i, slope)\n", "s = Div(i, by_slope)\n"};
  const Texts ends = {"t = Tanh(s)\nl = Add(t, one)\np = Mul(x, l)\ny = Mul(p, half)\n",
                      "t = Tanh(s)\nl = Add(one, t)\nh = Mul(x, half)\ny = Mul(h, l)\n",
                      "t = Tanh(s)\nl = Add(t, one)\nh = Mul(half, l)\ny = Mul(x, h)\n"};
  return joined(joined(inner, scaled), ends);
}

Texts hard_swishes() {
  const Texts cuts = {"a = Add(x, three)\nc = Clip(a, zero, six)\n",
                      "a = Add(three, x)\nr = Relu(a)\nc = Min(r, six)\n",
                      "a = Add(x, three)\nm = Min(a, six)\nc = Max(m, zero)\n"};
  Texts all = joined(cuts, {"p = Mul(x, c)\ny = Div(p, six)\n", "d = Div(c, six)\ny = Mul(x, d)\n",
                            "d = Div(x, six)\ny = Mul(c, d)\n"});
  all.push_back("h = HardSigmoid(x) {alpha=0.16666666666666666, beta=0.5}\ny = Mul(h, x)\n");
  return all;
}

Texts silus() {
  return {"s = Sigmoid(x)\ny = Mul(x, s)\n", "s = Sigmoid(x)\ny = Mul(s, x)\n",
          "n = Neg(x)\ne = Exp(n)\na = Add(e, one)\ny = Div(x, a)\n",
          "n = Mul(x, minus)\ne = Exp(n)\na = Add(one, e)\nr = Reciprocal(a)\ny = Mul(x, r)\n",
          "n = Neg(x)\ne = Exp(n)\na = Add(e, one)\nr = Div(one, a)\ny = Mul(r, x)\n"};
}

Texts mishes() {
  return {"s = Softplus(x)\nt = Tanh(s)\ny = Mul(x, t)\n",
          "e = Exp(x)\na = Add(e, one)\nl = Log(a)\nt = Tanh(l)\ny = Mul(t, x)\n"};
}

Texts layer_norms() {
  const std::string mean = "m = ReduceMean(x) {axes=[-1]}\n";
  const Texts squares = {"d = Sub(x, m)\nq = Mul(d, d)\n", "d = Sub(x, m)\nq = Pow(d, two)\n",
                         "d = Sub(x, m)\nd2 = Sub(x, m)\nq = Pow(d2, two)\n"};
  const Texts roots = {
      "v = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\nr = Sqrt(a)\nn = Div(d, r)\n",
      "v = ReduceMean(q) {axes=[2]}\na = Add(eps, v)\nr = Sqrt(a)\n"
      "i = Reciprocal(r)\nn = Mul(d, i)\n",
      "v = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\ni = Pow(a, down)\n"
      "n = Mul(i, d)\n"};
  const Texts ends = {"s = Mul(n, g)\ny = Add(s, b)\n", "s = Mul(wide, n)\ny = Add(b, s)\n"};
  Texts all = joined(joined(joined({mean}, squares), roots), ends);
  // As TensorFlow writes it: x * (factor * g) + (b - mean * factor * g).
  all.push_back(mean +
                "d = Sub(x, m)\nq = Mul(d, d)\nv = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\n"
                "r = Sqrt(a)\ni = Reciprocal(r)\nf = Mul(i, g)\np = Mul(x, f)\nk = Mul(m, f)\n"
                "o = Sub(b, k)\ny = Add(p, o)\n");
  return all;
}

Texts rms_norms() {
  const Texts squares = {"q = Mul(x, x)\n", "q = Pow(x, two)\n"};
  const Texts roots = {
      "v = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\nr = Sqrt(a)\nn = Div(x, r)\n",
      "v = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\nr = Sqrt(a)\n"
      "i = Reciprocal(r)\nn = Mul(x, i)\n",
      "v = ReduceMean(q) {axes=[-1]}\na = Add(eps, v)\nr = Sqrt(a)\n"
      "i = Div(one, r)\nn = Mul(i, x)\n"};
  return joined(joined(squares, roots), {"y = Mul(n, g)\n", "y = Mul(wide, n)\n"});
}

// The node that defines y where the text is said in whole operators; null: nothing is.
std::string operator_of(const std::string& text, std::string* operand = nullptr) {
  graph::Graph graph = parsed(kBegin + text + "output y\n");
  const auto canonical = canonicalize(graph);
  EXPECT_TRUE(canonical.ok()) << text;
  const auto form = whole_operators(graph);
  EXPECT_TRUE(form.ok()) << text << form.error().to_string();
  if (!form.ok()) return "";
  for (const graph::Node& node : form->nodes) {
    if (node.outputs[0] != "y") continue;
    if (operand != nullptr) *operand = node.inputs[0];
    return node.op_type;
  }
  return "";
}

void expect_family(const std::string& op, const Texts& texts, size_t least) {
  std::set<std::string> distinct(texts.begin(), texts.end());
  EXPECT_GE(distinct.size(), least);
  for (const std::string& text : texts) {
    std::string operand;
    EXPECT_EQ(operator_of(text, &operand), op) << text;
    EXPECT_EQ(operand, "x") << text;
  }
}

void expect_missed(const std::string& op, const Texts& texts) {
  for (const std::string& text : texts) EXPECT_NE(operator_of(text), op) << text;
}

TEST(WholeOperators, KnowGeluHoweverItIsWritten) {
  expect_family("Gelu", gelus(), 60);
  expect_family("Gelu", tanh_gelus(), 40);
}

TEST(WholeOperators, KnowOtherFunctionsHoweverTheyAreWritten) {
  expect_family("HardSwish", hard_swishes(), 10);
  expect_family("Silu", silus(), 5);
  expect_family("Mish", mishes(), 2);
}

TEST(WholeOperators, KnowNormalizationsHoweverTheyAreWritten) {
  expect_family("LayerNormalization", layer_norms(), 19);
  expect_family("RMSNormalization", rms_norms(), 12);
}

TEST(WholeOperators, AreNoNearMisses) {
  const std::string erf = "s = Div(x, root)\ne = Erf(s)\nl = Add(e, one)\n";
  expect_missed(
      "Gelu",
      {"s = Div(x, two)\ne = Erf(s)\nl = Add(e, one)\np = Mul(x, l)\ny = Mul(p, half)\n",
       "s = Div(x, root)\ne = Erf(s)\nl = Add(e, half)\np = Mul(x, l)\ny = Mul(p, half)\n",
       erf + "p = Mul(x, l)\ny = Mul(p, bend)\n", erf + "p = Mul(other, l)\ny = Mul(p, half)\n",
       erf + "p = Mul(x, l)\ny = Mul(p, one)\n",
       "c = Pow(x, two)\nm = Mul(c, bend)\ni = Add(x, m)\ns = Mul(i, slope)\n"
       "t = Tanh(s)\nl = Add(t, one)\np = Mul(x, l)\ny = Mul(p, half)\n",
       "const near: float32[] = 0.0447\nc = Pow(x, three)\nm = Mul(c, near)\n"
       "i = Add(x, m)\ns = Mul(i, slope)\nt = Tanh(s)\nl = Add(t, one)\n"
       "p = Mul(x, l)\ny = Mul(p, half)\n"});
  expect_missed("HardSwish",
                {"a = Add(x, two)\nc = Clip(a, zero, six)\np = Mul(x, c)\ny = Div(p, six)\n",
                 "a = Add(x, three)\nc = Clip(a, zero, six)\np = Mul(x, c)\ny = Div(p, three)\n",
                 "a = Add(x, three)\nc = Clip(a, zero, three)\np = Mul(x, c)\ny = Div(p, six)\n",
                 "h = HardSigmoid(x)\ny = Mul(h, x)\n"});
  expect_missed("Silu",
                {"s = Sigmoid(x)\ny = Mul(other, s)\n", "s = Sigmoid(x)\ny = Add(x, s)\n",
                 "e = Exp(x)\na = Add(e, one)\ny = Div(x, a)\n",
                 "const k: float32[] = 1.702\nm = Mul(x, k)\ns = Sigmoid(m)\ny = Mul(x, s)\n"});
  expect_missed("Mish", {"s = Softplus(x)\nt = Sigmoid(s)\ny = Mul(x, t)\n"});
}

TEST(WholeOperators, AreNoNearMissesOfNormalizations) {
  const auto layer = [](const std::string& mean, const std::string& variance,
                        const std::string& end) {
    return mean + "d = Sub(x, m)\nq = Mul(d, d)\n" + variance + "a = Add(v, eps)\nr = Sqrt(a)\n" +
           end;
  };
  const std::string mean = "m = ReduceMean(x) {axes=[-1]}\n",
                    variance = "v = ReduceMean(q) {axes=[-1]}\n";
  const std::string end = "n = Div(d, r)\ns = Mul(n, g)\ny = Add(s, b)\n";
  EXPECT_EQ(operator_of(layer(mean, variance, end)), "LayerNormalization");
  expect_missed("LayerNormalization",
                {layer("m = ReduceMean(x) {axes=[1]}\n", variance, end),
                 layer(mean, "v = ReduceMean(q) {axes=[1]}\n", end),
                 layer(mean, "v = ReduceMean(q) {axes=[1, 2]}\n", end),
                 layer(mean, variance, "n = Div(x, r)\ns = Mul(n, g)\ny = Add(s, b)\n"),
                 layer(mean, variance, "n = Div(d, a)\ns = Mul(n, g)\ny = Add(s, b)\n"),
                 layer(mean, variance, "n = Div(d, r)\ns = Mul(n, other)\ny = Add(s, b)\n"),
                 layer(mean, variance, "n = Div(d, r)\ns = Add(n, g)\ny = Mul(s, b)\n")});
  expect_missed("RMSNormalization",
                {"q = Mul(x, x)\nv = ReduceMean(q) {axes=[1]}\na = Add(v, eps)\nr = Sqrt(a)\n"
                 "n = Div(x, r)\ny = Mul(n, g)\n",
                 "q = Mul(x, x)\nv = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\nr = Sqrt(a)\n"
                 "n = Mul(x, r)\ny = Mul(n, g)\n",
                 "q = Mul(x, other)\nv = ReduceMean(q) {axes=[-1]}\na = Add(v, eps)\nr = Sqrt(a)\n"
                 "n = Div(x, r)\ny = Mul(n, g)\n"});
}

// What bounds take away lies far from 0.
TEST(WholeOperators, EndInFrontOfBounds) {
  const std::string bounds = "const low: float32[] = -100\nconst high: float32[] = 100\n";
  expect_missed("Gelu", {bounds + "s = Div(x, root)\ne = Erf(s)\nl = Add(e, one)\np = Mul(x, l)\n"
                                  "h = Mul(p, half)\ny = Clip(h, low, high)\n"});
  expect_missed("Silu", {bounds + "s = Sigmoid(x)\np = Mul(x, s)\ny = Min(p, high)\n",
                         "const few: float32[] = -10\nc = Max(x, few)\ns = Sigmoid(c)\n"
                         "y = Mul(x, s)\n"});
  const std::string norm = bounds + layer_norms()[0];
  const std::string clipped =
      norm.substr(0, norm.rfind("y = ")) + "n1 = Add(s, b)\ny = Clip(n1, low, high)\n";
  expect_missed("LayerNormalization", {clipped});
}

// Rows of small numbers tell where an epsilon stands, and which one.
TEST(WholeOperators, TakeTheEpsilonWhereItIsAdded) {
  const std::string begin =
      "m = ReduceMean(x) {axes=[-1]}\nd = Sub(x, m)\nq = Mul(d, d)\n"
      "v = ReduceMean(q) {axes=[-1]}\n";
  const std::string end = "n = Div(d, r)\ns = Mul(n, g)\ny = Add(s, b)\n";
  expect_missed("LayerNormalization",
                {begin + "w = Sqrt(v)\nr = Add(w, eps)\n" + end,
                 begin +
                     "const tiny: float32[] = 0.000001\na = Add(v, eps)\nw = Sqrt(a)\n"
                     "r = Add(w, tiny)\n" +
                     end});
  expect_missed("RMSNormalization",
                {"q = Mul(x, x)\nv = ReduceMean(q) {axes=[-1]}\nw = Sqrt(v)\nr = Add(w, eps)\n"
                 "n = Div(x, r)\ny = Mul(n, g)\n"});
}

// Factors so small that every result is nearly 0.
TEST(WholeOperators, TellSmallFactorsApart) {
  const std::string little =
      "const k: float32[8] = all 0.0000001\nm = ReduceMean(x) {axes=[-1]}\na = Add(m, eps)\n";
  expect_missed("RMSNormalization", {little + "p = Mul(x, a)\ny = Mul(p, k)\n"});
}

// The graph with everything in another type, as whole operators.
std::string operator_in(const std::string& dtype, std::string text) {
  text =
      "input x: float32[2, 3, 8]\nconst one: float32[] = 1\nconst half: float32[] = 0.5\n" + text;
  for (size_t at = 0; (at = text.find("float32", at)) != std::string::npos; at += dtype.size())
    text.replace(at, 7, dtype);
  graph::Graph graph = parsed(text + "output y\n");
  EXPECT_TRUE(canonicalize(graph).ok()) << text;
  const auto form = whole_operators(graph);
  EXPECT_TRUE(form.ok()) << text;
  if (!form.ok() || form->nodes.empty()) return "";
  const graph::Node& last = form->nodes.back();
  return last.op_type + (last.attributes.count("approximate")
                             ? " " + std::get<std::string>(last.attributes.at("approximate"))
                             : "");
}

// In 16 bits, a constant stands for the number that rounds to it, and no other.
TEST(WholeOperators, KnowRoundedConstants) {
  struct Rounded {
    std::string dtype, root, slope, bend, near_one;
  };
  for (const Rounded& r :
       {Rounded{"float16", "1.4140625", "0.7978515625", "0.044708251953125", "1.0009765625"},
        Rounded{"bfloat16", "1.4140625", "0.796875", "0.044677734375", "1.0078125"}}) {
    const std::string end = "l = Add(e, one)\np = Mul(x, l)\ny = Mul(p, half)\n";
    EXPECT_EQ(operator_in(r.dtype, "const root: float32[] = " + r.root +
                                       "\ns = Div(x, root)\ne = Erf(s)\n" + end),
              "Gelu none");
    EXPECT_EQ(operator_in(r.dtype, "const slope: float32[] = " + r.slope +
                                       "\nconst bend: float32[] = " + r.bend +
                                       "\nq = Mul(x, x)\nc = Mul(q, x)\nm = Mul(c, bend)\n"
                                       "i = Add(x, m)\ns = Mul(i, slope)\ne = Tanh(s)\n" +
                                       end),
              "Gelu tanh");
    EXPECT_EQ(operator_in(r.dtype, "const k: float32[] = " + r.near_one +
                                       "\nm = Mul(x, k)\ns = Sigmoid(m)\ny = Mul(x, s)\n"),
              "");
  }
}

// A list that is a row gets a name of its own.
TEST(WholeOperators, TakeNoConstantForAnother) {
  std::string text = layer_norms()[1];  // reads the list in three dims
  ASSERT_NE(text.find("wide"), std::string::npos);
  const graph::Graph graph = [&] {
    graph::Graph made = parsed(kBegin + "const \"wide/list\": float32[8] = all 9\n" + text +
                               "z = Mul(other, \"wide/list\")\noutput y\noutput z\n");
    EXPECT_TRUE(canonicalize(made).ok());
    return made;
  }();
  const auto form = whole_operators(graph);
  ASSERT_TRUE(form.ok());
  EXPECT_THAT(to_text(*form), testing::HasSubstr("LayerNormalization(x"));
  passes::expect_same_values(graph, *form, 1e-5);
}

TEST(WholeOperators, KeepWhatOthersRead) {
  const graph::Graph graph = [] {
    graph::Graph made = parsed(kBegin + gelus()[0] + "z = Tanh(l)\noutput y\noutput z\n");
    EXPECT_TRUE(canonicalize(made).ok());
    return made;
  }();
  const auto form = whole_operators(graph);
  ASSERT_TRUE(form.ok());
  EXPECT_THAT(to_text(*form), testing::HasSubstr("Erf"));
  EXPECT_THAT(to_text(*form), testing::HasSubstr("Gelu(x)"));
  passes::expect_same_values(graph, *form, 1e-6);
}

TEST(WholeOperators, SplitGemms) {
  const std::string begin =
      "input m: float32[2, 8]\nconst w: float32[3, 8] = all 0.5\nconst c: float32[3] = 1, 2, 3\n";
  graph::Graph graph = parsed(begin + "y = Gemm(m, w, c) {transB=1}\noutput y\n");
  ASSERT_TRUE(canonicalize(graph).ok());
  const auto form = whole_operators(graph);
  ASSERT_TRUE(form.ok());
  EXPECT_THAT(to_text(*form), testing::HasSubstr("MatMul(m"));
  EXPECT_THAT(to_text(*form), testing::HasSubstr("y: float32[2, 3] = Add("));
  passes::expect_same_values(graph, *form, 1e-6);
  graph::Graph scaled = parsed(begin + "y = Gemm(m, w, c) {transB=1, alpha=0.5}\noutput y\n");
  ASSERT_TRUE(canonicalize(scaled).ok());
  const auto none = whole_operators(scaled);
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->nodes.empty());
}

}  // namespace
}  // namespace opkit::passes
