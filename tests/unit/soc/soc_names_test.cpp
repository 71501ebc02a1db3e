#include "opkit/soc/soc_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "opkit/soc/embedded.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/soc/top_value.h"

namespace opkit {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

TEST(SocNames, OneChipStandsForEachFamilyAndOneForAll) {
  std::map<std::string, int> of_family;
  int for_all = 0;
  for (const std::string& name : soc_names()) {
    const std::string_view word = soc_files::top_value(soc_text(name), "stands_for");
    of_family[find_soc(name)->spec->short_name] += !word.empty();
    for_all += word == "all";
  }
  for (const auto& [family, chips] : of_family) EXPECT_EQ(chips, 1) << family;
  EXPECT_EQ(for_all, 1);
  EXPECT_EQ(default_soc(), "Ascend910B1");
  EXPECT_EQ(chip_of_family("310p"), "Ascend310P3");
  EXPECT_EQ(chip_of_family("Ascend310P3"), "");
}

TEST(SocNames, ListsWhatContractsMayName) {
  const auto& names = listed_soc_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.size(), 31u);
  EXPECT_THAT(names, AllOf(Contains("Ascend910B"), Contains("Ascend910B4"),
                           Contains("Ascend910B4-1"), Contains("Ascend910_9391")));
}

TEST(SocNames, FindsTheFamilyOfAName) {
  const std::pair<const char*, const char*> kFamilies[] = {
      {"Ascend910B1", "Ascend910B"},      {"Ascend910B4-1", "Ascend910B"},
      {"Ascend910A", "Ascend910"},        {"Ascend910ProB", "Ascend910"},
      {"Ascend910_9391", "Ascend910_93"}, {"ascend310b4", "Ascend310B"},
      {"Ascend310P", "Ascend310P"},       {"Other1", "Other1"}};
  for (const auto& [name, family] : kFamilies) EXPECT_EQ(family_of_soc(name), family);
}

TEST(SocNames, ReadsLinesOfTheTopLevel) {
  const char* const kText = "# name: no\nname: A1  # the chip\nmap:\n  short_name: no\nlast: x";
  EXPECT_EQ(soc_files::top_value(kText, "name"), "A1");
  EXPECT_EQ(soc_files::top_value(kText, "short_name"), "");
  EXPECT_EQ(soc_files::top_value(kText, "last"), "x");
}

TEST(SocNames, RefusesFilesThatItDoesNotUnderstand) {
  const std::string good(embedded_other_chips().text);
  ASSERT_TRUE(parse_other_chips(good, "other.yaml").ok());
  const std::pair<const char*, const char*> kCases[] = {
      {"families: [", "famlies: ["}, {"names: [", "names: {a: "}, {"instead: ", "intead: "}};
  for (const auto& [from, to] : kCases) {
    std::string text = good;
    text.replace(text.find(from), std::string_view(from).size(), to);
    EXPECT_FALSE(parse_other_chips(text, "other.yaml").ok()) << to;
  }
  const auto no_list = parse_other_chips("names: []\nfamilies: []\nabsent: none\n", "other.yaml");
  ASSERT_FALSE(no_list.ok());
  EXPECT_THAT(no_list.error().message, HasSubstr("absent is not a list"));
}

}  // namespace
}  // namespace opkit
