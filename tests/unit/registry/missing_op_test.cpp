// Why an op was not found: places that are not there, or one level off.
#include "registry/missing_op.h"

#include <gmock/gmock.h>

#include "packages.h"
#include "registry/place_note.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class MissingOpTest : public OppTest {
 protected:
  void SetUp() override {
    write_installed(other_, {.vendor = "acme"});
    write_text(other_ / "vendors/config.ini", "load_priority=acme\n");
    fs::create_directories(opp_ / "vendors");
  }
  Error missing(const fs::path& custom, const fs::path& opp) const {
    const Environment environment{custom.string(), opp.string()};
    return Registry(make_search_path(std::nullopt, environment), this_host())
        .resolve({"AddRelu"})
        .error();
  }

  const fs::path other_ = folder_.path() / "other";
  const fs::path vendor_ = other_ / "vendors/acme";
};

TEST_F(MissingOpTest, AnEntryThatIsNotThereIsNamed) {
  const Error error = missing(folder_.path() / "gone", opp_);
  EXPECT_EQ(error.code, "OPK-REG-001");
  EXPECT_THAT(error.message, AllOf(HasSubstr("entry 1 of ASCEND_CUSTOM_OPP_PATH, "),
                                   EndsWith("gone, does not exist")));
  EXPECT_THAT(error.action, HasSubstr("each entry is a vendor's folder, which holds op_pkg"));
}

TEST_F(MissingOpTest, ARelativeEntrySaysFromWhere) {
  EXPECT_THAT(missing("no/such/place", opp_).message,
              HasSubstr("no/such/place (in " + fs::current_path().string() + "), does not exist"));
}

TEST_F(MissingOpTest, EntriesOneOrMoreLevelsTooHighNameTheVendorsFolder) {
  fs::create_directories(folder_.path() / "toolkit");
  fs::create_directory_symlink(other_, folder_.path() / "toolkit/opp");
  const std::pair<fs::path, const char*> kEntries[] = {{other_ / "vendors", "one level too high"},
                                                       {other_, "two levels too high"}};
  for (const auto& [entry, level] : kEntries) {
    const Error error = missing(entry, opp_);
    EXPECT_THAT(error.message, AllOf(HasSubstr("holds no op_pkg directory"), HasSubstr(level)));
    EXPECT_EQ(error.action,
              "write " + vendor_.string() + " in its place in ASCEND_CUSTOM_OPP_PATH");
  }
  EXPECT_THAT(missing(folder_.path() / "toolkit", opp_).message, HasSubstr("three levels"));
}

TEST_F(MissingOpTest, EntriesThatLieInOpPkgNameTheVendorsFolder) {
  for (const char* inner : {"op_pkg", "op_pkg/AddRelu", "op_pkg/AddRelu/1.0.0/"}) {
    const Error error = missing(vendor_ / inner, opp_);
    EXPECT_THAT(error.message, HasSubstr("it lies in one")) << inner;
    EXPECT_THAT(error.action, HasSubstr("write " + vendor_.string() + " in its place")) << inner;
  }
}

TEST_F(MissingOpTest, AnOppOneLevelOffIsNamed) {
  EXPECT_EQ(missing("", other_ / "vendors").action, "set ASCEND_OPP_PATH to " + other_.string());
  EXPECT_EQ(missing("", vendor_).action, "set ASCEND_OPP_PATH to " + other_.string());
  const fs::path toolkit = folder_.path() / "kit";
  write_installed(toolkit / "opp", {.vendor = "acme"});
  EXPECT_THAT(missing("", toolkit).message, HasSubstr("is one level too high"));
  EXPECT_EQ(missing("", toolkit).action, "set ASCEND_OPP_PATH to " + (toolkit / "opp").string());
  EXPECT_THAT(missing("", folder_.path() / "gone").message, HasSubstr("gone does not exist"));
}

TEST_F(MissingOpTest, AVendorThatTheOrderLeavesOutIsNamed) {
  write_text(other_ / "vendors/config.ini", "load_priority=beta\n");
  const Error error = missing("", other_);
  EXPECT_THAT(error.message, HasSubstr("holds it and is not searched"));
  EXPECT_THAT(error.action, HasSubstr("add acme to load_priority in "));
}

// Programs take no options.
TEST_F(MissingOpTest, NoProgramIsToldToGiveAnOption) {
  for (const fs::path& entry : {fs::path(), folder_.path() / "gone", other_})
    EXPECT_THAT(missing(entry, opp_).action, Not(HasSubstr("--opp"))) << entry;
}

TEST_F(MissingOpTest, ARightPlaceHasNoNote) {
  EXPECT_EQ(note_of_vendor(vendor_).text, "");
  EXPECT_EQ(note_of_opp(other_).text, "");
  write_text(folder_.path() / "file", "");
  EXPECT_EQ(note_of_vendor(folder_.path() / "file").text, "is not a directory");
  fs::create_directories(folder_.path() / "theirs/op_impl");
  EXPECT_THAT(note_of_vendor(folder_.path() / "theirs").text, HasSubstr("vendor's toolkit"));
  EXPECT_THAT(note_of_vendor(vendor_ / "op_pkg/AddRelu/1.0.0").text, HasSubstr("it lies in one"));
}

TEST_F(MissingOpTest, WhyTellsTheSame) {
  const Environment environment{other_.string(), (other_ / "vendors").string()};
  const Registry registry(make_search_path(std::nullopt, environment), this_host());
  const std::string text = registry.explain({"AddRelu"}).to_string();
  EXPECT_THAT(text, AllOf(HasSubstr("two levels too high, the vendor's folder is"),
                          HasSubstr("which is the folder of vendors, one level too low")));
}

}  // namespace
}  // namespace opkit::registry
