// Machine code of groups of steps against the row functions: random groups over every operation
// that has code, on values that operations tell apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>

#include "opkit/core/replay/code_pages.h"
#include "opkit/core/replay/loop_builder.h"
#include "opkit/core/replay/loop_code.h"
#include "opkit/core/replay/loop_math.h"
#include "opkit/core/rows/cast_modes.h"

namespace opkit::core {
namespace {

using In = BytePlace::In;

constexpr uint32_t kSlots = 6;         // in each memory
constexpr uint64_t kSlot = 6144 + 96;  // bytes
constexpr uint64_t kFirst = 32;        // bytes of UB in front of the first slot

// What a group works on: UB, two tensors, scratch memory.
struct Memories {
  std::vector<uint8_t> ub = std::vector<uint8_t>(kFirst + kSlots * kSlot);
  std::vector<uint8_t> gm = std::vector<uint8_t>(kSlots * kSlot);
  std::vector<uint8_t> scratch = std::vector<uint8_t>(kSlots * kSlot);

  uint8_t* at(const BytePlace& place) {
    if (place.in == In::kUb) return ub.data() + place.at;
    if (place.in == In::kGm) return gm.data() + place.index / 2 * kSlot;  // two numbers a place
    return scratch.data() + place.at;
  }
  bool operator==(const Memories& o) const { return ub == o.ub && gm == o.gm; }
};

// Numbers 2i and 2i + 1 are one place in GM.
std::vector<BytePlace> numbered_places() {
  std::vector<BytePlace> all;
  for (uint32_t i = 0; i < 2 * kSlots; ++i) all.push_back({In::kGm, i / 2, 0});
  return all;
}

// 0 for types of 32 bits; types of 16 bits do not mix.
uint32_t kind_of(uint8_t dtype) { return dtype == OPK_FLOAT16 ? 1 : dtype == OPK_BFLOAT16 ? 2 : 0; }

class GroupDrawing {
 public:
  explicit GroupDrawing(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  std::vector<ProgramStep> group() {
    type_ = below(4) == 0   ? OPK_INT32
            : below(8) == 0 ? OPK_BFLOAT16
            : below(2) == 0 ? OPK_FLOAT16
                            : OPK_FLOAT32;
    const uint32_t block = 16 * (1 + below(6));
    row_ = below(2) == 0 ? 0 : block;
    n_ = row_ != 0 ? row_ * (1 + below(8)) : 1 + below(600);
    std::vector<ProgramStep> steps;
    const uint32_t count = 1 + below(12);
    while (steps.size() < count) add(steps);
    return steps;
  }
  void fill(std::vector<uint8_t>& memory) {
    for (size_t i = 0; i + 4 <= memory.size(); i += 4) {
      const uint32_t bits = value();
      std::memcpy(memory.data() + i, &bits, 4);
    }
  }

 private:
  // Halves of the random ones are halves, with all that these have.
  uint32_t value() {
    static const uint32_t kOdd[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00001,
                                    0xffc12345, 0x7f800001, 0x00000001, 0x807fffff, 0x7f7fffff,
                                    0x3f800000, 0xbf800000, 0x7c007c00, 0xfc01fe01, 0x7e017bff,
                                    0x00018001, 0x4b7fffff, 0x4f000000, 0xcf000000, 0x3f000000,
                                    0x42b17217, 0xc2aeac50, 0xc2cff1b4, 0x3fb504f3, 0x3f3504f3};
    if (below(4) == 0) return kOdd[below(std::size(kOdd))];
    if (below(3) == 0) return static_cast<uint32_t>(random_());
    const float near = static_cast<float>(static_cast<int32_t>(below(40001)) - 20000) / 128.0f;
    return __builtin_bit_cast(uint32_t, near);
  }

  BytePlace slot(In in) {
    const uint32_t number = below(kSlots);
    if (in == In::kGm) return {in, 2 * number + below(2), 0};
    return {in, 0, (in == In::kUb ? kFirst : 0) + number * kSlot};
  }
  BytePlace any(const std::vector<ProgramStep>& steps) {
    const uint32_t kind = below(3);
    if (kind == 0 || steps.empty()) return slot(In::kUb);
    return kind == 1 ? slot(In::kGm) : slot(In::kScratch);
  }

  // Steps of one type, and at times a conversion to another one.
  void add(std::vector<ProgramStep>& steps) {
    ProgramStep s;
    s.n = n_;
    s.joins = !steps.empty();
    s.op = static_cast<uint16_t>(below(OPK_V_COUNT_));
    if (below(4) == 0) s.op = OPK_V_CAST;
    if (below(8) == 0) s.op = OPK_V_EXP;
    s.src_dtype = s.dtype = type_;
    const uint8_t types[] = {OPK_FLOAT32, OPK_FLOAT16, OPK_INT32, OPK_BFLOAT16};
    if (s.op == OPK_V_CAST || below(6) == 0) s.dtype = types[below(4)];
    const Row& row = find_row(s.op, s.dtype, s.src_dtype);
    if (!row.fn) return;
    s.fn = row.fn;
    s.sources = row.sources;
    s.reads_to = row.reads_dst;
    s.to_bytes = kind_of(s.dtype) == 0 ? 4 : 2;
    s.src_bytes = kind_of(s.src_dtype) == 0 ? 4 : 2;
    s.saturate = row.saturates && below(2) == 0 ? s.dtype : -1;
    s.context.scalar[0] = value();
    s.context.mode = static_cast<uint8_t>(below(7));
    s.context.deq_scale = 0.125f;
    if (s.sources == 2 && row_ != 0 && below(2) == 0) make_rows(s, row);
    if (!knows_step(s) || !place(s, steps)) return;
    type_ = s.dtype;
    steps.push_back(s);
  }

  void make_rows(ProgramStep& s, const Row& row) {
    s.fold_row = row_;
    s.folded = row.folded != nullptr && below(2) == 0;
    if (s.folded) s.fn = row.folded;
    s.folds_a = !s.folded && below(3) == 0;
    s.fold_pitch = s.folded ? 32 * below(3) : s.src_bytes * row_ * below(3);
  }

  // Slots are whole: one is read as what it was written as, and rows are only read.
  bool place(ProgramStep& s, const std::vector<ProgramStep>& steps) {
    s.to = any(steps);
    if (s.sources > 0) s.a = below(3) == 0 ? s.to : any(steps);
    if (s.folds_a) s.a = slot(below(2) ? In::kUb : In::kGm);
    if (s.sources > 1) s.b = s.fold_row != 0 ? slot(below(2) ? In::kUb : In::kGm) : any(steps);
    if (s.dtype != s.src_dtype && same_slot(s.a, s.to)) return false;
    if (s.fold_row != 0 && (!may_read(s.b, true, s.src_dtype, steps) ||
                            (s.folds_a && !may_read(s.a, true, s.src_dtype, steps))))
      return false;
    const bool reads_b = s.sources > 1 && s.fold_row == 0;
    return may_read(s.a, s.sources > 0 && !s.folds_a, s.src_dtype, steps) &&
           may_read(s.b, reads_b, s.src_dtype, steps) &&
           may_read(s.to, s.reads_to, s.dtype, steps) && may_write(s, steps) &&
           (s.fold_row == 0 || may_spread(s, s.b, steps)) &&
           (!s.folds_a || may_spread(s, s.a, steps));
  }
  static bool same_slot(const BytePlace& x, const BytePlace& y) {
    return x.in == y.in && x.at == y.at && x.index / 2 == y.index / 2;
  }
  static bool may_read(const BytePlace& place, bool reads, uint8_t dtype,
                       const std::vector<ProgramStep>& steps) {
    if (!reads) return true;
    bool written = place.in != In::kScratch;
    for (const ProgramStep& t : steps) {
      const bool read =
          (t.sources > 0 && same_slot(t.a, place)) || (t.sources > 1 && same_slot(t.b, place));
      if (read && kind_of(t.src_dtype) + kind_of(dtype) == 3) return false;
      if (!same_slot(t.to, place)) continue;
      if (kind_of(t.dtype) != kind_of(dtype)) return false;
      written = true;
    }
    return written;
  }
  static bool may_write(const ProgramStep& s, const std::vector<ProgramStep>& steps) {
    return std::all_of(steps.begin(), steps.end(), [&](const ProgramStep& t) {
      const bool alike = kind_of(t.dtype) == kind_of(s.dtype);
      const bool read_alike = kind_of(t.src_dtype) == kind_of(s.dtype);
      if (same_slot(t.to, s.to) && !alike) return false;
      if (t.sources > 0 && same_slot(t.a, s.to) && (!read_alike || t.folds_a)) return false;
      if (t.sources > 1 && same_slot(t.b, s.to) && (!read_alike || t.fold_row != 0)) return false;
      return true;
    });
  }
  static bool may_spread(const ProgramStep& s, const BytePlace& source,
                         const std::vector<ProgramStep>& steps) {
    return !same_slot(source, s.to) &&
           std::none_of(steps.begin(), steps.end(),
                        [&](const ProgramStep& t) { return same_slot(t.to, source); });
  }

  std::mt19937 random_;
  uint8_t type_ = OPK_FLOAT32;
  uint32_t row_ = 0;
  uint64_t n_ = 0;
};

// The passes, one step after the other, from element number `from` on.
void run_rows(const std::vector<ProgramStep>& steps, uint64_t from, Memories& in) {
  for (const ProgramStep& s : steps) {
    for (uint64_t i = from; i < s.n;) {
      const uint64_t row = s.fold_row != 0 ? i / s.fold_row : 0;
      const uint64_t end = s.fold_row != 0 ? (row + 1) * s.fold_row : s.n;
      uint8_t* to = in.at(s.to) + i * s.to_bytes;
      const uint8_t* a = s.sources > 0 ? in.at(s.a) + (s.folds_a ? 0 : i * s.src_bytes) : to;
      const uint8_t* b = s.sources > 1 ? in.at(s.b) : a;
      if (s.sources > 1 && s.fold_row == 0) b += i * s.src_bytes;
      if (s.sources > 1 && s.fold_row != 0) b += row * s.fold_pitch;
      s.fn(to, a, b, s.context, end - i);
      if (s.saturate >= 0) saturate_row(static_cast<uint32_t>(s.saturate), to, end - i);
      i = end;
    }
  }
}

struct Seen {
  uint32_t compiled = 0, refused = 0;
  std::set<uint16_t> ops;
};

std::string text_of(const std::vector<ProgramStep>& steps) {
  std::string text = std::to_string(steps[0].n) + " elements";
  for (const ProgramStep& s : steps)
    text += "; " + std::to_string(s.op) + ": " + std::to_string(s.src_dtype) + " to " +
            std::to_string(s.dtype) + (s.fold_row != 0 ? s.folded ? " blocks" : " rows" : "");
  return text;
}

void compare(uint32_t seed, LoopHost host, const LoopForm& form, Seen& seen) {
  GroupDrawing drawing(seed);
  const std::vector<ProgramStep> steps = drawing.group();
  const std::vector<BytePlace> places = numbered_places();
  const std::vector<const std::vector<BytePlace>*> blocks = {&places};
  const auto loop = loop_of(steps.data(), steps.data() + steps.size(), SamePlaces(blocks), form);
  ASSERT_TRUE(loop) << "seed " << seed << ": " << text_of(steps);
  std::vector<uint8_t> code(1, 0xcc);
  const LoopPart part = append_loop(loop->body, host, code);
  if (part.elements == 0) {
    ++seen.refused;
    return;
  }
  ++seen.compiled;
  for (const ProgramStep& s : steps) seen.ops.insert(s.op);
  const auto pages = CodePages::make(code);
  ASSERT_TRUE(pages);
  Memories expected;
  drawing.fill(expected.ub);
  drawing.fill(expected.gm);
  Memories got = expected;
  run_rows(steps, 0, expected);
  std::vector<uint8_t*> frame = {got.ub.data()};
  for (const uint32_t number : loop->places) frame.push_back(got.at({In::kGm, number, 0}));
  reinterpret_cast<LoopFn>(reinterpret_cast<uintptr_t>(pages->begin() + part.at))(frame.data());
  run_rows(steps, part.elements, got);
  ASSERT_TRUE(got == expected) << "seed " << seed << ": " << text_of(steps);
}

void compare_all(LoopHost host) {
  if (loop_host() < host || loop_host() == LoopHost::kNone) GTEST_SKIP() << "not on this host";
  Seen seen;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    const LoopForm form = {seed % 3 == 0, seed % 3 != 2};
    compare(seed, host, form, seen);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(seen.compiled, 1300u);
  // Every operation that is known was there.
  EXPECT_EQ(seen.ops.size(), 27u);
}

TEST(MachineCode, HasThePassesBitsWithAvx512) { compare_all(LoopHost::kAvx512); }
TEST(MachineCode, HasThePassesBitsWithAvx2) { compare_all(LoopHost::kAvx2); }

}  // namespace
}  // namespace opkit::core
