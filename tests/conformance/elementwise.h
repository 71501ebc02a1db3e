// Runs one element-wise call in every form and compares it with its twin.
#ifndef TESTS_CONFORMANCE_ELEMENTWISE_H_
#define TESTS_CONFORMANCE_ELEMENTWISE_H_

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/harness.h"
#include "tests/conformance/twin/addressing.h"
#include "tests/conformance/twin/arithmetic.h"

namespace conformance {

using AscendC::BinaryRepeatParams;
using AscendC::LocalTensor;
using AscendC::TPosition;
using AscendC::UnaryRepeatParams;
using twin::Form;

template <typename T>
LocalTensor<T> at(uint32_t byte, uint32_t bytes = 8192) {
  return LocalTensor<T>(TPosition::VECCALC, byte,
                        static_cast<uint32_t>(uint64_t{bytes} * 8 / AscendC::detail::bits_of<T>()));
}

inline BinaryRepeatParams binary_params(const Form& f) {
  return BinaryRepeatParams(static_cast<uint8_t>(f.dst.block), static_cast<uint8_t>(f.src0.block),
                            static_cast<uint8_t>(f.src1.block), static_cast<uint8_t>(f.dst.repeat),
                            static_cast<uint8_t>(f.src0.repeat),
                            static_cast<uint8_t>(f.src1.repeat));
}
inline UnaryRepeatParams unary_params(const Form& f) {
  return UnaryRepeatParams(static_cast<uint16_t>(f.dst.block), static_cast<uint16_t>(f.src0.block),
                           static_cast<uint8_t>(f.dst.repeat), static_cast<uint8_t>(f.src0.repeat));
}

// The vendor's exact function types, so that taking the address also checks the signature.
template <typename T>
struct Binary {
  using Tensor = const LocalTensor<T>&;
  void (*count)(Tensor, Tensor, Tensor, const int32_t&);
  void (*bits)(Tensor, Tensor, Tensor, const uint64_t*, const uint8_t, const BinaryRepeatParams&);
  void (*prefix)(Tensor, Tensor, Tensor, uint64_t, const uint8_t, const BinaryRepeatParams&);
  T (*value)(T, T, T);

  void call(Tensor d, Tensor a, Tensor b, const Form& f) const {
    const auto repeats = static_cast<uint8_t>(f.repeats);
    if (f.is_count) return count(d, a, b, static_cast<int32_t>(f.count));
    if (f.use_prefix) return prefix(d, a, b, f.prefix, repeats, binary_params(f));
    bits(d, a, b, f.mask, repeats, binary_params(f));
  }
};

template <typename T>
struct Scalar {
  using Tensor = const LocalTensor<T>&;
  void (*count)(Tensor, Tensor, const T&, const int32_t&);
  void (*bits)(Tensor, Tensor, const T&, const uint64_t*, const uint8_t, const UnaryRepeatParams&);
  void (*prefix)(Tensor, Tensor, const T&, uint64_t, const uint8_t, const UnaryRepeatParams&);
  T (*value)(T, T, T);

  void call(Tensor d, Tensor a, T s, const Form& f) const {
    const auto repeats = static_cast<uint8_t>(f.repeats);
    if (f.is_count) return count(d, a, s, static_cast<int32_t>(f.count));
    if (f.use_prefix) return prefix(d, a, s, f.prefix, repeats, unary_params(f));
    bits(d, a, s, f.mask, repeats, unary_params(f));
  }
};

template <typename T>
struct Unary {
  using Tensor = const LocalTensor<T>&;
  void (*count)(Tensor, Tensor, const int32_t&);
  void (*bits)(Tensor, Tensor, const uint64_t*, const uint8_t, const UnaryRepeatParams&);
  void (*prefix)(Tensor, Tensor, uint64_t, const uint8_t, const UnaryRepeatParams&);
  T (*value)(T);

  void call(Tensor d, Tensor a, const Form& f) const {
    const auto repeats = static_cast<uint8_t>(f.repeats);
    if (f.is_count) return count(d, a, static_cast<int32_t>(f.count));
    if (f.use_prefix) return prefix(d, a, f.prefix, repeats, unary_params(f));
    bits(d, a, f.mask, repeats, unary_params(f));
  }
};

template <typename T>
Image image_of(uint32_t seed) {
  Image image(seed);
  for (uint32_t base : {kDst, kSrc0, kSrc1})
    image.fill(base, values<T>(8192 / sizeof(T), seed * 7 + base));
  return image;
}

// f(old destination place, source places) -> new value, for the elements of a form.
template <typename T, typename F>
void apply(Image& image, uint32_t dst, const Form& form, bool keep, F&& f) {
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  twin::for_each(form, kPerRepeat, [&](uint32_t r, uint32_t i) {
    const uint64_t to = dst + twin::place(form, form.dst, sizeof(T), kPerRepeat, r, i);
    const uint64_t a = twin::place(form, form.src0, sizeof(T), kPerRepeat, r, i);
    const uint64_t b = twin::place(form, form.src1, sizeof(T), kPerRepeat, r, i);
    const T value = f(image.get<T>(to), a, b);
    image.set<T>(to, keep ? value : twin::saturated(value));
  });
}

// Section "通用地址重叠约束": a destination may be a source, when both walk alike and every
// iteration has a place of its own.
inline bool may_share(const Form& form, const twin::Stride& source) {
  return form.dst.block == source.block && form.dst.repeat == source.repeat && form.repeats < 255 &&
         form.dst.repeat != 0 && (form.dst.repeat >= 8 || form.is_count);
}

template <typename T>
void check_binary(const char* name, const Binary<T>& op) {
  struct Places {
    uint32_t dst, src0, src1;
  };
  const Image before = image_of<T>(3);
  for (const Form& form : twin::forms(256 / sizeof(T))) {
    for (bool keep : {true, false}) {
      if (!keep && sizeof(T) != 2) continue;
      for (const Places& p :
           {Places{kDst, kSrc0, kSrc1}, Places{kSrc0, kSrc0, kSrc1}, Places{kSrc1, kSrc0, kSrc1},
            Places{kDst, kSrc0, kSrc0}, Places{kSrc0, kSrc0, kSrc0}}) {
        if (p.dst == p.src0 && !may_share(form, form.src0)) continue;
        if (p.dst == p.src1 && !may_share(form, form.src1)) continue;
        Image expected = before;
        apply<T>(expected, p.dst, form, keep, [&](T old, uint64_t a, uint64_t b) {
          return op.value(expected.get<T>(p.src0 + a), expected.get<T>(p.src1 + b), old);
        });
        const Outcome o =
            run(before, [&] { op.call(at<T>(p.dst), at<T>(p.src0), at<T>(p.src1), form); }, {keep});
        ASSERT_TRUE(same<T>(o.image, expected))
            << name << " " << form.text() << " at " << p.dst << ", " << p.src0 << ", " << p.src1
            << (keep ? "" : " saturating");
      }
    }
  }
}

template <typename T>
void check_scalar(const char* name, const Scalar<T>& op, const std::vector<T>& scalars) {
  const Image before = image_of<T>(5);
  for (const Form& form : twin::forms(256 / sizeof(T))) {
    for (const T s : scalars) {
      for (bool keep : {true, false}) {
        if (!keep && sizeof(T) != 2) continue;
        for (uint32_t dst : {kDst, kSrc0}) {
          if (dst == kSrc0 && !may_share(form, form.src0)) continue;
          Image expected = before;
          apply<T>(expected, dst, form, keep, [&](T old, uint64_t a, uint64_t) {
            return op.value(expected.get<T>(kSrc0 + a), s, old);
          });
          const Outcome o =
              run(before, [&] { op.call(at<T>(dst), at<T>(kSrc0), s, form); }, {keep});
          ASSERT_TRUE(same<T>(o.image, expected))
              << name << " " << form.text() << " dst " << dst << (keep ? "" : " saturating");
        }
      }
    }
  }
}

template <typename T>
void check_unary(const char* name, const Unary<T>& op) {
  const Image before = image_of<T>(9);
  for (const Form& form : twin::forms(256 / sizeof(T))) {
    for (bool keep : {true, false}) {
      if (!keep && sizeof(T) != 2) continue;
      for (uint32_t dst : {kDst, kSrc0}) {
        if (dst == kSrc0 && !may_share(form, form.src0)) continue;
        Image expected = before;
        apply<T>(expected, dst, form, keep,
                 [&](T, uint64_t a, uint64_t) { return op.value(expected.get<T>(kSrc0 + a)); });
        const Outcome o = run(before, [&] { op.call(at<T>(dst), at<T>(kSrc0), form); }, {keep});
        ASSERT_TRUE(same<T>(o.image, expected))
            << name << " " << form.text() << " dst " << dst << (keep ? "" : " saturating");
      }
    }
  }
}

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_ELEMENTWISE_H_
