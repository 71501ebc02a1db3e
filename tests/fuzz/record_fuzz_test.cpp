// Records of quantizations against thousands of mutants of good ones.
#include <gtest/gtest.h>

#include "mutator.h"
#include "opkit/quantize/record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

std::vector<std::string> seeds() {
  const std::vector<quantize::RecordEntry> entries = {{"conv1", 0.0187, -3, {0.5, 0.25}, {0, 0}},
                                                      {"tensor:a/b", 1.0 / 3, 0, {}, {}}};
  return {quantize::record_text(entries),
          "# by hand\nrecord: { key: 'x' value { scale_d: 1e-3, offset_d: 0 skip_fusion: true } }"};
}

std::vector<std::string> dictionary() {
  return {"record {",
          "value {",
          "key: \"",
          "\"",
          "scale_d: 1e308",
          "scale_w: nan",
          "offset_d: 127",
          "offset_w: 0",
          "dst_type: \"INT8\"",
          "\\\"",
          "#",
          "}",
          "inf",
          "-1",
          "\xff",
          "\n",
          "1e-320"};
}

TEST(RecordFuzz, TheSeedsAreGood) {
  for (const std::string& text : seeds()) {
    const auto read = quantize::parse_record(text, "r.txt");
    EXPECT_TRUE(read.ok()) << read.error().to_string();
  }
}

TEST(RecordFuzz, NoMutantBreaksAPromise) {
  constexpr int kMutants = 6000;
  Mutator mutator(20261130, seeds(), dictionary());
  int accepted = 0;
  for (int i = 0; i < kMutants; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE(text);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    accepted += quantize::parse_record(text, "r.txt").ok();
  }
  EXPECT_GT(accepted, kMutants / 100) << "mutants that are all refused early test little";
}

}  // namespace
}  // namespace opkit::fuzz
