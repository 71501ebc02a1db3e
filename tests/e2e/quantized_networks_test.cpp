// Networks with QuantizeLinear and DequantizeLinear as other exporters place them: networks, data
// and what they give were written by quantized_networks/make_networks.py, by NumPy.
#include <cmath>

#include "npy.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::ElementsAreArray;

namespace fs = std::filesystem;

class QuantizedNetworks : public OpkitTest {
 protected:
  static fs::path data(const std::string& name) {
    return fs::path(OPKIT_SOURCE_DIR "/tests/e2e/quantized_networks") / name;
  }

  // Compiles the network and expects nothing on the host.
  void compile(const std::string& net, const std::string& soc) {
    const auto made = opkit_json({"atc", "--model=" + data(net + ".onnx").string(), "--framework=5",
                                  "--output=" + net, "--soc_version=" + soc, "--check"});
    EXPECT_TRUE(made["host"].empty()) << made["host"];
  }

  // Expects the kernels of the model, in their order; pure moves are not named.
  void expect_kernels(const std::string& net, const std::vector<std::string>& kernels) {
    const auto shown = opkit_json({"om", "show", net + ".om"});
    std::vector<std::string> there;
    for (const auto& step : shown["steps"])
      if (step["kind"] == "kernel") there.push_back(step["op"]);
    EXPECT_THAT(there, ElementsAreArray(kernels)) << net;
  }

  // Runs the model and expects each element at most one step of the output from NumPy's, most of
  // them there.
  void expect_within_a_step(const std::string& net, float step) {
    const Shown ran = opkit({"model", "run", net + ".om", "--input",
                             "x=" + data(net + "_x.npy").string(), "--out", "scores_dq=y.npy"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const std::vector<float> right = floats_of(text_of(data(net + "_y.npy"))),
                             got = floats_of(read("y.npy"));
    ASSERT_EQ(got.size(), right.size());
    size_t equal = 0;
    for (size_t i = 0; i < right.size(); ++i) {
      EXPECT_LE(std::abs(got[i] - right[i]), 1.001F * step) << net << " " << i;
      if (std::abs(got[i] - right[i]) < 0.001F * step) ++equal;
    }
    EXPECT_GE(equal * 10, right.size() * 9) << net;
  }
};

// uint8 with zero points, a residual: every product, sum and pool of windows is one of int8.
TEST_F(QuantizedNetworks, ResidualOfOnnxRuntimesQuantizer) {
  if (!take_shipped({"QuantizeLinear", "DequantizeLinear", "QuantConvRequant", "MaxPoolImages",
                     "QuantConvAddRequant", "GlobalAveragePool", "QuantMatMulRequant",
                     "Requantize"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  compile("residual", "Ascend910B1");
  expect_kernels("residual",
                 {"QuantizeLinear", "QuantConvRequant", "MaxPoolImages", "QuantConvRequant",
                  "QuantConvAddRequant", "QuantConvRequant", "QuantConvAddRequant",
                  "QuantConvRequant", "DequantizeLinear", "GlobalAveragePool", "QuantizeLinear",
                  "QuantMatMulRequant", "DequantizeLinear"});
  expect_within_a_step("residual", 0.0712698F);
}

// Weights as floats behind pairs of their own: int8 weights of the same products, on both chips.
TEST_F(QuantizedNetworks, PerceptronOfTensorRtsTools) {
  if (!take_shipped({"QuantizeLinear", "DequantizeLinear", "QuantMatMulRequant", "QuantizedAdd",
                     "Requantize"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  for (const std::string soc : {"Ascend910B1", "Ascend310B1"}) {
    compile("perceptron", soc);
    expect_kernels("perceptron", {"QuantizeLinear", "QuantMatMulRequant", "QuantMatMulRequant",
                                  "QuantizedAdd", "QuantMatMulRequant", "QuantMatMulRequant",
                                  "QuantizedAdd", "QuantMatMulRequant", "DequantizeLinear"});
    expect_within_a_step("perceptron", 0.1170426F);
  }
}

// Images in NHWC turned for the convolutions, ReLU6 as Clip, a Concat of two scales.
TEST_F(QuantizedNetworks, ChannelsLastOfTf2onnx) {
  if (!take_shipped({"QuantizeLinear", "DequantizeLinear", "Transpose", "QuantConvRequant",
                     "Requantize", "Concat", "QuantMatMulRequant"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  compile("channels_last", "Ascend910B1");
  expect_kernels("channels_last",
                 {"QuantizeLinear", "Transpose", "QuantConvRequant", "QuantConvRequant",
                  "Requantize", "QuantConvRequant", "Concat", "QuantConvRequant", "Transpose",
                  "QuantMatMulRequant", "DequantizeLinear"});
  expect_within_a_step("channels_last", 0.0318197F);
}

}  // namespace
}  // namespace opkit::e2e
