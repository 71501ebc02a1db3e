#include "registry/version.h"

#include <gtest/gtest.h>

namespace opkit::registry {
namespace {

TEST(SemVer, ReadsAndPrintsEveryPart) {
  for (const char* text : {"0.0.0", "1.2.3", "10.20.30", "1.0.0-rc.1", "1.0.0-alpha-2.x",
                           "1.0.0+build.7", "1.0.0-rc.1+sha-5"}) {
    const auto version = SemVer::parse(text);
    ASSERT_TRUE(version.ok()) << text;
    EXPECT_EQ(version->to_string(), text);
  }
}

TEST(SemVer, RefusesWhatIsNoVersion) {
  for (const char* text :
       {"", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", " 1.2.3", "1.2.3 ", "-1.2.3", "1.2.3-",
        "1.2.3+", "1.2.3-01", "1.2.3-a..b", "v1.2.3", "99999999999999999999.0.0", "1.2.3/../x"}) {
    const auto version = SemVer::parse(text);
    ASSERT_FALSE(version.ok()) << text;
    EXPECT_EQ(version.error().code, "OPK-VERSION-001");
    EXPECT_NE(version.error().message.find("is not a semantic version"), std::string::npos);
  }
  EXPECT_FALSE(SemVer::parse(std::string(1000, '1')).ok());
}

TEST(SemVer, OrdersAsTheSpecificationSays) {
  const char* ascending[] = {"0.9.9",      "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
                             "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
                             "1.0.0",      "1.0.1",        "1.2.0",         "1.10.0",
                             "2.0.0"};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t j = 0; j < std::size(ascending); ++j) {
      const int order = compare(*SemVer::parse(ascending[i]), *SemVer::parse(ascending[j]));
      EXPECT_EQ(order < 0, i < j) << ascending[i] << " " << ascending[j];
      EXPECT_EQ(order > 0, i > j) << ascending[i] << " " << ascending[j];
    }
  }
  EXPECT_EQ(compare(*SemVer::parse("1.0.0+a"), *SemVer::parse("1.0.0+b")), 0);
}

TEST(DottedVersion, ComparesNumbersNotText) {
  EXPECT_LT(compare_dotted("2.4", "2.34"), 0);
  EXPECT_GT(compare_dotted("3.4.30", "3.4.9"), 0);
  EXPECT_EQ(compare_dotted("2.36", "2.36.0"), 0);
  EXPECT_EQ(compare_dotted("2.x", "2.1"), 0);
}

}  // namespace
}  // namespace opkit::registry
