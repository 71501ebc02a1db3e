#include "opkit/core/state/block_shares.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace opkit::core {
namespace {

TEST(BlockShares, OneWorkerTakesBlocksInOrder) {
  BlockShares shares;
  shares.reset(5, 1);
  for (uint32_t block = 0; block < 5; ++block) EXPECT_EQ(shares.take(0), block);
  EXPECT_EQ(shares.take(0), BlockShares::kNone);
}

TEST(BlockShares, EveryWorkerHasARunOfItsOwn) {
  BlockShares shares;
  shares.reset(8, 2);
  EXPECT_EQ(shares.take(1), 4u);
  EXPECT_EQ(shares.take(0), 0u);
  EXPECT_EQ(shares.take(1), 5u);
}

TEST(BlockShares, WhoIsDoneTakesFromTheEndOfAnothersRun) {
  BlockShares shares;
  shares.reset(4, 2);
  EXPECT_EQ(shares.take(0), 0u);
  EXPECT_EQ(shares.take(0), 1u);
  EXPECT_EQ(shares.take(0), 3u);
  EXPECT_EQ(shares.take(1), 2u);
  EXPECT_EQ(shares.take(0), BlockShares::kNone);
  EXPECT_EQ(shares.take(1), BlockShares::kNone);
}

TEST(BlockShares, MoreWorkersThanBlocks) {
  BlockShares shares;
  shares.reset(2, 5);
  std::vector<uint32_t> taken;
  for (unsigned worker = 0; worker < 5; ++worker) {
    const uint32_t block = shares.take(worker);
    if (block != BlockShares::kNone) taken.push_back(block);
  }
  EXPECT_EQ(taken.size(), 2u);
}

TEST(BlockShares, EveryBlockIsTakenOnceByCompetingThreads) {
  constexpr uint32_t kBlocks = 20000;
  BlockShares shares;
  shares.reset(kBlocks, 3);
  std::vector<std::atomic<int>> taken(kBlocks);
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < 3; ++worker) {
    threads.emplace_back([&, worker] {
      for (uint32_t b = shares.take(worker); b != BlockShares::kNone; b = shares.take(worker))
        taken[b].fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t b = 0; b < kBlocks; ++b) ASSERT_EQ(taken[b].load(), 1) << b;
}

}  // namespace
}  // namespace opkit::core
