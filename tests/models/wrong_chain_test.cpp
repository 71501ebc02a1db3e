// Chains whose kernel is not what its contract says: the proof refuses them, and nothing of them
// stays.
#include <gmock/gmock.h>

#include "model_test.h"
#include "opkit/call/execute/generated_ops.h"
#include "opkit/fusion/generate/generate.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::generate {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kModel =
    "graph \"m\" opset 17\ninput a: float32[64, 256]\ninput b: float32[64, 256]\n"
    "s = Add(a, b)\nt = Mul(s, a)\noutput t\n";

class Notes : public project::BuildEvents {
 public:
  void note(const Error& error) override { all.push_back(error); }
  Errors all;
};

// With a cache and a folder for temporary files of its own.
class WrongChain : public testing::Test {
 protected:
  void SetUp() override {
    const char* given = std::getenv("OPKIT_BIN");
    const auto sdk = project::find_sdk(given && *given ? given : OPKIT_BUILT_BINARY);
    ASSERT_TRUE(sdk.ok()) << sdk.error().to_string();
    sdk_ = *sdk;
    folder_ = fs::path(testing::TempDir()) /
              (std::string("wrong_chain_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "temporary");
    fs::create_directories(folder_ / "opp/vendors");
    set("OPKIT_CACHE_DIR", folder_ / "cache");
    set("TMPDIR", folder_ / "temporary");
    ops_ = InstalledOps::open(registry::Registry::open(folder_ / "opp"), "Ascend910B1");
    options_.candidates.soc = "Ascend910B1";
    auto made = compile::compile(*graph::parse_text(kModel), ops_, options_);
    ASSERT_TRUE(made.ok()) << made.error().to_string();
    compiled_ = std::move(*made);
  }
  void TearDown() override {
    for (const auto& [name, value] : before_)
      value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    fs::remove_all(folder_);
  }

  // The right op with another kernel.
  ChainWriter writer(const std::string& from, const std::string& to) {
    return [=](const author::ElementwiseRegion& region, DType dtype, const std::string& soc,
               const std::string& kit) {
      auto op = op_of(region, dtype, soc, kit);
      if (op.ok()) replace(op->files.at("op_kernel/" + op->names.snake + ".cpp"), from, to);
      return op;
    };
  }

  std::vector<ChainReport> generated(const ChainWriter& write) {
    auto chains = generate_chains(compiled_, ops_, options_, notes_, {sdk_, write});
    EXPECT_TRUE(chains.ok()) << chains.error().to_string();
    return chains.ok() ? *chains : std::vector<ChainReport>();
  }

  void expect_refused(const std::vector<ChainReport>& chains) {
    ASSERT_EQ(chains.size(), 1u);
    EXPECT_EQ(chains[0].op, "");
    EXPECT_EQ(chains[0].chosen, 0u);
    ASSERT_EQ(notes_.all.size(), 1u);
    EXPECT_EQ(notes_.all[0].code, "OPK-ATC-004");
    EXPECT_EQ(notes_.all[0].severity, Severity::kWarning);
    EXPECT_EQ(notes_.all[0].message, chains[0].refused);
    EXPECT_TRUE(ops_.all().empty());
    EXPECT_EQ(compiled_.cover.chosen.size(), 2u);
    EXPECT_FALSE(fs::exists(generated_opp() / "vendors"));
    EXPECT_TRUE(fs::is_empty(folder_ / "temporary"));
  }

  Notes notes_;
  fs::path folder_;
  InstalledOps ops_;

 private:
  static void replace(std::string& text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
  }
  void set(const char* name, const fs::path& value) {
    const char* now = std::getenv(name);
    before_[name] = now ? std::optional<std::string>(now) : std::nullopt;
    setenv(name, value.c_str(), 1);
  }

  std::map<const char*, std::optional<std::string>> before_;
  project::Sdk sdk_;
  compile::Options options_;
  compile::Compiled compiled_;
};

TEST_F(WrongChain, OfAnotherSumIsRefusedAndTheRightOneTaken) {
  const auto wrong = generated(writer("Add(", "Sub("));
  expect_refused(wrong);
  EXPECT_THAT(wrong[0].refused,
              AllOf(StartsWith("the chain of Add, Mul is not made into a kernel: element "),
                    HasSubstr(" of y is "), HasSubstr(", the reference says ")));
  const auto right = generated(op_of);
  ASSERT_EQ(right.size(), 1u);
  EXPECT_EQ(right[0].refused, "");
  EXPECT_TRUE(right[0].built);
  EXPECT_EQ(right[0].chosen, 1u);
  EXPECT_TRUE(fs::exists(generated_opp() / "vendors/generated/op_pkg" / right[0].op));
}

// Right on small integers: only the fractions tell.
TEST_F(WrongChain, ThatLosesFractionsIsRefused) {
  const auto wrong = generated(writer("    Add(",
                                      "    Cast(x1.ReinterpretCast<int32_t>(), x1, "
                                      "RoundMode::CAST_RINT, count);\n"
                                      "    Cast(x1, x1.ReinterpretCast<int32_t>(), "
                                      "RoundMode::CAST_NONE, count);\n    Add("));
  expect_refused(wrong);
  EXPECT_THAT(wrong[0].refused, HasSubstr("the reference says "));
}

TEST_F(WrongChain, ThatDoesNotCompileIsRefused) {
  const auto wrong = generated(writer("Add(", "NoSuchCall("));
  expect_refused(wrong);
  EXPECT_THAT(wrong[0].refused,
              StartsWith("the chain of Add, Mul is not made into a kernel: OPK-BUILD-"));
}

}  // namespace
}  // namespace opkit::generate
