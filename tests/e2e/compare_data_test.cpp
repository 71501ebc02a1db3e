// opkit compare: an op apart that does what its data say is modelled with them.
#include <algorithm>

#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;

class CompareData : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("EmbeddingBagMlp");
    if (fs::exists(path("opp"))) GTEST_SKIP() << "no packages: run `make ops` first";
  }
};

// ScatterND looks up which updates go to its slices, by indices that other ops compute first.
TEST_F(CompareData, ModelsScatteredRowsWithTheirIndices) {
  const nlohmann::json json =
      opkit_json({"compare", "EmbeddingBagMlp", "--warm", "0", "--samples", "1"});
  const nlohmann::json& launches = json["separate"]["launches"];
  const auto scatter =
      std::find_if(launches.begin(), launches.end(),
                   [](const nlohmann::json& launch) { return launch["op"] == "ScatterND"; });
  ASSERT_NE(scatter, launches.end()) << launches.dump();
  EXPECT_GT((*scatter)["ns"], 0);
  EXPECT_GT((*scatter)["gm_bytes"], 0);
}

}  // namespace
}  // namespace opkit::e2e
