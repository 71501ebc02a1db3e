// Offline models against thousands of mutants of a good one.
#include <gtest/gtest.h>

#include "mutator.h"
#include "opkit/model/file/om_file.h"
#include "tests/unit/model/file/geared_model.h"
#include "tests/unit/model/file/looped_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

TEST(OmFuzz, MutantsNeverBreakAPromise) {
  model::OfflineModel model = model::small_model();
  model.steps[0].attrs = {{"a", std::vector<int64_t>{1, 2}}, {"s", std::string("text")}};
  const std::string seed = model::encode(model);
  ASSERT_TRUE(model::decode(seed).ok());
  Mutator mutator(3, {seed}, {std::string(8, '\xff'), std::string(4, '\0'), "\x7f", "Mul", "x"});
  size_t accepted = 0;
  for (int i = 0; i < 8000; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    accepted += bytes != seed && model::decode(bytes).ok();
  }
  EXPECT_EQ(accepted, 0u) << "a mutant was taken for a model";
}

TEST(OmFuzz, MutantsOfGearsNeverBreakAPromise) {
  const std::string seed = model::encode(model::geared_model());
  Mutator mutator(4, {seed}, {std::string(8, '\xff'), std::string(8, '\0'), "\x03", "x"});
  for (int i = 0; i < 4000; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
}

TEST(OmFuzz, MutantsOfAnAicpuStepNeverBreakAPromise) {
  model::OfflineModel model = model::small_model();
  model.steps[0].kind = model::StepKind::kAicpu;
  const std::string seed = model::encode(model);
  ASSERT_TRUE(model::decode(seed).ok());
  Mutator mutator(5, {seed}, {std::string(8, '\xff'), std::string(4, '\0'), "\x05", "x"});
  for (int i = 0; i < 4000; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
}

TEST(OmFuzz, MutantsWithAippNeverBreakAPromise) {
  const std::string seed = model::encode(model::with_images(true));
  ASSERT_TRUE(model::decode(seed).ok());
  Mutator mutator(6, {seed}, {std::string(8, '\xff'), std::string(4, '\0'), "\x02", "x"});
  for (int i = 0; i < 4000; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
}

TEST(OmFuzz, MutantsOfBodiesNeverBreakAPromise) {
  const std::string seed = model::encode(model::looped());
  ASSERT_TRUE(model::decode(seed).ok());
  Mutator mutator(7, {seed},
                  {std::string(8, '\xff'), std::string(4, '\0'), "\x06", "If", "Scan", "x"});
  for (int i = 0; i < 6000; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
}

// Every byte of every part takes values that break lengths.
TEST(OmFuzz, EveryByteMayBeHostile) {
  const std::string seed = model::encode(model::small_model());
  for (size_t at = 256; at < seed.size(); ++at) {
    if (at > 400 && seed[at] == 0 && seed[at - 1] == 0 && at % 16 != 0) continue;  // gaps
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string bytes = seed;
      bytes[at] = value;
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    }
  }
}

}  // namespace
}  // namespace opkit::fuzz
