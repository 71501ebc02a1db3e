// Duplicate, Copy, Brcb, CreateVecIndex, ArithProgression, Gather, Gatherb, GatherMask.
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using AscendC::GatherMaskParams;
using twin::place;

template <typename T>
void check_duplicate(T value) {
  constexpr uint32_t kElements = 256 / sizeof(T);
  const Image before(91);
  for (const Form& form : twin::forms(kElements)) {
    Image expected = before;
    twin::for_each(form, kElements, [&](uint32_t r, uint32_t i) {
      expected.set(kDst + place(form, form.dst, sizeof(T), kElements, r, i), value);
    });
    const Outcome o = run(before, [&] {
      const auto repeats = static_cast<uint8_t>(form.repeats);
      const auto block = static_cast<uint16_t>(form.dst.block);
      const auto repeat = static_cast<uint8_t>(form.dst.repeat);
      if (form.is_count)
        AscendC::Duplicate(at<T>(kDst), value, int32_t(form.count));
      else if (form.use_prefix)
        AscendC::Duplicate(at<T>(kDst), value, uint64_t{form.prefix}, repeats, block, repeat);
      else
        AscendC::Duplicate(at<T>(kDst), value, form.mask, repeats, block, repeat);
    });
    ASSERT_TRUE(same<T>(o.image, expected)) << form.text();
  }
}
TEST(Duplicate, EveryType) {
  check_duplicate<float>(-1.5f);
  check_duplicate<Half>(Half(3.25f));
  check_duplicate<BFloat16>(BFloat16(7.0f));
  check_duplicate<int16_t>(-2);
  check_duplicate<uint16_t>(65535);
  check_duplicate<int32_t>(-3);
  check_duplicate<uint32_t>(4000000000u);
}

template <typename T>
void check_copy() {
  constexpr uint32_t kElements = 256 / sizeof(T);
  const Image before(92);
  for (const Form& form : twin::forms(kElements)) {
    if (form.is_count) continue;
    Image expected = before;
    twin::for_each(form, kElements, [&](uint32_t r, uint32_t i) {
      expected.set(kDst + place(form, form.dst, sizeof(T), kElements, r, i),
                   before.get<T>(kSrc0 + place(form, form.src0, sizeof(T), kElements, r, i)));
    });
    const Outcome o = run(before, [&] {
      const auto u16 = [](uint32_t x) { return static_cast<uint16_t>(x); };
      const AscendC::CopyRepeatParams p(u16(form.dst.block), u16(form.src0.block),
                                        u16(form.dst.repeat), u16(form.src0.repeat));
      const auto repeats = static_cast<uint8_t>(form.repeats);
      if (form.use_prefix)
        AscendC::Copy(at<T>(kDst), at<T>(kSrc0), uint64_t{form.prefix}, repeats, p);
      else
        AscendC::Copy(at<T>(kDst), at<T>(kSrc0), form.mask, repeats, p);
    });
    ASSERT_TRUE(same<T>(o.image, expected)) << form.text();
  }
}
TEST(Copy, WordsOfTwoAndFourBytes) {
  check_copy<uint16_t>();
  check_copy<BFloat16>();
  check_copy<int32_t>();
}

template <typename T>
void check_brcb() {
  const Image before(93);
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  struct Case {
    uint8_t repeats;
    uint16_t block, repeat;
  };
  for (const Case& c :
       {Case{0, 1, 8}, Case{1, 1, 8}, Case{5, 1, 8}, Case{3, 2, 17}, Case{4, 9, 1}}) {
    Image expected = before;
    for (uint32_t r = 0; r < c.repeats; ++r) {
      for (uint32_t k = 0; k < 8; ++k) {
        for (uint32_t j = 0; j < kPerBlock; ++j)
          expected.set(kDst + (r * c.repeat + k * c.block) * 32 + j * sizeof(T),
                       before.get<T>(kSrc0 + (8 * r + k) * sizeof(T)));
      }
    }
    const Outcome o = run(before, [&] {
      AscendC::Brcb(at<T>(kDst), at<T>(kSrc0), c.repeats, {c.block, c.repeat});
    });
    EXPECT_TRUE(same<T>(o.image, expected));
  }
}
TEST(Brcb, FillsBlocks) {
  check_brcb<uint16_t>();
  check_brcb<uint32_t>();
}

template <typename T>
T step(T first, T diff, uint32_t i) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(int64_t{first} + int64_t{i} * int64_t{diff});
  } else {
    const T product = static_cast<T>(static_cast<float>(i) * static_cast<float>(diff));
    return static_cast<T>(static_cast<float>(first) + static_cast<float>(product));
  }
}

template <typename T>
void check_progression(T first, T diff) {
  const Image before(94);
  for (uint32_t n : {0u, 1u, 15u, 64u, 100u, 1000u}) {
    Image arith = before, index = before;
    for (uint32_t i = 0; i < n; ++i) {
      arith.set(kDst + i * sizeof(T), step(first, diff, i));
      index.set(kDst + i * sizeof(T), step(first, static_cast<T>(1), i));
    }
    EXPECT_TRUE(same<T>(
        run(before, [&] { AscendC::ArithProgression(at<T>(kDst), first, diff, int32_t(n)); }).image,
        arith));
    EXPECT_TRUE(
        same<T>(run(before, [&] { AscendC::CreateVecIndex(at<T>(kDst), first, n); }).image, index));
  }
  constexpr uint32_t kElements = 256 / sizeof(T);
  const Form form = twin::prefix_form(kElements - 3, 3, {1, 10});
  Image expected = before;
  twin::for_each(form, kElements, [&](uint32_t r, uint32_t i) {
    expected.set(kDst + place(form, form.dst, sizeof(T), kElements, r, i),
                 step(first, static_cast<T>(1), r * kElements + i));
  });
  EXPECT_TRUE(same<T>(
      run(before,
          [&] { AscendC::CreateVecIndex(at<T>(kDst), first, uint64_t{kElements - 3}, 3, 1, 10); })
          .image,
      expected));
}
TEST(Progression, InTheElementType) {
  check_progression<float>(0.5f, 0.1f);
  check_progression<Half>(Half(3.0f), Half(0.3f));
  check_progression<int16_t>(32000, 7);
  check_progression<int32_t>(-5, 1000000);
}

template <typename T>
void check_gather() {
  constexpr uint32_t kElements = 256 / sizeof(T);
  Image before(95);
  std::mt19937 random(4);
  std::vector<uint32_t> offsets(1024);
  for (uint32_t& o : offsets) o = random() % (7000 / sizeof(T)) * sizeof(T);
  before.fill(kSrc1, offsets);
  for (uint32_t n : {0u, 1u, 33u, 64u, 200u, 1024u}) {
    Image expected = before;
    for (uint32_t i = 0; i < n; ++i)
      expected.set(kDst + i * sizeof(T), before.get<T>(kSrc0 + 64 + offsets[i]));
    EXPECT_TRUE(same<T>(
        run(before, [&] { AscendC::Gather(at<T>(kDst), at<T>(kSrc0), at<uint32_t>(kSrc1), 64, n); })
            .image,
        expected));
  }
  const Form form = twin::bits_form(0xff00ff0012345678u, 0x8000000000000001u, 3, {1, 9});
  Image expected = before;
  twin::for_each(form, kElements, [&](uint32_t r, uint32_t i) {
    expected.set(kDst + place(form, form.dst, sizeof(T), kElements, r, i),
                 before.get<T>(kSrc0 + offsets[r * kElements + i]));
  });
  EXPECT_TRUE(same<T>(run(before,
                          [&] {
                            AscendC::Gather(at<T>(kDst), at<T>(kSrc0), at<uint32_t>(kSrc1), 0,
                                            form.mask, 3, 9);
                          })
                          .image,
                      expected));
}

// Offsets of windows: some elements in a row, then others. 40 are longer than any vector.
template <typename T>
void check_gather_of_windows(uint32_t in_a_row) {
  Image before(96);
  std::vector<uint32_t> offsets(500);
  for (uint32_t i = 0; i < offsets.size(); ++i)
    offsets[i] = (i / in_a_row * 61 % 400 + i % in_a_row) * sizeof(T);
  before.fill(kSrc1, offsets);
  Image expected = before;
  for (uint32_t i = 0; i < offsets.size(); ++i)
    expected.set(kDst + i * sizeof(T), before.get<T>(kSrc0 + offsets[i]));
  EXPECT_TRUE(same<T>(
      run(before, [&] { AscendC::Gather(at<T>(kDst), at<T>(kSrc0), at<uint32_t>(kSrc1), 0, 500u); })
          .image,
      expected))
      << in_a_row << " in a row";
}
TEST(Gather, OfWindows) {
  for (const uint32_t in_a_row : {1, 3, 16, 40, 500}) {
    check_gather_of_windows<Half>(in_a_row);
    check_gather_of_windows<float>(in_a_row);
  }
}

TEST(Gather, ByByteOffset) {
  check_gather<Half>();
  check_gather<uint16_t>();
  check_gather<float>();
  check_gather<int32_t>();
}

TEST(Gather, Blocks) {
  Image before(96);
  std::vector<uint32_t> offsets;
  for (uint32_t i = 0; i < 24; ++i) offsets.push_back(i * 7 % 20 * 32);
  before.fill(kSrc1, offsets);
  Image expected = before;
  for (uint32_t i = 0; i < 24; ++i) {
    for (uint32_t b = 0; b < 32; ++b)
      expected.set(kDst + (i / 8 * 17 + i % 8 * 2) * 32 + b,
                   before.get<uint8_t>(kSrc0 + offsets[i] + b));
  }
  EXPECT_TRUE(same<uint16_t>(run(before,
                                 [] {
                                   AscendC::Gatherb(at<uint16_t>(kDst), at<uint16_t>(kSrc0),
                                                    at<uint32_t>(kSrc1), 3, {2, 17});
                                 })
                                 .image,
                             expected));
}

bool in_pattern(uint8_t pattern, uint32_t i) {
  switch (pattern) {
    case 1: return i % 2 == 0;
    case 2: return i % 2 == 1;
    case 3: return i % 4 == 0;
    case 4: return i % 4 == 1;
    case 5: return i % 4 == 2;
    case 6: return i % 4 == 3;
    default: return true;
  }
}

template <typename T, typename U>
void check_gather_mask() {
  constexpr uint32_t kElements = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
  const Image before(97);
  struct Case {
    uint8_t pattern;  // 0: bits at kSrc1
    bool reduce;
    uint32_t mask;
    GatherMaskParams p;
  };
  std::vector<Case> cases;
  for (uint8_t pattern : {0, 1, 2, 3, 4, 5, 6, 7}) {
    cases.push_back({pattern, false, 0, GatherMaskParams(1, 3, 8, 1)});
    cases.push_back({pattern, true, 50, GatherMaskParams(1, 4, 8, 2)});
    cases.push_back({pattern, true, 3 * kElements + 5, GatherMaskParams(1, 2, 32, 4)});
    cases.push_back({pattern, false, 0, GatherMaskParams(2, 2, 17, 0)});
    cases.push_back({pattern, true, 0, GatherMaskParams(1, 2, 8, 0)});
  }
  for (const Case& c : cases) {
    const uint32_t n = c.reduce ? c.mask : kElements;
    Image expected = before;
    uint64_t kept = 0;
    for (uint32_t r = 0; r < c.p.repeatTimes; ++r) {
      for (uint32_t i = 0; i < n; ++i) {
        const uint32_t bits = kSrc1 + r * c.p.src1RepeatStride * 32 + i / 8;
        const bool in =
            c.pattern ? in_pattern(c.pattern, i) : (before.get<uint8_t>(bits) >> i % 8 & 1) != 0;
        const uint32_t from =
            (r * c.p.src0RepeatStride + i / kPerBlock * c.p.src0BlockStride) * 32 +
            i % kPerBlock * sizeof(T);
        if (in) expected.set(kDst + kept++ * sizeof(T), before.get<T>(kSrc0 + from));
      }
    }
    const Outcome o = run(before, [&] {
      uint64_t count = 99;
      if (c.pattern)
        AscendC::GatherMask(at<T>(kDst), at<T>(kSrc0), c.pattern, c.reduce, c.mask, c.p, count);
      else
        AscendC::GatherMask(at<T>(kDst), at<T>(kSrc0), at<U>(kSrc1), c.reduce, c.mask, c.p, count);
      kernel_result = count;
      if (static_cast<uint64_t>(AscendC::GetGatherMaskRemainCount()) != count)
        kernel_result = ~0ull;
    });
    EXPECT_TRUE(same<T>(o.image, expected)) << int(c.pattern) << c.reduce << " " << c.mask;
    EXPECT_EQ(o.result, kept);
  }
}
TEST(GatherMask, PatternsAndBits) {
  check_gather_mask<uint16_t, uint16_t>();
  check_gather_mask<Half, uint16_t>();
  check_gather_mask<float, uint32_t>();
  check_gather_mask<int32_t, uint32_t>();
}

}  // namespace
}  // namespace conformance
