#include "opkit/core/modes/checked/shadow.h"

#include <gtest/gtest.h>

#include <random>

namespace opkit::core::checked {
namespace {

Party writer(uint32_t epoch) {
  Party p;
  p.epoch = epoch;
  p.kind = PartyKind::kPlain;
  return p;
}

// Every byte's writer by the map and by an array must agree.
TEST(ShadowMap, AgreesWithAnArrayOfBytes) {
  constexpr uint64_t kBytes = 3 * ShadowMap::kPageBytes + 100;
  ShadowMap map;
  map.reset(kBytes, Written::kNever);
  std::vector<uint32_t> bytes(kBytes, 0);
  std::mt19937 random(7);
  for (uint32_t step = 1; step < 2000; ++step) {
    const uint64_t begin = random() % kBytes;
    const uint64_t n = 1 + random() % (step % 3 ? 64 : 20000);
    uint64_t covered = begin;
    map.visit(begin, n, [&](Segment& s, uint64_t first, uint64_t count) {
      EXPECT_EQ(first, covered);
      covered += count;
      for (uint64_t i = first; i < first + count; ++i) ASSERT_EQ(bytes[i], s.writer.epoch);
      s.writer = writer(step);
      s.written = Written::kYes;
    });
    const uint64_t end = std::min(begin + n, kBytes);
    EXPECT_EQ(covered, end);
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
              bytes.begin() + static_cast<std::ptrdiff_t>(end), step);
  }
}

TEST(ShadowMap, AResetForgets) {
  ShadowMap map;
  map.reset(64, Written::kNever);
  map.visit(0, 64, [](Segment& s, uint64_t, uint64_t) { s.written = Written::kYes; });
  map.reset(64, Written::kNever);
  int runs = 0;
  map.visit(0, 64, [&](Segment& s, uint64_t, uint64_t n) {
    ++runs;
    EXPECT_EQ(s.written, Written::kNever);
    EXPECT_EQ(n, 64u);
  });
  EXPECT_EQ(runs, 1);
}

TEST(Runs, AdjacentBlocksAreOneRun) {
  Access a;
  a.address = reinterpret_cast<const uint8_t*>(0x1000);
  a.block_bytes = 32;
  a.blocks = 8;
  a.block_pitch = 32;
  a.repeats = 4;
  a.repeat_pitch = 256;
  std::vector<uint64_t> sizes;
  for_each_run(a, [&](const uint8_t*, uint64_t n) { sizes.push_back(n); });
  EXPECT_EQ(sizes, std::vector<uint64_t>{1024});
  a.repeat_pitch = 512;
  sizes.clear();
  for_each_run(a, [&](const uint8_t*, uint64_t n) { sizes.push_back(n); });
  EXPECT_EQ(sizes, (std::vector<uint64_t>{256, 256, 256, 256}));
  a.block_pitch = 64;
  a.repeat_pitch = 0;
  sizes.clear();
  for_each_run(a, [&](const uint8_t*, uint64_t n) { sizes.push_back(n); });
  EXPECT_EQ(sizes.size(), 8u);
}

}  // namespace
}  // namespace opkit::core::checked
