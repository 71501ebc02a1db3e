// Compare, CompareScalar and Select, bit by bit.
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using AscendC::CMPMODE;
using AscendC::SELMODE;

template <typename T>
bool holds(CMPMODE mode, T x, T y) {
  const auto a = twin::wide(x), b = twin::wide(y);
  switch (mode) {
    case CMPMODE::LT: return a < b;
    case CMPMODE::GT: return a > b;
    case CMPMODE::EQ: return a == b;
    case CMPMODE::LE: return a <= b;
    case CMPMODE::GE: return a >= b;
    default: return a != b;
  }
}

void set_bit(Image& image, uint32_t base, uint32_t i, bool bit) {
  const auto byte = image.get<uint8_t>(base + i / 8);
  image.set(base + i / 8, static_cast<uint8_t>((byte & ~(1 << i % 8)) | (bit ? 1 << i % 8 : 0)));
}
bool get_bit(const Image& image, uint32_t base, uint32_t i) {
  return image.get<uint8_t>(base + i / 8) >> i % 8 & 1;
}

// Half of the elements equal, so that EQ and LE see something.
template <typename T>
Image compare_image() {
  Image image = image_of<T>(61);
  for (uint32_t i = 0; i < 8192; i += 2 * sizeof(T)) image.set(kSrc1 + i, image.get<T>(kSrc0 + i));
  return image;
}

template <typename T>
void check_compare(std::initializer_list<CMPMODE> modes) {
  constexpr uint32_t kElements = 256 / sizeof(T);
  const Image before = compare_image<T>();
  const T scalar = before.get<T>(kSrc0 + 5 * sizeof(T));
  for (CMPMODE mode : modes) {
    for (uint32_t n : {0u, kElements, 3 * kElements, 8 * kElements}) {
      Image tensors = before, scalars = before;
      for (uint32_t i = 0; i < n; ++i) {
        const T a = before.get<T>(kSrc0 + i * sizeof(T));
        set_bit(tensors, kDst, i, holds(mode, a, before.get<T>(kSrc1 + i * sizeof(T))));
        set_bit(scalars, kDst, i, holds(mode, a, scalar));
      }
      const auto d = [] { return at<uint8_t>(kDst); };
      EXPECT_TRUE(same<uint8_t>(
          run(before, [&] { AscendC::Compare(d(), at<T>(kSrc0), at<T>(kSrc1), mode, n); }).image,
          tensors));
      EXPECT_TRUE(same<uint8_t>(
          run(before, [&] { AscendC::CompareScalar(d(), at<T>(kSrc0), scalar, mode, n); }).image,
          scalars));
      EXPECT_TRUE(same<uint8_t>(
          run(before, [&] { AscendC::Compares(d(), at<T>(kSrc0), scalar, mode, n); }).image,
          scalars));
    }
    // Strides; the mask plays no part and the bits follow each other.
    const Form form = twin::prefix_form(7, 3, {}, {2, 16}, {1, 0});
    Image expected = before;
    for (uint32_t r = 0; r < 3; ++r) {
      for (uint32_t i = 0; i < kElements; ++i) {
        const T a = before.get<T>(kSrc0 + twin::place(form, form.src0, sizeof(T), kElements, r, i));
        const T b = before.get<T>(kSrc1 + twin::place(form, form.src1, sizeof(T), kElements, r, i));
        set_bit(expected, kDst, r * kElements + i, holds(mode, a, b));
      }
    }
    EXPECT_TRUE(same<uint8_t>(run(before,
                                  [&] {
                                    AscendC::Compare(at<uint8_t>(kDst), at<T>(kSrc0), at<T>(kSrc1),
                                                     mode, uint64_t{7}, 3, binary_params(form));
                                  })
                                  .image,
                              expected));
  }
}

TEST(Compare, Float) {
  check_compare<float>(
      {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE});
}
TEST(Compare, Half) {
  check_compare<Half>(
      {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE});
}
TEST(Compare, Int32HasEq) { check_compare<int32_t>({CMPMODE::EQ}); }

template <typename T>
void check_select_counts() {
  const Image before = image_of<T>(63);
  const uint32_t e = 256 / sizeof(T);
  const T scalar = static_cast<T>(2.5f);
  for (uint32_t n : {0u, 1u, 5u, 8u, 63u, 64u, 100u, 300u, 1024u}) {
    Image tensors = before, scalars = before, again = before;
    for (uint32_t i = 0; i < n; ++i) {
      const uint64_t o = i * sizeof(T);
      const T a = before.get<T>(kSrc0 + o), b = before.get<T>(kSrc1 + o);
      tensors.set(kDst + o, get_bit(before, kSrc2, i) ? a : b);
      scalars.set(kDst + o, get_bit(before, kSrc2, i) ? a : scalar);
      again.set(kDst + o, get_bit(before, kSrc2, i % e) ? a : b);
    }
    EXPECT_TRUE(same<T>(run(before,
                            [&] {
                              AscendC::Select(at<T>(kDst), at<uint8_t>(kSrc2), at<T>(kSrc0),
                                              at<T>(kSrc1), SELMODE::VSEL_TENSOR_TENSOR_MODE, n);
                            })
                            .image,
                        tensors));
    EXPECT_TRUE(same<T>(run(before,
                            [&] {
                              AscendC::Select(at<T>(kDst), at<uint8_t>(kSrc2), at<T>(kSrc0), scalar,
                                              SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
                            })
                            .image,
                        scalars));
    EXPECT_TRUE(same<T>(run(before,
                            [&] {
                              AscendC::Select(at<T>(kDst), at<uint8_t>(kSrc2), at<T>(kSrc0),
                                              at<T>(kSrc1), SELMODE::VSEL_CMPMASK_SPR, n);
                            })
                            .image,
                        again));
  }
}

template <typename T>
void check_select_repeats() {
  const Image before = image_of<T>(64);
  constexpr uint32_t kElements = 256 / sizeof(T);
  for (const Form& form : twin::forms(kElements)) {
    if (form.is_count) continue;
    for (SELMODE mode : {SELMODE::VSEL_CMPMASK_SPR, SELMODE::VSEL_TENSOR_TENSOR_MODE}) {
      Image expected = before;
      twin::for_each(form, kElements, [&](uint32_t r, uint32_t i) {
        const uint32_t bit = mode == SELMODE::VSEL_CMPMASK_SPR ? i : r * kElements + i;
        const uint64_t a = kSrc0 + twin::place(form, form.src0, sizeof(T), kElements, r, i);
        const uint64_t b = kSrc1 + twin::place(form, form.src1, sizeof(T), kElements, r, i);
        expected.set(kDst + twin::place(form, form.dst, sizeof(T), kElements, r, i),
                     before.get<T>(get_bit(before, kSrc2, bit) ? a : b));
      });
      const Outcome o = run(before, [&] {
        const auto repeats = static_cast<uint8_t>(form.repeats);
        if (form.use_prefix)
          AscendC::Select(at<T>(kDst), at<uint8_t>(kSrc2), at<T>(kSrc0), at<T>(kSrc1), mode,
                          uint64_t{form.prefix}, repeats, binary_params(form));
        else
          AscendC::Select(at<T>(kDst), at<uint8_t>(kSrc2), at<T>(kSrc0), at<T>(kSrc1), mode,
                          form.mask, repeats, binary_params(form));
      });
      ASSERT_TRUE(same<T>(o.image, expected)) << form.text();
    }
  }
}

TEST(Select, Float) {
  check_select_counts<float>();
  check_select_repeats<float>();
}
TEST(Select, Half) {
  check_select_counts<Half>();
  check_select_repeats<Half>();
}

TEST(Select, ByTheCompareRegister) {
  const Image before = compare_image<float>();
  Image expected = before;
  for (uint32_t i = 0; i < 128; ++i) {
    const float a = before.get<float>(kSrc0 + 4 * (i % 64)),
                b = before.get<float>(kSrc1 + 4 * (i % 64));
    expected.set(kDst + 4 * i,
                 before.get<float>((holds(CMPMODE::LT, a, b) ? kSrc0 : kSrc1) + 4 * i));
  }
  for (uint32_t i = 0; i < 64; ++i) {
    set_bit(expected, kSrc2, i,
            holds(CMPMODE::LT, before.get<float>(kSrc0 + 4 * i), before.get<float>(kSrc1 + 4 * i)));
  }
  for (uint32_t i = 64; i < 128; ++i) set_bit(expected, kSrc2, i, false);
  const Outcome o = run(before, [] {
    AscendC::Duplicate(at<uint16_t>(kSrc2), uint16_t{0}, 8);
    AscendC::SetCmpMask(at<uint8_t>(kSrc2));
    AscendC::Compare(at<float>(kSrc0), at<float>(kSrc1), CMPMODE::LT, uint64_t{64},
                     BinaryRepeatParams());
    AscendC::GetCmpMask(at<uint8_t>(kSrc2));
    AscendC::Select<float, SELMODE::VSEL_CMPMASK_SPR>(at<float>(kDst), at<float>(kSrc0),
                                                      at<float>(kSrc1), 2, BinaryRepeatParams());
  });
  EXPECT_TRUE(same<float>(o.image, expected));
}

// Without a mask argument: mode 1 takes the scalar from the compare register, mode 2 the address of
// the bits, of which the page "SetCmpMask" fills in the low 32 bits; all under the mask register.
TEST(Select, ByWhatTheCompareRegisterHolds) {
  Image before = compare_image<float>();
  before.fill(kSrc2 + 64, std::vector<float>{-7.5f, 1.0f, 2.0f, 3.0f});
  enum class Holds { kScalar, kAddress, kLowWord };
  for (Holds holds : {Holds::kScalar, Holds::kAddress, Holds::kLowWord}) {
    const bool scalar = holds == Holds::kScalar;
    Image expected = before;
    const uint32_t other = kSrc2 + 128;
    for (uint32_t r = 0; r < 3; ++r) {
      for (uint32_t i = 0; i < 40; ++i) {
        const uint32_t e = 64 * r + i;
        const bool bit = before.get<uint8_t>(kSrc2 + e / 8) >> (e % 8) & 1;
        const float no = scalar ? -7.5f : before.get<float>(kSrc1 + 4 * e);
        expected.set(kDst + 4 * e, bit ? before.get<float>(kSrc0 + 4 * e) : no);
      }
    }
    const auto address = at<uint64_t>(other, 32);
    const Outcome o = run(before, [&] {
      AscendC::SetVectorMask<float>(0, (uint64_t{1} << 40) - 1);
      if (scalar) {
        AscendC::SetCmpMask(at<float>(kSrc2 + 64));
        AscendC::Select(at<float>(kDst), at<uint8_t>(kSrc2), at<float>(kSrc0), 3,
                        BinaryRepeatParams());
      } else {
        const uint64_t old = address.GetValue(0), old1 = address.GetValue(1);
        const uint64_t bits = at<uint8_t>(kSrc2).GetPhyAddr();
        address.SetValue(0, holds == Holds::kAddress ? bits : (bits & 0xffffffffu) * 0x100000001u);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::SetCmpMask(address);
        address.SetValue(0, old);
        address.SetValue(1, old1);
        AscendC::Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(
            at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), 3, BinaryRepeatParams());
      }
      AscendC::ResetMask();
    });
    EXPECT_TRUE(same<float>(o.image, expected)) << static_cast<int>(holds);
  }
}

}  // namespace
}  // namespace conformance
