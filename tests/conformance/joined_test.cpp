// Two steps in one: AddReluCast, SubReluCast, MulCast, AddDeqRelu, and CastDequant with one scale
// and with 16. Twins: the steps one after the other on single values (pages of those names).
#include "tests/conformance/elementwise.h"
#include "tests/conformance/twin/rounding.h"

namespace conformance {
namespace {

template <typename T>
T rounded(long double x, bool wrap) {
  if constexpr (std::is_same_v<T, Half>)
    return Half(static_cast<float>(x));
  else
    return twin::to_integer<T>(x, twin::kRint, wrap);
}

// Strides of a narrow destination: one iteration fills as many elements of it as the sources have.
template <typename T, typename U>
std::vector<Form> narrowing_forms() {
  constexpr auto narrow = static_cast<uint32_t>(8 * sizeof(T) / sizeof(U));
  std::vector<Form> all;
  for (Form form : twin::forms(256 / sizeof(U))) {
    if (!form.is_count && form.dst.repeat == 8) form.dst.repeat = narrow;
    all.push_back(form);
  }
  return all;
}

template <typename T, typename U>
struct Joined {
  using Tensor = const LocalTensor<U>&;
  using To = const LocalTensor<T>&;
  std::function<void(To, Tensor, Tensor, uint32_t)> count;
  void (*bits)(To, Tensor, Tensor, uint64_t*, const uint8_t, const BinaryRepeatParams&);
  void (*prefix)(To, Tensor, Tensor, uint64_t, const uint8_t, const BinaryRepeatParams&);
  U (*first)(U, U, U);

  void call(To d, Tensor a, Tensor b, const Form& f) const {
    const auto repeats = static_cast<uint8_t>(f.repeats);
    if (f.is_count) return count(d, a, b, f.count);
    if (f.use_prefix) return prefix(d, a, b, f.prefix, repeats, binary_params(f));
    uint64_t mask[2] = {f.mask[0], f.mask[1]};
    bits(d, a, b, mask, repeats, binary_params(f));
  }
};

template <typename T, typename U>
Image expected_of(Image image, const Joined<T, U>& op, const Form& form, bool keep, bool wrap) {
  constexpr uint32_t kPerRepeat = 256 / sizeof(U);
  twin::for_each(form, kPerRepeat, [&](uint32_t r, uint32_t i) {
    const uint64_t a = twin::place(form, form.src0, sizeof(U), kPerRepeat, r, i);
    const uint64_t b = twin::place(form, form.src1, sizeof(U), kPerRepeat, r, i);
    U between = op.first(image.get<U>(kSrc0 + a), image.get<U>(kSrc1 + b), U());
    if (!keep) between = twin::saturated(between);
    T result = rounded<T>(static_cast<long double>(between), wrap);
    if (!keep) result = twin::saturated(result);
    image.set<T>(kDst + twin::place(form, form.dst, sizeof(T), kPerRepeat, r, i), result);
  });
  return image;
}

template <typename T, typename U>
void check_joined(const char* name, const Joined<T, U>& op) {
  const Image before = image_of<U>(31);
  for (const Form& form : narrowing_forms<T, U>()) {
    for (bool keep : {true, false}) {
      const Outcome o =
          run(before, [&] { op.call(at<T>(kDst), at<U>(kSrc0), at<U>(kSrc1), form); }, {keep});
      ASSERT_TRUE(same<T>(o.image, expected_of(before, op, form, keep, false)))
          << name << " " << form.text() << (keep ? "" : " saturating");
    }
  }
}

#define JOINED(Name, T, U, twin_of)                                                           \
  check_joined<T, U>(#Name "<" #T ", " #U ">",                                                \
                     {[](const LocalTensor<T>& d, const LocalTensor<U>& a,                    \
                         const LocalTensor<U>& b, uint32_t n) { AscendC::Name(d, a, b, n); }, \
                      &AscendC::Name<T, U>, &AscendC::Name<T, U>, &twin::twin_of<U>})

TEST(Joined, AddReluCast) {
  JOINED(AddReluCast, Half, float, add_relu);
  JOINED(AddReluCast, int8_t, Half, add_relu);
  JOINED(AddReluCast, int8_t, int16_t, add_relu);
}
TEST(Joined, SubReluCast) {
  JOINED(SubReluCast, Half, float, sub_relu);
  JOINED(SubReluCast, int8_t, Half, sub_relu);
  JOINED(SubReluCast, int8_t, int16_t, sub_relu);
}
TEST(Joined, MulCast) {
  JOINED(MulCast, int8_t, Half, mul);
  JOINED(MulCast, uint8_t, Half, mul);
}
#undef JOINED

// The mask register, control bit 59 (integers keep their low bits), and dst in place of a source.
TEST(Joined, ObeysRegisters) {
  const Image before = image_of<Half>(33);
  const Joined<int8_t, Half> op{nullptr, nullptr, nullptr, &twin::mul<Half>};
  const Form form = twin::prefix_form(77, 3, {1, 4}, {1, 8}, {1, 8});
  const auto masked = [&] {
    AscendC::SetVectorMask<Half>(77);
    AscendC::AscendCUtils::SetMask<Half>(77);
    AscendC::MulCast<int8_t, Half, false>(at<int8_t>(kDst), at<Half>(kSrc0), at<Half>(kSrc1),
                                          AscendC::MASK_PLACEHOLDER, 3, {1, 1, 1, 4, 8, 8});
    AscendC::ResetMask();
  };
  EXPECT_TRUE(same<int8_t>(run(before, masked).image, expected_of(before, op, form, true, false)));
  const auto wrapped = [&] {
    AscendC::SetSaturationFlag<AscendC::SaturationMode::CAST>(false);
    AscendC::MulCast(at<int8_t>(kDst), at<Half>(kSrc0), at<Half>(kSrc1), 900);
    AscendC::SetSaturationFlag<AscendC::SaturationMode::CAST>(true);
  };
  Image finite = before;
  finite.fill(kSrc0, values<Half>(4096, 8, false));
  finite.fill(kSrc1, values<Half>(4096, 9, false));
  EXPECT_TRUE(same<int8_t>(run(finite, wrapped).image,
                           expected_of(finite, op, twin::count_form(900), true, true)));
}

Half deq_relu(int32_t a, int32_t b, float scale) {
  const auto sum = static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  return Half(twin::relu(static_cast<float>(Half(static_cast<float>(sum) * scale))));
}

TEST(Joined, AddDeqRelu) {
  const Image before = image_of<int32_t>(35);
  for (const Form& form : narrowing_forms<Half, int32_t>()) {
    for (bool keep : {true, false}) {
      Image expected = before;
      twin::for_each(form, 64, [&](uint32_t r, uint32_t i) {
        const uint64_t a = twin::place(form, form.src0, 4, 64, r, i);
        const uint64_t b = twin::place(form, form.src1, 4, 64, r, i);
        const Half x =
            deq_relu(before.get<int32_t>(kSrc0 + a), before.get<int32_t>(kSrc1 + b), 0.125f);
        expected.set(kDst + twin::place(form, form.dst, 2, 64, r, i),
                     keep ? x : twin::saturated(x));
      });
      const Outcome o = run(
          before,
          [&] {
            AscendC::SetDeqScale(Half(0.125f));
            const auto dst = at<Half>(kDst);
            const auto a = at<int32_t>(kSrc0), b = at<int32_t>(kSrc1);
            const auto repeats = static_cast<uint8_t>(form.repeats);
            uint64_t mask[2] = {form.mask[0], form.mask[1]};
            if (form.is_count)
              AscendC::AddDeqRelu(dst, a, b, static_cast<int32_t>(form.count));
            else if (form.use_prefix)
              AscendC::AddDeqRelu(dst, a, b, uint64_t{form.prefix}, repeats, binary_params(form));
            else
              AscendC::AddDeqRelu<true>(dst, a, b, mask, repeats, binary_params(form));
          },
          {keep});
      ASSERT_TRUE(same<Half>(o.image, expected)) << form.text() << keep;
    }
  }
}

struct Scales {
  float factor[16];
  int16_t offset[16];
  bool sign[16];
};

// A factor with 10 bits of mantissa, an offset with nine bits.
template <typename T>
T dequantised(int16_t x, float factor, int16_t offset, bool wrap = false) {
  uint32_t bits;
  std::memcpy(&bits, &factor, 4);
  bits &= 0xffffe000u;
  float cut;
  std::memcpy(&cut, &bits, 4);
  const int nine = (offset & 0x1ff) > 255 ? (offset & 0x1ff) - 512 : offset & 0x1ff;
  return twin::to_integer<T>(static_cast<long double>(x) * cut + nine, twin::kRint, wrap);
}

// A block of 16 source elements fills half a block of dst.
uint64_t half_place(const Form& form, uint32_t r, uint32_t i, bool upper) {
  const uint64_t block = form.is_count
                             ? uint64_t{r} * 8 + i / 16
                             : uint64_t{r} * form.dst.repeat + uint64_t{i / 16} * form.dst.block;
  return block * 32 + (upper ? 16 : 0) + i % 16;
}

template <typename T, bool kWords, bool kUpper>
void check_dequant(const Scales& scales) {
  Image before(59);
  before.fill(kSrc0, values<int16_t>(4096, 61));
  for (const Form& form : twin::forms(128)) {
    if (form.dst.repeat == 0) continue;
    Image expected = before;
    for (uint32_t i = 0; kWords && i < 16; ++i) {
      uint64_t word;
      uint32_t factor;
      std::memcpy(&factor, &scales.factor[i], 4);
      word = factor | (uint64_t{static_cast<uint16_t>(scales.offset[i])} & 0x1ff) << 37 |
             uint64_t{scales.sign[i]} << 46;
      expected.set(kSrc2 + 8 * i, word);
    }
    twin::for_each(form, 128, [&](uint32_t r, uint32_t i) {
      const auto x = before.get<int16_t>(kSrc0 + twin::place(form, form.src0, 2, 128, r, i));
      const uint32_t j = kWords ? i % 16 : 0;
      expected.set(kDst + half_place(form, r, i, kUpper),
                   dequantised<T>(x, scales.factor[j], scales.offset[j]));
    });
    const Outcome o = run(before, [&] {
      if constexpr (kWords)
        AscendC::SetDeqScale(at<uint64_t>(kSrc2, 128),
                             AscendC::VdeqInfo(scales.factor, scales.offset, scales.sign));
      else
        AscendC::SetDeqScale(scales.factor[0], scales.offset[0], scales.sign[0]);
      AscendC::SetFlag<AscendC::HardEvent::S_V>(EVENT_ID0);
      AscendC::WaitFlag<AscendC::HardEvent::S_V>(EVENT_ID0);
      const auto dst = at<T>(kDst);
      const auto src = at<int16_t>(kSrc0);
      const auto repeats = static_cast<uint8_t>(form.repeats);
      if (form.is_count)
        AscendC::CastDequant<T, int16_t, kWords, kUpper>(dst, src, form.count);
      else if (form.use_prefix)
        AscendC::CastDequant<T, int16_t, true, kWords, kUpper>(
            dst, src, static_cast<int32_t>(form.prefix), repeats, unary_params(form));
      else
        AscendC::CastDeq<T, int16_t, true, kWords, kUpper>(dst, src, form.mask, repeats,
                                                           unary_params(form));
    });
    ASSERT_TRUE(same<T>(o.image, expected)) << form.text() << kWords << kUpper;
  }
}

Scales scales_of(bool sign) {
  Scales s;
  for (int i = 0; i < 16; ++i) {
    s.factor[i] = (i % 3 == 0 ? -1.0f : 1.0f) * (0.37f + 0.11f * static_cast<float>(i));
    s.offset[i] = static_cast<int16_t>(7 * i - 40);
    s.sign[i] = sign;
  }
  s.factor[0] = 0.5f;  // ties
  s.offset[1] = 300;   // the ninth bit is the sign
  return s;
}

TEST(Joined, CastDequantOneScale) {
  check_dequant<int8_t, false, false>(scales_of(true));
  check_dequant<int8_t, false, true>(scales_of(true));
  check_dequant<uint8_t, false, true>(scales_of(false));
}
TEST(Joined, CastDequantSixteenScales) {
  check_dequant<int8_t, true, true>(scales_of(true));
  check_dequant<uint8_t, true, false>(scales_of(false));
}

TEST(Joined, CastDequantFromInt32IsCast) {
  Image before = image_of<int32_t>(37);
  const auto cast = [&](bool newer) {
    return run(before,
               [&] {
                 AscendC::SetDeqScale(Half(0.25f));
                 const auto dst = at<Half>(kDst);
                 const auto src = at<int32_t>(kSrc0);
                 if (newer) {
                   AscendC::CastDequant(dst, src, 100);
                   AscendC::CastDequant(dst[512], src, 33, 3, {1, 1, 4, 8});
                 } else {
                   AscendC::Cast(dst, src, AscendC::RoundMode::CAST_RINT, 100);
                   AscendC::Cast(dst[512], src, AscendC::RoundMode::CAST_RINT, uint64_t{33}, 3,
                                 {1, 1, 4, 8});
                 }
               })
        .image;
  };
  EXPECT_TRUE(same<Half>(cast(true), cast(false)));
}

TEST(Joined, RefusesWhatSetDeqScaleDidNotPrepare) {
  const auto sign = faults_of([] {
    AscendC::SetDeqScale(1.0f, 0, false);
    AscendC::CastDequant<int8_t, int16_t, false>(at<int8_t>(kDst), at<int16_t>(kSrc0), 16);
  });
  ASSERT_EQ(sign.size(), 1u);
  EXPECT_EQ(sign[0].code, "EK1216");
  EXPECT_NE(sign[0].message.find("the destination is int8_t, but signMode is false"),
            std::string::npos);
  const auto words = faults_of([] {
    AscendC::SetDeqScale(1.0f, 0, true);
    AscendC::CastDequant<int8_t, int16_t>(at<int8_t>(kDst), at<int16_t>(kSrc0), 16);
  });
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].code, "EK1217");
  EXPECT_NE(words[0].message.find("SetDeqScale gave no tensor of scales"), std::string::npos);
}

}  // namespace
}  // namespace conformance
