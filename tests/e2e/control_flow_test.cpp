// Networks with control flow by the real command line: networks, data and what they give were
// written by control_flow/make_networks.py, by NumPy.
#include <cmath>

#include "npy.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class ControlFlowNets : public OpkitTest {
 protected:
  static fs::path data(const std::string& name) {
    return fs::path(OPKIT_SOURCE_DIR "/tests/e2e/control_flow") / name;
  }

  // The summary that atc gives.
  nlohmann::json made(const std::string& net, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"atc",
                                      "--model=" + data(net + ".onnx").string(),
                                      "--framework=5",
                                      "--output=" + net,
                                      "--soc_version=Ascend910B1",
                                      "--explain"};
    words.insert(words.end(), more.begin(), more.end());
    return opkit_json(words);
  }

  using Files = std::vector<std::pair<std::string, std::string>>;
  // Runs the model on files of data and compares outputs with others.
  void expect_gives(const std::string& net, const Files& inputs, const Files& outputs) {
    std::vector<std::string> words = {"model", "run", net + ".om"};
    for (const auto& [name, file] : inputs) {
      words.emplace_back("--input");
      words.push_back(name + "=" + data(net + "_" + file + ".npy").string());
    }
    for (const auto& [name, file] : outputs) {
      words.emplace_back("--out");
      words.push_back(name + "=" + file + ".npy");
    }
    const Shown ran = opkit(words);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    for (const auto& [name, file] : outputs) expect_same(net, file);
  }

  void expect_same(const std::string& net, const std::string& file) {
    const std::string wanted = text_of(data(net + "_" + file + ".npy")), got = read(file + ".npy");
    const std::vector<float> right = floats_of(wanted), there = floats_of(got);
    if (right.empty()) {
      EXPECT_EQ(got.substr(got.find('\n')), wanted.substr(wanted.find('\n'))) << file;
      return;
    }
    ASSERT_EQ(there.size(), right.size()) << file;
    for (size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(there[i], right[i], 1e-4) << file;
  }
};

// The rate of the samples is an input: one of the branches runs.
TEST_F(ControlFlowNets, VoiceActivity) {
  if (!take_shipped({"Conv", "MatMul", "Relu", "Sigmoid", "Tanh", "Add", "Sub", "Mul", "Concat",
                     "ReduceMean", "Slice"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const auto made_of = made("vad", {"--check"});
  ASSERT_EQ(made_of["bodies"].size(), 2u);
  EXPECT_EQ(made_of["control"]["If"], 1);
  EXPECT_EQ(made_of["bodies"][0]["body"], "then_branch");
  EXPECT_GT(made_of["bodies"][0]["kernels"], 0);
  EXPECT_THAT(made_of["checked"].get<std::string>(), HasSubstr("against the model in the file"));
  for (const std::string rate : {"16000", "8000"})
    expect_gives("vad", {{"audio", "audio"}, {"rate", "rate_" + rate}, {"state", "state"}},
                 {{"speech", "speech_" + rate}, {"next_state", "next_state_" + rate}});
  const auto shown = opkit_json({"om", "show", "vad.om"});
  EXPECT_EQ(shown["bodies"].size(), 2u);
  EXPECT_THAT(opkit({"om", "show", "vad.om"}).out,
              AllOf(HasSubstr("control If"), HasSubstr("body 1: else_branch of If")));
}

// A layer of LSTM cells in a Scan, once forwards and once backwards.
TEST_F(ControlFlowNets, RecurrentCells) {
  if (!take_shipped({"MatMul", "Sigmoid", "Tanh", "Add", "Mul", "Split"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const auto made_of = made("lstm", {"--check"});
  ASSERT_EQ(made_of["bodies"].size(), 2u);
  EXPECT_EQ(made_of["bodies"][0]["trips"], 20);
  EXPECT_GT(made_of["bodies"][0]["kernels"], 0);
  expect_gives("lstm", {{"x", "x"}, {"h0", "h0"}, {"c0", "c0"}},
               {{"y", "y"}, {"h", "h"}, {"c", "c"}, {"back_y", "back_y"}, {"back_c", "back_c"}});
  const Shown profile = opkit({"model", "profile", "lstm.om"});
  EXPECT_EQ(profile.exit_code, 0) << profile.err;
  EXPECT_THAT(profile.out, HasSubstr("MatMul"));
}

// A decoder that ends where its end token comes, or when nothing fits any more.
TEST_F(ControlFlowNets, GreedyDecoder) {
  if (!take_shipped({"MatMul", "Tanh", "Add", "Gather", "ArgMax", "Equal", "Where"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const auto made_of = made("decoder");
  ASSERT_EQ(made_of["bodies"].size(), 1u);
  EXPECT_TRUE(made_of["bodies"][0]["trips"].is_null());
  for (const std::string kind : {"early", "full"})
    expect_gives("decoder", {{"source", "source_" + kind}, {"start", "start_" + kind}},
                 {{"sequence", "sequence_" + kind},
                  {"length", "length_" + kind},
                  {"final_state", "final_state_" + kind}});
}

}  // namespace
}  // namespace opkit::e2e
