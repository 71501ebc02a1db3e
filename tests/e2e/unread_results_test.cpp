// Nodes of several results that name some of them only: a kernel writes the others all the same,
// and they need memory that nobody else has meanwhile.
#include <cstring>

#include "npy.h"
#include "onnx_writer.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

class UnreadResults : public OpkitTest {};

TEST_F(UnreadResults, AreWrittenWhereNobodyElseWrites) {
  if (!take_shipped({"TopK", "Relu"})) GTEST_SKIP() << "no packages: run `make ops` first";
  OnnxWriter net;
  net.input("x", {2, 4});
  net.integer_constant("k", {1}, {2});
  net.node("Relu", {"x"}, "r");
  net.node_of("TopK", {"r", "k"}, {"", "places"});
  net.node("Relu", {"r"}, "y");
  net.integer_output("places", {2, 2});
  net.output("y", {2, 4});
  write("net.onnx", net.model());
  const auto made = opkit_json({"atc", "--model=net.onnx", "--framework=5", "--output=net",
                                "--soc_version=Ascend910B1", "--opp", "opp"});
  EXPECT_EQ(made["host"].size(), 0u);
  EXPECT_GE(made["kernels"], 2);
  write("x.npy", float_npy({1, 4, -2, 3, 5, 0, 7, 6}, "2, 4"));
  const auto ran = opkit_json({"model", "run", "net.om", "--input", "x=x.npy", "--out",
                               "places=places.npy", "--out", "y=y.npy", "--opp", "opp"});
  const std::string places = read("places.npy");
  int64_t found[4];
  ASSERT_GE(places.size(), sizeof(found));
  std::memcpy(found, places.data() + places.size() - sizeof(found), sizeof(found));
  EXPECT_THAT(found, testing::ElementsAre(1, 3, 2, 3));
  EXPECT_EQ(floats_of(read("y.npy")), (std::vector<float>{1, 4, 0, 3, 5, 0, 7, 6}));
}

}  // namespace
}  // namespace opkit::e2e
