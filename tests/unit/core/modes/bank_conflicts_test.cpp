#include "opkit/core/modes/timed/bank_conflicts.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/rates_910b1.h"

namespace opkit::core::timed {
namespace {

class BankConflictsTest : public testing::Test {
 protected:
  static Access access(const uint8_t* address, bool write, uint32_t repeats, int64_t pitch) {
    Access a;
    a.address = address;
    a.write = write;
    a.block_bytes = 256;
    a.repeats = repeats;
    a.repeat_pitch = pitch;
    return a;
  }

  BankOperand operand(const Access& a) const {
    return {static_cast<uint32_t>(a.address - ub_.data()),
            a.block_bytes,
            a.blocks,
            a.repeats,
            a.block_pitch,
            a.repeat_pitch};
  }

  uint32_t worked_out(const Footprint& f) const {
    BankOperands operands{operand(f.access[0]), {operand(f.access[1]), operand(f.access[2])}, 2};
    return bank_factor(rates_, operands);
  }

  const TimingRates& rates_ = rates_910b1();
  const std::vector<uint8_t> ub_ = std::vector<uint8_t>(196608);
  BankConflicts conflicts_;
};

TEST_F(BankConflictsTest, GivesWhatIsWorkedOutHoweverOftenItIsAsked) {
  std::mt19937 random(7);
  size_t conflicts = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto some = [&] { return ub_.data() + random() % 64 * 1024; };
    const uint32_t repeats = 1 + random() % 3;
    const auto pitch = [&] { return int64_t{256} * (random() % 3); };
    Footprint f;
    f.add(access(some(), true, repeats, pitch()));
    f.add(access(some(), false, repeats, pitch()));
    f.add(access(some(), false, repeats, pitch()));
    const uint32_t factor = conflicts_.factor(rates_, ub_.data(), f);
    ASSERT_EQ(factor, worked_out(f));
    ASSERT_EQ(conflicts_.factor(rates_, ub_.data(), f), factor);
    conflicts += factor > 1000;
  }
  EXPECT_GT(conflicts, 100u);
  EXPECT_LT(conflicts, 2000u);
}

TEST_F(BankConflictsTest, OperandsOutsideUbMeetInNoBank) {
  Footprint f;
  f.add(access(ub_.data(), true, 1, 0));
  Access elsewhere = access(ub_.data(), false, 1, 0);
  elsewhere.memory = OPK_MEM_L1;
  f.add(elsewhere);
  EXPECT_EQ(conflicts_.factor(rates_, ub_.data(), f), 1000u);
}

}  // namespace
}  // namespace opkit::core::timed
