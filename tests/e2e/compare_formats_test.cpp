// opkit compare: what turning tensors into formats costs, on both sides.
#include <algorithm>

#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;

class CompareFormats : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("ConvBiasLeakyRelu");
    if (fs::exists(path("opp"))) GTEST_SKIP() << "no packages: run `make ops` first";
  }
  static std::ptrdiff_t turns(const nlohmann::json& side) {
    const nlohmann::json& launches = side["launches"];
    return std::count_if(launches.begin(), launches.end(),
                         [](const nlohmann::json& launch) { return launch["op"] == "TransData"; });
  }
};

// The fused op takes an image in a format of the cube unit, and gives one; filters are turned when
// a model is made.
TEST_F(CompareFormats, BothSidesPayForFormats) {
  const nlohmann::json json =
      opkit_json({"compare", "ConvBiasLeakyRelu", "--warm", "0", "--samples", "1"});
  EXPECT_EQ(turns(json["fused"]), 2);
  for (const nlohmann::json& launch : json["fused"]["launches"])
    EXPECT_GT(launch["ns"], 0) << launch.dump();
  const nlohmann::json dense =
      opkit_json({"compare", "ConvLeakyRelu", "--warm", "0", "--samples", "1"});
  EXPECT_EQ(turns(dense["fused"]), 0);
}

}  // namespace
}  // namespace opkit::e2e
