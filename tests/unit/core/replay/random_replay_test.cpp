// Random kernels of one vector core: wherever a program is made, it has the kernel's bits, with
// copies that overlap, rows with gaps and tensors that lie in one another.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::random_replays {
namespace {

using namespace AscendC;

constexpr uint32_t kFloats = 8192, kPart = 2048;  // count the floats of a tensor, of a block in it
constexpr uint32_t kRoom = 4096;                  // floats of UB that are used

enum class Step {
  kIn,
  kOut,
  kWithin,
  kAdd,
  kScale,
  kRelu,
  kAxpy,
  kRows,
  kSums,
  kParts,
  kJoinRows,
  kPadIn,
  kSteps
};

struct Line {
  Step step = Step::kIn;
  uint32_t to = 0, a = 0, b = 0;  // floats, from the beginning of UB or of the block's part
  uint32_t n = 8;                 // floats
  uint32_t rows = 1, gap = 0;     // gap: of rows, in blocks of 32 bytes
  bool of_y = false;
};

const std::vector<Line>* lines = nullptr;

LocalTensor<float> at(uint32_t from) {
  return LocalTensor<float>(TPosition::VECCALC, from * 4, kRoom - from);
}

struct Interpreter {
  GlobalTensor<float> x, y, z;
  uint32_t part = static_cast<uint32_t>(GetBlockIdx()) * kPart;

  explicit Interpreter(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kFloats);
    y.SetGlobalBuffer(static_cast<float*>(args[1]), kFloats);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), kFloats);
  }
  static DataCopyParams copy_of(const Line& l, bool gap_in_source) {
    const auto gap = static_cast<uint16_t>(l.gap);
    return {static_cast<uint16_t>(l.rows), static_cast<uint16_t>(l.n / 8),
            gap_in_source ? gap : uint16_t{0}, gap_in_source ? uint16_t{0} : gap};
  }
  // Spreads one row, or a block each, over rows that follow each other, and works on all of them.
  static void join_rows(const Line& l) {
    const auto n = static_cast<int32_t>(l.n);
    for (uint32_t r = 0; r < l.rows; ++r) {
      const LocalTensor<float> to = at(l.to + r * 64), a = at(l.a + r * 64);
      if (l.gap == 0) Mul(to, a, at(l.b), n);
      if (l.gap == 1) FusedMulAdd(to, at(l.a), at(l.b), n);
      if (l.gap == 2)
        Sub(to, a, at(l.b + 8 * r), uint64_t{64}, 1, BinaryRepeatParams(1, 1, 0, 8, 8, 0));
    }
    if (l.of_y) Muls(at(l.to), at(l.to), 0.75f, n * static_cast<int32_t>(l.rows));
  }
  void run(const Line& l) const {
    const auto n = static_cast<int32_t>(l.n);
    const auto rows = static_cast<uint8_t>(l.rows);
    switch (l.step) {
      case Step::kIn:
        return DataCopy(at(l.to), (l.of_y ? y : x)[part + l.a], copy_of(l, l.b % 2 == 0));
      case Step::kOut: return DataCopy(z[part + l.to], at(l.a), copy_of(l, l.b % 2 == 0));
      case Step::kWithin: return DataCopy(at(l.to), at(l.a), copy_of(l, l.b % 2 == 0));
      case Step::kAdd: return Add(at(l.to), at(l.a), at(l.b), n);
      case Step::kScale: return Muls(at(l.to), at(l.a), l.of_y ? 0.75f : -1.5f, n);
      case Step::kRelu: return Relu(at(l.to), at(l.a), n);
      case Step::kAxpy: return Axpy(at(l.to), at(l.a), 0.5f, n);
      case Step::kRows:
        return Sub(at(l.to), at(l.a), at(l.b), uint64_t{64}, rows,
                   BinaryRepeatParams(1, 1, 1, 8 + static_cast<uint8_t>(l.gap), 8, l.of_y ? 8 : 0));
      case Step::kParts:
        if (l.gap == 0) return BlockReduceSum(at(l.to), at(l.a), rows, 64, 1, 1, 8);
        if (l.gap == 1) return BlockReduceMax(at(l.to), at(l.a), rows, 64, 1, 1, 8);
        return BlockReduceMin(at(l.to), at(l.a), rows, 64, 1, 1, 8);
      case Step::kJoinRows: return join_rows(l);
      case Step::kSums: return WholeReduceSum(at(l.to), at(l.a), 64, rows, 1, 1, 8);
      default: {
        const DataCopyExtParams copy{static_cast<uint16_t>(l.rows), (l.n - 3) * 4, 0, l.gap, 0};
        return DataCopyPad(at(l.to), (l.of_y ? y : x)[part + l.a], copy,
                           DataCopyPadExtParams<float>{l.b % 2 == 0, 0, 3, 1.25f});
      }
    }
  }
};

void body(void* const* args) {
  const Interpreter kernel(args);
  Duplicate(at(0), 0.5f, static_cast<int32_t>(kRoom));
  for (const Line& line : *lines) kernel.run(line);
}

class Drawing {
 public:
  explicit Drawing(uint32_t seed) : random_(seed) {}

  std::vector<Line> lines() {
    std::vector<Line> all;
    const uint32_t steps = 4 + below(24);
    for (uint32_t i = 0; i < steps; ++i) all.push_back(line());
    return all;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  // A place with room for so many floats; few places, so that lines meet.
  uint32_t place(uint32_t room, uint32_t floats) {
    const uint32_t wanted = below(3) == 0 ? below(room / 8) * 8 : below(room / 512) * 512;
    return std::min(wanted, room - floats);
  }
  Line line() {
    Line l;
    l.step = static_cast<Step>(below(static_cast<uint32_t>(Step::kSteps)));
    const bool moves = l.step <= Step::kWithin || l.step == Step::kPadIn;
    const bool has_rows = l.step >= Step::kRows && l.step <= Step::kJoinRows;
    l.n = has_rows ? 64 : 8 * (1 + below(64));
    l.rows = has_rows || (moves && below(3) == 0) ? 1 + below(4) : 1;
    l.gap = below(3);
    if (below(2) == 0 && !has_rows) l.n = 512;
    const uint32_t room_of_gm = kPart, most = l.rows * (l.n + 8 * (l.gap + 1));
    if (most > kPart) l.rows = 1;
    const uint32_t floats = std::min(kPart, l.rows * (l.n + 8 * (l.gap + 1)));
    l.of_y = below(2) == 0;
    const bool in = l.step == Step::kIn || l.step == Step::kPadIn;
    l.to = l.step == Step::kOut ? place(room_of_gm, floats) : place(kRoom, floats);
    l.a = in ? place(room_of_gm, floats) : place(kRoom, floats);
    l.b = moves ? below(2) : place(kRoom, floats);
    if (!moves && !has_rows && below(3) == 0) l.a = l.to;  // works in place
    return l;
  }

  std::mt19937 random_;
};

TEST(RandomReplay, ProgramsHaveTheKernelsBits) {
  uint32_t programs = 0, refused = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const std::vector<Line> drawn = Drawing(seed).lines();
    lines = &drawn;
    ReplayedSetup setup;
    setup.launches = 3;
    setup.in_place = seed % 3 == 0;
    const Replayed seen = replayed<body>(setup);
    ASSERT_TRUE(seen.ok && seen.same) << "seed " << seed << " " << seen.report.why;
    ++(seen.report.has_program ? programs : refused);
  }
  // Both kinds must be there in numbers, or this proves nothing.
  EXPECT_GT(programs, 100u);
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace opkit::core::test::random_replays
