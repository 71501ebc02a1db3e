// Contracts that take fields from their family's file.
#include "opkit/contract/family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "opkit/base/file.h"
#include "opkit/contract/op_contract.h"

namespace opkit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFamily = R"(# what all have
version: "1.2.3"
inputs:
  x: {dtype: T, shape: "S.."}
outputs:
  y: {dtype: T, shape: "S.."}
types: {T: [float16, float32]}
numeric: {nan: propagate}
)";
constexpr const char* kExp = R"(# e to the power of x
family: family.yaml
op: Exp
reference: [{op: Exp, in: [x], out: y}]
)";

class Family : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("opkit_family_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    write("family.yaml", kFamily);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file(folder_ / name, text).ok());
  }
  Result<OpContract> load(const std::string& text) {
    write("exp_contract.yaml", text);
    return OpContract::load(folder_ / "exp_contract.yaml");
  }
  void expect_refused_family(const std::string& text, const std::string& why) {
    const auto contract = load(text);
    ASSERT_FALSE(contract.ok());
    EXPECT_EQ(contract.error().code, "OPK-CONTRACT-050");
    EXPECT_THAT(contract.error().to_string(), HasSubstr(why));
  }
  fs::path folder_;
};

TEST_F(Family, GivesTheFieldsThatAContractLacks) {
  const auto contract = load(kExp);
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_EQ(contract->op, "Exp");
  EXPECT_EQ(contract->version, "1.2.3");
  EXPECT_EQ(contract->types.at("T").size(), 2u);
}

TEST_F(Family, TheContractsOwnFieldCounts) {
  const auto contract = load(std::string(kExp) + "types: {T: [float32]}\n");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_EQ(contract->types.at("T").size(), 1u);
}

TEST_F(Family, TheWholeTextNeedsNoOtherFile) {
  const auto contract = load(kExp);
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_THAT(contract->text, Not(HasSubstr("family:")));
  const auto again = OpContract::parse(contract->text, "elsewhere/op_contract.yaml");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(again->version, "1.2.3");
  EXPECT_EQ(again->text, contract->text);
}

TEST_F(Family, MessagesNameTheFileThatIsWrong) {
  write("family.yaml", std::string(kFamily) + "soc: [Ascend999]\n");
  const auto contract = load(kExp);
  ASSERT_FALSE(contract.ok());
  EXPECT_EQ(contract.error().code, "OPK-CONTRACT-036");
  EXPECT_EQ(contract.error().where.file, (folder_ / "family.yaml").string());
  EXPECT_EQ(contract.error().where.line, 9);
}

TEST_F(Family, RefusesWhatDoesNotFit) {
  std::string other = kExp;
  other.replace(other.find("family.yaml"), 11, "../family.yaml");
  expect_refused_family(other, "no file '../family.yaml' beside the contract");
  expect_refused_family("{family: family.yaml, op: Exp, reference: [{op: Exp, in: [x], out: y}]}\n",
                        "does not begin a line");
  write("family.yaml", std::string(kFamily) + "op: Exp\n");
  expect_refused_family(kExp, "a family has no 'op'");
}

}  // namespace
}  // namespace opkit
