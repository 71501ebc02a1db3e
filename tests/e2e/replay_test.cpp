// Launches that are recorded and replayed: the same bytes as the kernel's, and why some are not.
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

class Replays : public OpkitTest {
 protected:
  nlohmann::json bench(const std::string& op) {
    return opkit_json({"bench", op, "--case", "1", "--warm", "2", "--samples", "2", "--why"});
  }
};

// OPKIT_REPLAY=compare runs kernel and program and ends with EK1610 where a byte differs.
TEST_F(Replays, ShippedVectorOpsKeepTheirBytes) {
  const std::vector<std::string> ops = {"AddRelu", "LayerNormGelu", "AddLayerNorm",
                                        "RmsNorm", "Softmax",       "SwiGlu",
                                        "Exp",     "CastToFloat16"};
  if (!take_shipped(ops)) GTEST_SKIP() << "no packages: run `make ops` first";
  variables_["OPKIT_REPLAY"] = "compare";
  for (const std::string& op : ops) {
    const nlohmann::json cases = bench(op)["cases"];
    ASSERT_FALSE(cases.empty()) << op;
    for (const nlohmann::json& one : cases) {
      const nlohmann::json& replay = one["replay"];
      // Either each launch was compared, or the reason is told.
      const bool replayed = replay["has_program"].get<bool>();
      EXPECT_EQ(replay["replayed"], replayed ? 4 : 0) << op << ": " << replay.dump();
      EXPECT_EQ(replay["why"].get<std::string>().empty(), replayed) << op << ": " << replay.dump();
      EXPECT_EQ(replay["bytes"].get<uint64_t>() > 0, replayed) << op;
    }
  }
}

TEST_F(Replays, SaysWhyTheKernelRuns) {
  if (!take_shipped({"AddRelu", "EmbeddingBagMlp"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const nlohmann::json bag = bench("EmbeddingBagMlp")["cases"][0]["replay"];
  EXPECT_FALSE(bag["has_program"].get<bool>());
  EXPECT_EQ(bag["replayed"], 0);
  EXPECT_THAT(bag["why"].get<std::string>(), HasSubstr("reads or writes single values"));
  const nlohmann::json on = bench("AddRelu")["cases"][0]["replay"];
  EXPECT_TRUE(on["has_program"].get<bool>()) << on.dump();
  variables_["OPKIT_REPLAY"] = "0";
  const nlohmann::json off = bench("AddRelu")["cases"][0]["replay"];
  EXPECT_EQ(off["why"], "is not replayed, because OPKIT_REPLAY is 0");
  EXPECT_THAT(opkit({"bench", "AddRelu", "--case", "1", "--samples", "1", "--why"}).out,
              HasSubstr("the kernel ran"));
}

// Where opkit has no machine code for the host, that is why.
TEST_F(Replays, SaysWhatRunsAsMachineCode) {
  if (!take_shipped({"LayerNormGelu"})) GTEST_SKIP() << "no packages: run `make ops` first";
  const nlohmann::json code = bench("LayerNormGelu")["cases"][0]["replay"];
  EXPECT_NE(code["compiled_groups"].get<uint64_t>() > 0,
            code["why_passes"] == "opkit has no machine code for this host")
      << code.dump();
  EXPECT_EQ(code["code_bytes"].get<uint64_t>() > 0, code["compiled_groups"].get<uint64_t>() > 0);
  variables_["OPKIT_REPLAY"] = "passes";
  const nlohmann::json passes = bench("LayerNormGelu")["cases"][0]["replay"];
  EXPECT_TRUE(passes["has_program"].get<bool>());
  EXPECT_EQ(passes["code_bytes"], 0);
  EXPECT_FALSE(passes["why_passes"].get<std::string>().empty());
  EXPECT_THAT(opkit({"bench", "LayerNormGelu", "--case", "1", "--samples", "2", "--why"}).out,
              HasSubstr("passes run, because"));
}

}  // namespace
}  // namespace opkit::e2e
