#include "registry/load_priority.h"

#include <gtest/gtest.h>

namespace opkit::registry {
namespace {

using Texts = std::vector<std::string>;

TEST(LoadPriority, OnlyTheFirstLineCountsAndBlanksAreTrimmed) {
  const auto vendors = [](const char* text) { return parse_load_priority(text, "c").vendors; };
  EXPECT_EQ(vendors("load_priority=a,b"), (Texts{"a", "b"}));
  EXPECT_EQ(vendors(" load_priority = a , b ,\r\nx=y"), (Texts{"a", "b"}));
  EXPECT_EQ(vendors("load_priority=a,a,b,a"), (Texts{"a", "b"}));
  EXPECT_EQ(vendors("load_priority="), Texts{});
  EXPECT_EQ(vendors("\nload_priority=a"), Texts{});
}

TEST(LoadPriority, WarnsOfWhatItCannotUse) {
  for (const char* text : {"", "priority=a", "a,b", "load_priority"}) {
    const LoadPriority read = parse_load_priority(text, "config.ini");
    ASSERT_EQ(read.warnings.size(), 1u) << text;
    EXPECT_EQ(read.warnings[0].code, "OPK-REG-006");
    EXPECT_NE(read.warnings[0].message.find("no vendor is searched"), std::string::npos);
  }
  const LoadPriority read = parse_load_priority("load_priority=../../etc,a", "config.ini");
  EXPECT_EQ(read.vendors, Texts{"a"});
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_NE(read.warnings[0].message.find("'../../etc' is not a vendor name"), std::string::npos);
}

TEST(LoadPriority, EditsKeepEveryOtherLine) {
  EXPECT_EQ(with_vendor_first("", "a"), "load_priority=a\n");
  EXPECT_EQ(with_vendor_first("load_priority=a,b\n# x\ny=1\n", "b"),
            "load_priority=b,a\n# x\ny=1\n");
  EXPECT_EQ(with_vendor_first("load_priority=a", "c"), "load_priority=c,a\n");
  EXPECT_EQ(with_vendor_first("# mine\n", "c"), "load_priority=c\n# mine\n");
  EXPECT_EQ(without_vendor("load_priority=a,b\nrest", "a"), "load_priority=b\nrest");
}

}  // namespace
}  // namespace opkit::registry
