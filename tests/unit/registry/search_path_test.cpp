#include "registry/search_path.h"

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class SearchPathTest : public OppTest {
 protected:
  // Directories relative to the case's folder, in the order of the search.
  Texts order(const std::optional<fs::path>& explicit_opp, const Environment& environment) {
    Texts result;
    for (const SearchRoot& root : make_search_path(explicit_opp, environment).roots) {
      result.push_back(root.directory.lexically_relative(folder_.path()).string());
    }
    return result;
  }
  std::string at(const std::string& name) { return (folder_.path() / name).string(); }
};

TEST_F(SearchPathTest, CustomPathsThenVendorsInTheirOrderThenBuiltIn) {
  write_text(at("opp/vendors/config.ini"), "load_priority=b, a\nload_priority=c\n");
  const Environment environment{at("x") + "::" + at("y") + ":" + at("x"), at("opp")};
  EXPECT_EQ(order({}, environment),
            (Texts{"x", "y", "opp/vendors/b", "opp/vendors/a", "opp/built-in"}));
}

TEST_F(SearchPathTest, AnExplicitOppBeatsTheWholeEnvironmentAndSaysSo) {
  write_text(at("mine/vendors/config.ini"), "load_priority=a");
  const Environment environment{at("x"), at("opp")};
  EXPECT_EQ(order(at("mine"), environment), (Texts{"mine/vendors/a", "mine/built-in"}));
  const SearchPath path = make_search_path(at("mine"), environment);
  EXPECT_EQ(path.opp_reason, "--opp");
  ASSERT_EQ(path.warnings.size(), 2u);
  EXPECT_EQ(path.warnings[0].code, "OPK-REG-007");
  EXPECT_NE(path.warnings[0].message.find("ASCEND_CUSTOM_OPP_PATH"), std::string::npos);
}

TEST_F(SearchPathTest, WithoutAnyHintTheOppOfTheWorkingDirectoryIsSearched) {
  const SearchPath path = make_search_path({}, {});
  EXPECT_EQ(path.opp, "opp");
  EXPECT_EQ(path.opp_reason, "default ./opp");
  EXPECT_EQ(path.roots.back().directory, "opp/built-in");
  const SearchPath custom = make_search_path({}, {at("x"), {}});
  EXPECT_EQ(custom.roots.front().origin, Origin::kCustomPath);
  EXPECT_EQ(custom.opp, "opp");
}

TEST_F(SearchPathTest, NotesWhatIsNotThereAndWhoIsNotListed) {
  write_text(at("opp/vendors/config.ini"), "load_priority=gone,here");
  fs::create_directories(at("opp/vendors/here"));
  fs::create_directories(at("opp/vendors/forgotten/op_pkg/Add/1.0.0"));
  fs::create_directories(at("opp/vendors/of_another_kind/framework"));
  fs::create_directories(at("opp/vendors/empty/op_pkg/Add"));
  fs::create_directories(at("opp/vendors/emptier"));
  const SearchPath path = make_search_path(at("opp"), {});
  EXPECT_EQ(path.roots[0].note, "does not exist");
  EXPECT_EQ(path.roots[1].note, "holds no op_pkg directory");
  EXPECT_EQ(path.unlisted, (Texts{"forgotten", "of_another_kind"}));
}

}  // namespace
}  // namespace opkit::registry
