#include "registry/version_range.h"

#include <gtest/gtest.h>

namespace opkit::registry {
namespace {

std::string among(const std::string& range, const std::vector<std::string>& versions) {
  std::string text;
  for (const std::string& version : versions)
    if (version_matches(range, version)) text += version + " ";
  return text;
}

const std::vector<std::string> kAll = {"0.1.0", "0.1.9", "0.2.0",      "1.0.0-rc.1", "1.0.0",
                                       "1.2.0", "1.2.5", "1.3.0-rc.1", "1.10.0",     "2.0.0"};

TEST(VersionRange, HoldsWhatItSays) {
  EXPECT_EQ(among("1.2.0", kAll), "1.2.0 ");
  EXPECT_EQ(among("^1.2", kAll), "1.2.0 1.2.5 1.10.0 ");
  EXPECT_EQ(among("^1", kAll), "1.0.0 1.2.0 1.2.5 1.10.0 ");
  EXPECT_EQ(among("^0.1.5", kAll), "0.1.9 ");
  EXPECT_EQ(among("~1.2.1", kAll), "1.2.5 ");
  EXPECT_EQ(among(">=1,<2", kAll), "1.0.0 1.2.0 1.2.5 1.10.0 ");
  EXPECT_EQ(among(">1.2.0,<=1.10.0", kAll), "1.2.5 1.10.0 ");
  EXPECT_EQ(among("<1", kAll), "0.1.0 0.1.9 0.2.0 ");
  EXPECT_EQ(among("=1.2.0", kAll), "1.2.0 ");
  EXPECT_EQ(among(">=2,<1", kAll), "");
}

TEST(VersionRange, PreReleasesAreNamed) {
  EXPECT_EQ(among(">=1.3.0-rc.1,<2", kAll), "1.3.0-rc.1 1.10.0 ");
  EXPECT_EQ(among("1.0.0-rc.1", kAll), "1.0.0-rc.1 ");
  EXPECT_EQ(among("^1.0.0-rc.1", kAll), "1.0.0-rc.1 1.0.0 1.2.0 1.2.5 1.10.0 ");
}

// As a directory's name: another build of the same numbers is another package.
TEST(VersionRange, AWholeVersionIsTheSameText) {
  EXPECT_FALSE(version_matches("1.0.0", "1.0.0+7"));
  EXPECT_TRUE(version_matches("1.0.0+7", "1.0.0+7"));
  EXPECT_TRUE(version_matches("=1.0.0", "1.0.0+7"));
}

TEST(VersionRange, WhatIsNoneIsRefused) {
  EXPECT_TRUE(check_version("").ok());
  for (const char* bad : {"1", "^", "^^1", ">=1,", ",", "1.2.x", "^1.2.3.4", "* ", ">= 1", "latest",
                          "^18446744073709551615", "<1.2-rc.1", "^-1"}) {
    const Status status = check_version(bad);
    ASSERT_FALSE(status.ok()) << bad;
    EXPECT_EQ(status.error().code, "OPK-VERSION-002");
  }
  EXPECT_FALSE(check_version(std::string(300, '1')).ok());
}

TEST(VersionRange, StandsBehindAnOp) {
  EXPECT_EQ(split_op("AddRelu@^1.2").op, "AddRelu");
  EXPECT_EQ(split_op("AddRelu@^1.2").range, "^1.2");
  EXPECT_EQ(split_op("AddRelu").op, "AddRelu");
  EXPECT_EQ(split_op("AddRelu").range, "");
}

}  // namespace
}  // namespace opkit::registry
