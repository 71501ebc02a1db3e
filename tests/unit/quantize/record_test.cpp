#include "opkit/quantize/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::quantize {
namespace {

TEST(Record, IsWrittenAndRead) {
  const std::vector<RecordEntry> entries = {{"conv \"1\"", 0.0078125, -3, {0.5, 0.1}, {0, 0}},
                                            {"tensor:x", 1.0 / 3, 0, {}, {}}};
  const auto read = parse_record(record_text(entries), "r.txt");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].key, "conv \"1\"");
  EXPECT_EQ((*read)[0].offset_d, -3);
  EXPECT_EQ((*read)[0].scale_w, (std::vector<double>{0.5, 0.1}));
  EXPECT_EQ(static_cast<float>((*read)[1].scale_d), 1.0f / 3);
}

TEST(Record, TakesWhatOthersWrite) {
  const auto read = parse_record(
      "# AMCT\nrecord: {\n key: 'a' value: { scale_d: 1, skip_fusion: true; dst_type: \"INT8\" "
      "scale_w: 2e-3 offset_w: 0 } }",
      "r.txt");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ((*read)[0].scale_w[0], 2e-3);
}

TEST(Record, NamesTheLineOfAnError) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"record {\n key: \"a\"\n value { scale_q: 1 } }", "r.txt:3"},
           {"recrod {", "did you mean 'record'?"},
           {"record { key: \"a\" value { scale_d: 1 offset_w: 4 } }", "weights are symmetric"},
           {"record { key: \"a\" value { scale_d: 1 offset_d: 200 } }", "offset_d is 200"},
           {"record { key: \"a\" value { scale_d: one } }", "a number is expected"},
           {"record { key: \"a\" value { scale_d: 1 dst_type: \"INT4\" } }", "INT4"},
           {"record { key: \"a\" value { scale_d: 1 } }\nrecord { key: \"a\" value { scale_d: 1 } "
            "}",
            "two records"},
           {"record { key: \"a\" value { scale_d: 1 scale_d: 2 } }", "scale_d twice"},
           {"record { key: \"a\" key: \"b\" value { scale_d: 1 } }", "key twice"},
           {"record { key: \"a\" value { scale_d: 1 } value { scale_d: 1 } }", "value twice"},
           {"record { key: \"a\" value { scale_d: 1e-40 } }", "scale_d is 1e-40"},
           {"record { key: \"a\" value { scale_d: 1 scale_w: 1e39 } }", "scale_w is 1e39"},
           {"record { key: \"a\" value { scale_d: nan } }", "scale_d is nan"},
           {"record { key: \"a }", "no end"},
           {"record { value { scale_d: 1 } }", "no key"}}) {
    const auto read = parse_record(text, "r.txt");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, "OPK-QUANT-007");
    EXPECT_THAT(read.error().to_string(), testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace opkit::quantize
