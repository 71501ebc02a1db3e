// What every kernel must do, counted by hand; what it may leave out is not counted.
#include "opkit/fusion/feasible/least_work.h"

#include <gtest/gtest.h>

#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::feasible {
namespace {

LeastWork least_of(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(reference::infer(*graph).ok());
  std::vector<size_t> nodes(graph->nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
  auto subject = subject_of(*graph, nodes);
  EXPECT_TRUE(subject.ok()) << subject.error().to_string();
  return least_work_of(*subject);
}

TEST(LeastWork, ElementsAndProductsThatNobodyCanLeaveOut) {
  const LeastWork chain = least_of(
      "input x: float16[1024]\ninput y: float16[1024]\ns = Add(x, y)\nz = Relu(s)\noutput z\n");
  EXPECT_EQ(chain.read, 4096);
  EXPECT_EQ(chain.written, 2048);
  const LeastWork product = least_of(
      "input a: float32[8, 16]\ninput b: float32[16, 4]\np = MatMul(a, b)\ny = Relu(p)\n"
      "output y\n");
  EXPECT_EQ(product.read, 4 * (8 * 16 + 16 * 4));
  EXPECT_EQ(product.products, 8 * 16 * 4);
}

TEST(LeastWork, APickReadsWhatItPicks) {
  const LeastWork gather = least_of(
      "input t: float32[100, 8]\ninput i: int64[50]\ny = Gather(t, i) {axis=0}\noutput y\n");
  EXPECT_EQ(gather.read, 0);  // counts nothing for the same row fifty times
  EXPECT_EQ(gather.written, 50 * 8 * 4);
  const LeastWork where = least_of(
      "input c: bool[64]\ninput a: float32[64]\ninput b: float32[64]\ny = Where(c, a, b)\n"
      "output y\n");
  EXPECT_EQ(where.read, 64);
}

TEST(LeastWork, PaddingIsNotMultiplied) {
  const LeastWork one = least_of(
      "input x: float16[1, 2, 1, 1]\ninput w: float16[3, 2, 3, 3]\n"
      "y = Conv(x, w) {pads=[1, 1, 1, 1]}\noutput y\n");
  EXPECT_EQ(one.products, 3 * 2);  // the filter's middle alone meets the image
  EXPECT_EQ(one.read, 0);
  const LeastWork strided = least_of(
      "input x: float16[1, 2, 8, 8]\ninput w: float16[3, 2, 1, 1]\n"
      "y = Conv(x, w) {strides=[2, 2]}\noutput y\n");
  EXPECT_EQ(strided.read, 0);  // a quarter of x is enough
  EXPECT_EQ(strided.products, 16 * 3 * 2);
}

TEST(LeastWork, AMaskMayForbidBlocksOfTwoProducts) {
  const LeastWork two = least_of(
      "input q: float16[64, 8]\ninput k: float16[8, 64]\ninput v: float16[64, 8]\n"
      "input m: float16[64, 64]\ns = MatMul(q, k)\nt = Add(s, m)\np = Softmax(t) {axis=-1}\n"
      "y = MatMul(p, v)\noutput y\n");
  EXPECT_EQ(two.products, 0);
  EXPECT_EQ(two.read, 0);
  EXPECT_EQ(two.written, 64 * 8 * 2);
}

TEST(LeastWork, TheFastestTypeThatIsAllowed) {
  core::TimingRates rates;
  rates.cube_products[static_cast<size_t>(DType::kFloat16)] = 4096;
  rates.cube_products[static_cast<size_t>(DType::kFloat32)] = 1024;
  rates.cube_products[static_cast<size_t>(DType::kInt8)] = 8192;
  const auto rate = [&](const std::string& type) {
    auto graph = graph::parse_text("input a: " + type + "[8, 8]\ny = Abs(a)\noutput y\n");
    EXPECT_TRUE(graph.ok());
    EXPECT_TRUE(reference::infer(*graph).ok());
    return fastest_cube(*subject_of(*graph, {0}), rates);
  };
  EXPECT_EQ(rate("float16"), 4096);
  EXPECT_EQ(rate("float32"), 4096);  // halves may be enough
  EXPECT_EQ(rate("int8"), 16384);    // two of four weights
}

}  // namespace
}  // namespace opkit::feasible
