#include "registry/answers.h"

#include "packages.h"
#include "registry/install.h"
#include "registry/opp_lock.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

constexpr int64_t kLong = 60'000'000'000;

class AnswersTest : public OppTest {
 protected:
  void SetUp() override { std::filesystem::create_directories(opp_); }
  static std::shared_ptr<const Resolution> some() { return std::make_shared<const Resolution>(); }

  Answers answers_{opp_};
  const Query query_{.op = "AddRelu", .soc = "Ascend910B1"};
  const int64_t now_ = coarse_now() + kLong;
};

TEST_F(AnswersTest, HoldForAMomentAndForTheVeryQuestion) {
  const auto resolution = some();
  answers_.keep(query_, resolution, answers_.generation(), now_);
  EXPECT_EQ(answers_.find(query_, now_), resolution);
  EXPECT_EQ(answers_.find({.op = "AddRelu"}, now_), nullptr);
  EXPECT_EQ(answers_.find({"AddRelu", "Ascend910B1", "1.0.0"}, now_), nullptr);
  constexpr int64_t kHolds = std::chrono::nanoseconds(Answers::kHolds).count();
  EXPECT_EQ(answers_.find(query_, now_ + kHolds - 1), resolution);
  EXPECT_EQ(answers_.find(query_, now_ + kHolds), nullptr);
}

TEST_F(AnswersTest, EndWithTheNextInstaller) {
  answers_.keep(query_, some(), answers_.generation(), now_);
  ASSERT_NE(answers_.find(query_, now_), nullptr);
  { ASSERT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(1)).ok()); }
  EXPECT_EQ(answers_.find(query_, now_), nullptr) << "the first one";
  answers_.keep(query_, some(), answers_.generation(), now_);
  ASSERT_NE(answers_.find(query_, now_), nullptr);
  { ASSERT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(1)).ok()); }
  EXPECT_EQ(answers_.find(query_, now_), nullptr) << "another one";
}

TEST_F(AnswersTest, ManyQuestionsDoNotFillTheMemory) {
  for (size_t i = 0; i <= Answers::kMost; ++i)
    answers_.keep({.op = "Op" + std::to_string(i)}, some(), answers_.generation(), now_);
  EXPECT_EQ(answers_.find({.op = "Op0"}, now_), nullptr);
  EXPECT_NE(answers_.find({.op = "Op" + std::to_string(Answers::kMost)}, now_), nullptr);
}

TEST_F(AnswersTest, ARegistryFindsWhatItResolvesAndSeesInstallers) {
  const auto add = [this](const PackageSpec& spec) {
    const auto source = write_package(folder_.path() / spec.version, spec);
    return install({.source = source, .opp = opp_, .probe = false}, this_host()).ok();
  };
  const Registry registry(make_search_path(opp_, {}), this_host());
  EXPECT_EQ(registry.find({"AddRelu"}).error().code, "OPK-REG-001");
  ASSERT_TRUE(add({}));
  const Registry later(make_search_path(opp_, {}), this_host());
  const auto found = later.find({"AddRelu"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ((*found)->package.to_string(), later.resolve({"AddRelu"})->package.to_string());
  ASSERT_TRUE(add({.version = "1.2.0", .plugin = "good_1_2"}));
  EXPECT_EQ((*later.find({"AddRelu"}))->package.manifest.version, "1.2.0");
}

}  // namespace
}  // namespace opkit::registry
