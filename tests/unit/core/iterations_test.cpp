// Element-wise instructions whose blocks lie apart or over each other, against one iteration after
// the other: each reads all that it reads before it writes.
#include <gtest/gtest.h>

#include <array>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kBlock = 8, kBlocks = 2048, kAll = kBlock * kBlocks;

// An operand: its first block, and the steps from block to block and from iteration to iteration.
struct Operand {
  uint32_t first, block, repeat;

  uint32_t at(uint32_t r, uint32_t i) const {
    return (first + r * repeat + i / kBlock * block) * kBlock + i % kBlock;
  }
};

struct Case {
  const char* name;
  Operand dst, a, b;
  uint32_t mask, repeats;
};

const Case kCases[] = {
    {"apart", {0, 2, 16}, {1024, 3, 24}, {512, 1, 8}, 64, 17},
    {"of one block", {0, 2, 16}, {1024, 2, 16}, {512, 0, 0}, 64, 9},
    {"of few blocks", {0, 3, 11}, {1024, 1, 4}, {512, 2, 5}, 24, 21},
    {"by columns", {0, 20, 1}, {1024, 20, 1}, {512, 0, 0}, 64, 20},
    {"in place", {0, 2, 16}, {0, 2, 16}, {512, 0, 1}, 64, 13},
    {"of the iteration before", {16, 2, 16}, {0, 2, 16}, {512, 1, 8}, 64, 12},
    {"onto itself", {0, 2, 0}, {1024, 1, 8}, {512, 1, 8}, 64, 10},
    {"with numbers between the results", {0, 2, 16}, {1024, 1, 8}, {5, 0, 0}, 64, 10},
    {"of parts of blocks", {0, 2, 16}, {1024, 2, 16}, {512, 0, 0}, 61, 9},
    {"often", {0, 1, 4}, {1024, 0, 1}, {512, 0, 0}, 32, 250},
};

const Case* current = nullptr;  // kernels have no arguments but addresses

LocalTensor<float> at(const Operand& operand) {
  return LocalTensor<float>(TPosition::VECCALC, 0, kAll)[operand.first * kBlock];
}

void kernel(void* const* args) {
  GlobalTensor<float> x;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), kAll);
  const LocalTensor<float> all(TPosition::VECCALC, 0, kAll);
  DataCopy(all, x, kAll);
  PipeBarrier<PIPE_ALL>();
  const Case& c = *current;
  const auto small = [](uint32_t n) { return static_cast<uint8_t>(n); };
  const BinaryRepeatParams steps(small(c.dst.block), small(c.a.block), small(c.b.block),
                                 small(c.dst.repeat), small(c.a.repeat), small(c.b.repeat));
  Sub(at(c.dst), at(c.a), at(c.b), uint64_t{c.mask}, small(c.repeats), steps);
  MulAddDst(at(c.dst), at(c.a), at(c.b), uint64_t{c.mask}, small(c.repeats), steps);
  PipeBarrier<PIPE_ALL>();
  DataCopy(x, all, kAll);
}

template <typename Compute>
void one_by_one(const Case& c, std::vector<float>& all, const Compute& compute) {
  for (uint32_t r = 0; r < c.repeats; ++r) {
    std::array<float, 64> results{};
    for (uint32_t i = 0; i < c.mask; ++i)
      results[i] = compute(all[c.a.at(r, i)], all[c.b.at(r, i)], all[c.dst.at(r, i)]);
    for (uint32_t i = 0; i < c.mask; ++i) all[c.dst.at(r, i)] = results[i];
  }
}

// Small whole numbers: every result is exact, but for those that grow without end.
std::vector<float> numbers() {
  std::vector<float> all(kAll);
  for (uint32_t i = 0; i < kAll; ++i) all[i] = static_cast<float>(static_cast<int>(i * 7 % 5) - 2);
  return all;
}

TEST(Iterations, FollowEachOther) {
  for (const Case& c : kCases) {
    current = &c;
    std::vector<float> got = numbers(), wanted = numbers();
    ASSERT_TRUE(run<kernel>({got.data()}).ok()) << c.name;
    one_by_one(c, wanted, [](float a, float b, float) { return a - b; });
    one_by_one(c, wanted, [](float a, float b, float old) { return a * b + old; });
    for (uint32_t i = 0; i < kAll; ++i) ASSERT_EQ(got[i], wanted[i]) << c.name << ", element " << i;
  }
}

}  // namespace
}  // namespace opkit::core::test
