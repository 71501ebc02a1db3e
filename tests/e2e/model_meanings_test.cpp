// What nodes mean in the version that their model says, from the file to the numbers; all of it on
// the host, because no op is installed.
#include "npy.h"
#include "onnx_writer.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Floats = std::vector<float>;
using Net = OnnxWriter;

class ModelMeanings : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    std::filesystem::create_directories(path("opp/vendors"));
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
  }
  // The result y of a model of one input x.
  Floats result(const Net& net, uint64_t version, const Floats& x, const std::string& shape) {
    write("net.onnx", net.model(version));
    write("x.npy", float_npy(x, shape));
    const Shown made = opkit(
        {"atc", "--model=net.onnx", "--framework=5", "--output=net", "--soc_version=Ascend910B1"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const Shown ran = opkit({"model", "run", "net.om", "--input", "x=x.npy", "--out", "y=y.npy"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return floats_of(read("y.npy"));
  }
  // Types of the steps that are left.
  std::vector<std::string> steps() {
    std::vector<std::string> types;
    const nlohmann::json shown = opkit_json({"om", "show", "net.om"});
    for (const auto& step : shown["steps"]) types.push_back(step["op"]);
    return types;
  }
};

TEST_F(ModelMeanings, ClipHasItsBoundsInEveryVersion) {
  for (const uint64_t version : {6, 9, 10}) {
    Net net;
    net.input("x", {4});
    net.node_with("Clip", {"x"}, "y",
                  Net::float_attribute("min", 0) + Net::float_attribute("max", 6));
    net.output("y", {4});
    EXPECT_THAT(result(net, version, {-3, 1, 6, 9}, "4,"), ElementsAre(0, 1, 6, 6)) << version;
  }
  Net net;
  net.input("x", {4});
  net.constant("low", {}, {0});
  net.constant("high", {}, {6});
  net.node("Clip", {"x", "low", "high"}, "y");
  net.output("y", {4});
  EXPECT_THAT(result(net, 11, {-3, 1, 6, 9}, "4,"), ElementsAre(0, 1, 6, 6));
}

// The input is never cut: what a stride passes over needs no padding.
TEST_F(ModelMeanings, StridesLongerThanAWindowAreNotPadded) {
  Floats x(36);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (const char* pad : {"SAME_UPPER", "SAME_LOWER"}) {
    for (const char* op : {"Conv", "MaxPool"}) {
      Net net;
      net.input("x", {1, 1, 6, 6});
      net.constant("w", {1, 1, 1, 1}, {1});
      const bool conv = op == std::string("Conv");
      net.node_with(
          op, conv ? std::vector<std::string>{"x", "w"} : std::vector<std::string>{"x"}, "y",
          Net::text_attribute("auto_pad", pad) + Net::list_attribute("kernel_shape", {1, 1}) +
              Net::list_attribute("strides", {3, 3}));
      net.output("y", {1, 1, 2, 2});
      EXPECT_THAT(result(net, 13, x, "1, 1, 6, 6"), ElementsAre(0, 3, 18, 21)) << op << pad;
    }
  }
}

TEST_F(ModelMeanings, DimsThatAreKnownAreNoSteps) {
  Net ones;
  ones.input("x", {2, 2});
  ones.node("Shape", {"x"}, "s");
  ones.node("ConstantOfShape", {"s"}, "zeros");
  ones.constant("two", {}, {2});
  ones.node("Add", {"zeros", "two"}, "c");
  ones.node("Mul", {"x", "c"}, "y");
  ones.output("y", {2, 2});
  EXPECT_THAT(result(ones, 13, {1, -2, 3, 4}, "2, 2"), ElementsAre(2, -4, 6, 8));
  EXPECT_THAT(steps(), ElementsAre("Mul"));

  Net grows;
  grows.input("x", {1, 1, 1, 2});
  grows.integer_constant("zero", {1}, {0});
  grows.integer_constant("two", {1}, {2});
  grows.integer_constant("size", {2}, {2, 4});
  grows.node("Shape", {"x"}, "s");
  grows.node("Slice", {"s", "zero", "two"}, "n");
  grows.node_with("Concat", {"n", "size"}, "sizes", Net::integer_attribute("axis", 0));
  grows.node_with("Resize", {"x", "", "", "sizes"}, "y", Net::text_attribute("mode", "nearest"));
  grows.output("y", {1, 1, 2, 4});
  EXPECT_THAT(result(grows, 13, {5, 7}, "1, 1, 1, 2"), ElementsAre(5, 5, 7, 7, 5, 5, 7, 7));
  EXPECT_THAT(steps(), ElementsAre("Resize"));
}

TEST_F(ModelMeanings, AReductionOfNoAxesIsOfAllOrOfNone) {
  for (const int64_t none : {0, 1}) {
    Net net;
    net.input("x", {2, 2});
    net.integer_constant("axes", {0}, {});
    net.node_with("ReduceSum", {"x", "axes"}, "r",
                  Net::integer_attribute("noop_with_empty_axes", none));
    net.node("Relu", {"r"}, "y");
    net.output("y", none ? std::vector<int64_t>{2, 2} : std::vector<int64_t>{1, 1});
    EXPECT_EQ(result(net, 13, {1, 2, 3, 4}, "2, 2"), none ? Floats({1, 2, 3, 4}) : Floats({10}));
  }
}

TEST_F(ModelMeanings, LaterVersionsAreRead) {
  for (const uint64_t version : {18, 21}) {
    Net net;
    net.input("x", {2, 2});
    net.integer_constant("axes", {1}, {1});
    net.node_with("ReduceMean", {"x", "axes"}, "r", Net::integer_attribute("keepdims", 0));
    net.node("Relu", {"r"}, "y");
    net.output("y", {2});
    EXPECT_THAT(result(net, version, {1, 3, -3, -5}, "2, 2"), ElementsAre(2, 0)) << version;
  }
}

}  // namespace
}  // namespace opkit::e2e
