#include "opkit/base/json.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

namespace opkit {
namespace {

TEST(Json, WritesEveryKindOfValue) {
  const Json json = {{"none", nullptr},    {"yes", true},       {"least", INT64_MIN},
                     {"most", UINT64_MAX}, {"real", 0.1},       {"whole", 2.0},
                     {"text", "a\"\n"},    {"list", {1, 2, 3}}, {"empty", Json::object()}};
  EXPECT_EQ(json.dump(0),
            "{\n\"none\": null,\n\"yes\": true,\n\"least\": -9223372036854775808,\n"
            "\"most\": 18446744073709551615,\n\"real\": 0.1,\n\"whole\": 2.0,\n"
            "\"text\": \"a\\\"\\n\",\n\"list\": [\n1,\n2,\n3\n],\n\"empty\": {}\n}");
}

// The library that reads is the judge of what was written.
TEST(Json, IsReadAsItWasMeant) {
  const std::vector<std::string> names{"x", "y"};
  const std::map<std::string, int> counts{{"b", 2}, {"a", 1}};
  const std::array<uint8_t, 2> bytes{1, 255};
  Json json{{"names", names}, {"counts", counts}, {"bytes", std::span<const uint8_t>(bytes)}};
  json["inner"]["depth"] = 2;
  json["rows"].push_back({{"name", std::string_view("first")}, {"dims", std::vector<int64_t>{}}});
  json["rows"].push_back(Json::array({"p", "q"}));
  const auto read = nlohmann::json::parse(json.dump(2));
  EXPECT_EQ(read, nlohmann::json::parse(R"({"names": ["x", "y"], "counts": {"a": 1, "b": 2},
      "bytes": [1, 255], "inner": {"depth": 2},
      "rows": [{"name": "first", "dims": []}, ["p", "q"]]})"));
}

TEST(Json, MembersKeepTheirOrderAndTheirPlace) {
  Json json{{"z", 1}, {"a", 2}};
  json["m"] = 3;
  json["z"] = 4;
  json.update({{"a", 5}, {"n", 6}});
  EXPECT_EQ(json, Json({{"z", 4}, {"a", 5}, {"m", 3}, {"n", 6}}));
  EXPECT_LT(json.dump(0).find("\"z\""), json.dump(0).find("\"a\""));
}

TEST(Json, ReadsBackWhatItHolds) {
  const Json json{{"list", {"x", 7u}}, {"none", Json::array()}};
  EXPECT_EQ(json["list"].size(), 2u);
  EXPECT_EQ(json["list"][1], 7);
  EXPECT_EQ(json["list"].front(), "x");
  EXPECT_TRUE(json["list"][2].is_null());
  EXPECT_TRUE(json["missing"]["deeper"].is_null());
  EXPECT_TRUE(json["none"].empty());
}

TEST(Json, WritesNothingThatIsNoJson) {
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(0), "null");
  EXPECT_EQ(Json(std::nan("")).dump(0), "null");
  EXPECT_EQ(Json(std::string("a\xff") + "b").dump(0),
            "\"a\xEF\xBF\xBD"
            "b\"");
}

// `{a, b}` is a member only where a is a text, and an object only where all are members.
TEST(Json, BracesMeanAnObjectOrAnArray) {
  EXPECT_EQ(Json({{"a", 1}, {"b", 2}}).dump(0), "{\n\"a\": 1,\n\"b\": 2\n}");
  EXPECT_EQ(Json({{1, 2}, {3, 4}})[1], Json::array({3, 4}));
  EXPECT_EQ(Json({"a", "b", "c"}), Json::array({"a", "b", "c"}));
}

TEST(Json, ReadsEveryKindOfValue) {
  const auto json = Json::parse(
      R"({"none": null, "yes": true, "least": -9223372036854775808, "most": 18446744073709551615,
          "real": 2.0, "text": "a\"\n", "list": [1, [2]], "empty": {}})");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->keys(), (std::vector<std::string>{"none", "yes", "least", "most", "real", "text",
                                                    "list", "empty"}));
  EXPECT_TRUE((*json)["none"].is_null());
  EXPECT_EQ((*json)["yes"].truth(), true);
  EXPECT_EQ((*json)["least"].whole(), INT64_MIN);
  EXPECT_EQ((*json)["most"].natural(), UINT64_MAX);
  EXPECT_EQ((*json)["real"].real(), 2.0);
  EXPECT_EQ(*(*json)["text"].text(), "a\"\n");
  EXPECT_EQ((*json)["list"][1][0].whole(), 2);
  EXPECT_TRUE((*json)["empty"].is_object() && (*json)["empty"].empty());
}

TEST(Json, ReadsWhatItHasWritten) {
  const Json json{{"z", -1}, {"a", {1u, 2.5, "x", nullptr, false}}, {"m", Json::object()}};
  EXPECT_EQ(Json::parse(json.dump(2)), json);
}

TEST(Json, GivesNothingOfAnotherKind) {
  const Json json = Json::parse(R"({"n": -1, "big": 18446744073709551615, "t": "x"})").value();
  EXPECT_EQ(json["n"].natural(), std::nullopt);
  EXPECT_EQ(json["big"].whole(), std::nullopt);
  EXPECT_EQ(json["t"].real(), std::nullopt);
  EXPECT_EQ(json["n"].truth(), std::nullopt);
  EXPECT_EQ(json["n"].text(), nullptr);
  EXPECT_EQ(json["n"].text_or("other"), "other");
  EXPECT_EQ(json["n"].real(), -1.0);
  EXPECT_FALSE(json.contains("missing"));
}

TEST(Json, OfTwoMembersOfOneNameReadsTheLast) {
  EXPECT_EQ(Json::parse(R"({"a": 1, "b": 2, "a": 3})"), Json({{"a", 3u}, {"b", 2u}}));
}

TEST(Json, ReadsNothingThatIsNoJson) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "nul", "\"\xff\"", "1 2", "{'a': 1}"})
    EXPECT_EQ(Json::parse(text), std::nullopt) << text;
}

TEST(Json, ReadsNothingThatNestsTooDeep) {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']');
  };
  EXPECT_TRUE(Json::parse(nested(64)));
  EXPECT_FALSE(Json::parse(nested(65)));
  EXPECT_FALSE(Json::parse(nested(1000000)));
  EXPECT_TRUE(Json::parse("[[1]]", 2));
  EXPECT_FALSE(Json::parse("[[[1]]]", 2));
}

}  // namespace
}  // namespace opkit
