#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <random>

#include <algorithm>
#include <functional>
#include <numeric>

#include "opkit/atc/memory/check.h"
#include "opkit/atc/memory/csv.h"
#include "opkit/atc/memory/fit.h"
#include "opkit/atc/memory/greedy.h"
#include "opkit/atc/memory/plan.h"
#include "opkit/atc/memory/rank.h"
#include "opkit/atc/memory/search.h"

namespace opkit::memory_plan {
namespace {

using ::testing::HasSubstr;

rc::Gen<Buffers> any_buffers(int most) {
  return rc::gen::exec([most] {
    const int count = *rc::gen::inRange(0, most);
    Buffers buffers;
    for (int i = 0; i < count; ++i) {
      const int64_t lower = *rc::gen::inRange(0, 12);
      const int64_t upper = lower + *rc::gen::inRange(1, 8);
      const auto size = static_cast<uint64_t>(*rc::gen::inRange(0, 5000));
      buffers.push_back({"b" + std::to_string(i), lower, upper, size});
    }
    return buffers;
  });
}

RC_GTEST_PROP(MemoryPlan, IsRightAndNeverBelowTheBound, ()) {
  const Buffers buffers = *any_buffers(24);
  const auto made = plan(buffers, {.steps = 3000});
  RC_ASSERT(made.ok());
  RC_ASSERT(check(buffers, made->offsets, made->total, kAlignment).ok());
  RC_ASSERT(made->total >= made->bound);
  uint64_t all = 0;
  for (const Buffer& buffer : buffers) all += aligned(buffer.size);
  RC_ASSERT(made->total <= all);
}

// Every order of the buffers, each on top of what it meets: one of them gives the smallest block.
uint64_t smallest(const Buffers& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  uint64_t best = ~uint64_t{0};
  do {
    Offsets offsets(buffers.size());
    uint64_t top = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      uint64_t& at = offsets[order[i]];
      for (size_t j = 0; j < i; ++j) {
        if (buffers[order[i]].meets(buffers[order[j]]))
          at = std::max(at, offsets[order[j]] + buffers[order[j]].size);
      }
      top = std::max(top, at + buffers[order[i]].size);
    }
    best = std::min(best, top);
  } while (std::next_permutation(order.begin(), order.end()));
  return buffers.empty() ? 0 : best;
}

RC_GTEST_PROP(MemoryPlan, SearchFindsTheSmallestBlock, ()) {
  Buffers buffers = *any_buffers(7);
  for (Buffer& buffer : buffers) buffer.size = buffer.size % 7 + 1;
  const uint64_t best = smallest(buffers);
  const SearchResult found = search(buffers, best + 1, 0, 10000000);
  RC_ASSERT(found.complete);
  RC_ASSERT(buffers.empty() || found.offsets.has_value());
  if (found.offsets) {
    RC_ASSERT(total_of(buffers, *found.offsets) == best);
    RC_ASSERT(check(buffers, *found.offsets, best, 1).ok());
  }
  RC_ASSERT(!search(buffers, best, 0, 10000000).offsets.has_value());
}

// A block that was cut into buffers, in time and in height by turns: they fit without a gap.
class CutBlock {
 public:
  CutBlock(uint32_t seed, int64_t times, uint64_t size) : state_(seed * 2654435761u) {
    cut(0, times, size);
  }
  const Buffers& buffers() const { return buffers_; }

 private:
  uint32_t pick(uint32_t n) {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 16) % n;
  }

  void cut(int64_t lower, int64_t upper, uint64_t size) {
    const bool in_time = upper - lower > 1 && pick(2) == 0;
    if ((upper - lower) * static_cast<int64_t>(size) < 12 || (!in_time && size < 2)) {
      buffers_.push_back({std::to_string(buffers_.size()), lower, upper, size});
    } else if (in_time) {
      const int64_t middle = lower + 1 + pick(static_cast<uint32_t>(upper - lower - 1));
      cut(lower, middle, size);
      cut(middle, upper, size);
    } else {
      const uint64_t below = 1 + pick(static_cast<uint32_t>(size - 1));
      cut(lower, upper, below);
      cut(lower, upper, size - below);
    }
  }

  uint32_t state_;
  Buffers buffers_;
};

// In every order; a placement that looks for another of its parts again leaves no trace.
TEST(Fit, NeverTakesWhatFitsForImpossible) {
  size_t tries = 0, found = 0, parts = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    const Buffers buffers = CutBlock(seed, 16, 16).buffers();
    parts += buffers.size();
    for (size_t order = 0; order < kOrders; ++order, ++tries) {
      const Fit made = fit(buffers, 16, order, 20000);
      EXPECT_FALSE(made.impossible) << "seed " << seed << ", order " << order;
      found += made.offsets.has_value();
      EXPECT_TRUE(!made.offsets || check(buffers, *made.offsets, 16, 1).ok());
      EXPECT_FALSE(fit(buffers, 15, order, 20000).offsets.has_value());
    }
  }
  EXPECT_GT(parts, 60u * 15);
  EXPECT_GT(found, tries * 3 / 4);
}

// Greedy stacks the long buffer onto the large ones; the search puts it below.
TEST(MemoryPlan, SearchBeatsGreedyWhereGreedyIsNotTheBound) {
  size_t better = 0, optimal = 0;
  for (uint32_t seed = 1; seed < 200; ++seed) {
    uint32_t state = seed * 2654435761u;
    const auto pick = [&](uint32_t n) {
      state = state * 1664525u + 1013904223u;
      return (state >> 16) % n;
    };
    Buffers buffers;
    for (size_t i = 0; i < 7; ++i) {
      const int64_t lower = pick(8);
      buffers.push_back({std::to_string(i), lower, lower + 1 + pick(5), 512 * (1 + pick(6))});
    }
    const auto greedy = plan(buffers, {.steps = 0}), searched = plan(buffers);
    ASSERT_TRUE(greedy.ok() && searched.ok());
    EXPECT_EQ(greedy->by, "greedy");
    EXPECT_LE(searched->total, greedy->total);
    EXPECT_GE(searched->total, smallest(buffers));
    EXPECT_EQ(searched->total, smallest(buffers));
    better += searched->total < greedy->total;
    optimal += searched->optimal();
  }
  EXPECT_GT(better, 5u);
  EXPECT_GT(optimal, 100u);
}

TEST(MemoryPlan, LargeProblemsEndAtTheLimit) {
  Buffers buffers;
  for (int i = 0; i < 400; ++i)
    buffers.push_back({std::to_string(i), i % 37, i % 37 + 1 + i % 11, 512u * (1 + i * 7 % 23)});
  const auto made = plan(buffers, {.steps = 20000});
  ASSERT_TRUE(made.ok());
  EXPECT_GE(made->total, made->bound);
  EXPECT_LT(made->total, made->bound * 5 / 4);
}

// Against every pair of buffers.
TEST(CheckPlan, AgreesWithEveryPair) {
  std::mt19937 random(8);
  size_t fine = 0, wrong = 0;
  for (int problem = 0; problem < 2000; ++problem) {
    Buffers buffers;
    Offsets offsets;
    for (size_t count = 2 + random() % 6; buffers.size() < count;) {
      const auto lower = static_cast<int64_t>(random() % 8);
      buffers.push_back({std::to_string(buffers.size()), lower,
                         lower + 1 + static_cast<int64_t>(random() % 4), uint64_t{random() % 4}});
      offsets.push_back(random() % 12);
    }
    bool apart = true;
    for (size_t a = 0; a < buffers.size(); ++a) {
      for (size_t b = 0; b < a; ++b)
        apart = apart && (!buffers[a].meets(buffers[b]) || buffers[a].size == 0 ||
                          buffers[b].size == 0 || offsets[a] + buffers[a].size <= offsets[b] ||
                          offsets[b] + buffers[b].size <= offsets[a]);
    }
    EXPECT_EQ(check(buffers, offsets, 16, 1).ok(), apart) << problem;
    ++(apart ? fine : wrong);
  }
  EXPECT_GT(fine, 100u);
  EXPECT_GT(wrong, 100u);
}

TEST(CheckPlan, FindsEveryMistake) {
  const Buffers buffers = {{"a", 0, 2, 512}, {"b", 1, 3, 1024}, {"c", 2, 4, 512}};
  const auto refused = [&](Offsets offsets, uint64_t total) {
    const Status status = check(buffers, offsets, total, 512);
    return status.ok() ? std::string() : status.error().to_string();
  };
  EXPECT_EQ(refused({0, 512, 0}, 1536), "");
  EXPECT_THAT(refused({0, 0, 1024}, 1536), HasSubstr("OPK-MEMORY-001: buffers a and b share"));
  EXPECT_THAT(refused({0, 512, 1024}, 1536), HasSubstr("buffers b and c share bytes at 1024"));
  EXPECT_THAT(refused({0, 512, 100}, 1536), HasSubstr("no multiple of 512"));
  EXPECT_THAT(refused({0, 1024, 0}, 1536), HasSubstr("ends behind the block"));
  EXPECT_THAT(refused({0, 512}, 1536), HasSubstr("3 buffers have 2 offsets"));
}

RC_GTEST_PROP(MemoryPlanCsv, ReadsBack, ()) {
  const Buffers buffers = *any_buffers(10);
  const auto table = parse_csv(to_csv(buffers), "plan.csv");
  RC_ASSERT(table.ok() && !table->offsets && table->buffers.size() == buffers.size());
  const auto made = plan(buffers, {.steps = 100});
  const auto placed = parse_csv(to_csv(buffers, &made->offsets), "plan.csv");
  RC_ASSERT(placed.ok() && placed->offsets == made->offsets);
  for (size_t i = 0; i < buffers.size(); ++i) {
    RC_ASSERT(placed->buffers[i].id == buffers[i].id);
    RC_ASSERT(placed->buffers[i].lower == buffers[i].lower);
    RC_ASSERT(placed->buffers[i].upper == buffers[i].upper);
    RC_ASSERT(placed->buffers[i].size == buffers[i].size);
  }
}

TEST(MemoryPlanCsv, RefusesWithThePlace) {
  const auto refused = [](const char* text) {
    const auto table = parse_csv(text, "m.csv");
    return table.ok() ? std::string() : table.error().to_string();
  };
  EXPECT_THAT(refused("a,b\n"), HasSubstr("m.csv:1:1: error OPK-MEMORY-002"));
  EXPECT_THAT(refused("id,lower,upper,size\nx,0,1,5\ny,0,z,5\n"), HasSubstr("m.csv:3:5"));
  EXPECT_THAT(refused("id,lower,upper,size\nx,0,1\n"), HasSubstr("no whole number"));
  EXPECT_THAT(refused("id,lower,upper,size\nx,0,1,5,9\n"), HasSubstr("more cells"));
  EXPECT_THAT(refused("id,lower,upper,size\nx,3,3,5\n"), HasSubstr("before it begins"));
  EXPECT_THAT(refused("id,lower,upper,size\nx,0,1,-5\n"), HasSubstr("m.csv:2:7"));
  EXPECT_THAT(refused("id,lower,upper,size\nx,0,1,99999999999999999\n"), HasSubstr("2^50"));
  EXPECT_EQ(refused("id,lower,upper,size\r\nx,0,1,5\r\n"), "");
}

}  // namespace
}  // namespace opkit::memory_plan
