#include "opkit/contract/deal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit {
namespace {

using testing::ElementsAre;
using testing::Optional;

std::vector<Port> ports(const std::string& kinds) {
  std::vector<Port> all;
  for (const char kind : kinds) {
    Port& port = all.emplace_back();
    port.presence = kind == 'r'   ? Presence::kRequired
                    : kind == 'o' ? Presence::kOptional
                                  : Presence::kDynamic;
  }
  return all;
}

TEST(Deal, GivesOneToEachPort) {
  EXPECT_THAT(deal(ports("rr"), 2).shares, Optional(ElementsAre(1, 1)));
  EXPECT_FALSE(deal(ports("rr"), 1).shares);
  EXPECT_FALSE(deal(ports("rr"), 3).shares);
  EXPECT_THAT(deal({}, 0).shares, Optional(ElementsAre()));
}

TEST(Deal, OptionalPortsAtTheEndMayGoWithout) {
  EXPECT_THAT(deal(ports("roo"), 2).shares, Optional(ElementsAre(1, 1, 0)));
  EXPECT_FALSE(deal(ports("or"), 1).shares) << "the first one is stated as absent";
  EXPECT_EQ(deal(ports("or"), 1).least, 2u);
}

TEST(Deal, ADynamicPortTakesWhatTheOthersLeave) {
  EXPECT_THAT(deal(ports("rdr"), 5).shares, Optional(ElementsAre(1, 3, 1)));
  EXPECT_THAT(deal(ports("do"), 3).shares, Optional(ElementsAre(2, 1)));
  EXPECT_FALSE(deal(ports("rdr"), 5).most);
  EXPECT_FALSE(deal(ports("rdr"), 1).shares);
  EXPECT_TRUE(deal(ports("dd"), 4).several_dynamic);
  EXPECT_FALSE(deal(ports("dd"), 4).shares);
}

}  // namespace
}  // namespace opkit
