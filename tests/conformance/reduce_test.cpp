// Reductions: results and the exact order of summation.
#include <cmath>

#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using AscendC::ReduceOrder;
using twin::place;
using twin::prefix_form;

// Neighbours are added in pairs until one value is left; what takes no part is skipped. Every
// addition is rounded to T.
template <typename T>
T tree(std::vector<std::pair<bool, T>> v, bool keep, size_t stop = 1) {
  while (v.size() > stop) {
    std::vector<std::pair<bool, T>> next;
    for (size_t i = 0; i < v.size(); i += 2) {
      const auto& a = v[i];
      const auto& b = v[i + 1];
      T sum = a.first ? a.second : b.second;
      if (a.first && b.first) {
        sum = static_cast<T>(static_cast<float>(a.second) + static_cast<float>(b.second));
        if (!keep) sum = twin::saturated(sum);
      }
      next.push_back({a.first || b.first, sum});
    }
    v = next;
  }
  return v[0].second;
}

// The elements of iteration r of source 0.
template <typename T>
std::vector<std::pair<bool, T>> iteration(const Image& image, const Form& form, uint32_t r) {
  constexpr uint32_t kElements = 256 / sizeof(T);
  std::vector<std::pair<bool, T>> v(kElements, {false, T(0.0f)});
  for (uint32_t i = 0; i < kElements; ++i) {
    const bool in = form.is_count ? r * kElements + i < form.count : form.selects(i);
    if (in) v[i] = {true, image.get<T>(kSrc0 + place(form, form.src0, sizeof(T), kElements, r, i))};
  }
  return v;
}

// Saturation only changes what an addition made, so that the sources here are finite.
template <typename T>
Image finite_image(uint32_t seed) {
  Image image(seed);
  image.fill(kSrc0, values<T>(8192 / sizeof(T), seed, false));
  image.fill(kDst, values<T>(8192 / sizeof(T), seed + 1, false));
  return image;
}

template <typename T>
void check_reduce_sum() {
  constexpr uint32_t kElements = 256 / sizeof(T);
  for (uint32_t seed : {1u, 2u}) {
    Image before = finite_image<T>(seed);
    if (seed == 2 && sizeof(T) == 2)
      before.fill(kSrc0, std::vector<T>(4096, static_cast<T>(600.0f)));  // overflows half
    for (bool keep : {true, false}) {
      for (uint32_t n : {1u, 2u, 17u, 63u, 64u, 65u, 128u, 200u, 1000u}) {
        const Form form = twin::count_form(n);
        T sum = tree(iteration<T>(before, form, 0), keep);
        for (uint32_t r = 1; r * kElements < n; ++r) {
          sum = static_cast<T>(static_cast<float>(sum) +
                               static_cast<float>(tree(iteration<T>(before, form, r), keep)));
          if (!keep) sum = twin::saturated(sum);
        }
        Image expected = before;
        expected.set(kDst, sum);
        const Outcome o =
            run(before,
                [&] {
                  AscendC::ReduceSum(at<T>(kDst), at<T>(kSrc0), at<T>(kSrc2), int32_t(n));
                  kernel_result = AscendC::detail::bits(AscendC::GetAccVal<T>());
                },
                {keep});
        ASSERT_TRUE(same<T>(o.image, expected)) << n;
        EXPECT_EQ(o.result, AscendC::detail::bits(sum));
      }
    }
  }
}
TEST(Reduce, SumInOrder) {
  check_reduce_sum<float>();
  check_reduce_sum<Half>();
}

template <typename T>
void check_reduce_sum_mask() {
  constexpr uint32_t kElements = 256 / sizeof(T);
  const Image before = finite_image<T>(3);
  for (const Form& form :
       {prefix_form(kElements, 1), prefix_form(kElements, 9, {}, {1, 1}),
        prefix_form(kElements - 5, 30, {}, {1, 2}), prefix_form(10, 200, {}, {1, 1}),
        prefix_form(kElements, 700, {}, {1, 0})}) {
    std::vector<std::pair<bool, T>> partial;
    for (uint32_t r = 0; r < form.repeats; ++r)
      partial.push_back({true, tree(iteration<T>(before, form, r), true)});
    Image expected = before;
    const auto leave = [&] {  // the work tensor holds each round in place of the one before
      for (size_t i = 0; i < partial.size(); ++i)
        expected.set(static_cast<uint32_t>(kSrc2 + i * sizeof(T)), partial[i].second);
    };
    leave();
    while (partial.size() > 1) {  // groups of one iteration's width
      std::vector<std::pair<bool, T>> next;
      for (size_t g = 0; g < partial.size(); g += kElements) {
        std::vector<std::pair<bool, T>> group(kElements, {false, T(0.0f)});
        for (size_t i = 0; i < kElements && g + i < partial.size(); ++i) group[i] = partial[g + i];
        next.push_back({true, tree(group, true)});
      }
      partial = next;
      if (partial.size() > 1) leave();
    }
    expected.set(kDst, partial[0].second);
    const Outcome o = run(before, [&] {
      AscendC::ReduceSum(at<T>(kDst), at<T>(kSrc0), at<T>(kSrc2), int32_t(form.prefix),
                         int32_t(form.repeats), int32_t(form.src0.repeat));
    });
    ASSERT_TRUE(same<T>(o.image, expected)) << form.text();
  }
}
TEST(Reduce, SumOfIterationsByTree) {
  check_reduce_sum_mask<float>();
  check_reduce_sum_mask<Half>();
}

// The first best of a list; the first NaN beats everything.
template <typename T>
std::pair<T, uint32_t> best(const std::vector<std::pair<bool, T>>& v, bool largest) {
  int at = -1;
  for (size_t i = 0; i < v.size(); ++i) {
    if (!v[i].first) continue;
    if (is_nan(v[i].second)) return {v[i].second, static_cast<uint32_t>(i)};
    const auto x = static_cast<float>(v[i].second);
    const float b = at < 0 ? 0 : static_cast<float>(v[static_cast<size_t>(at)].second);
    if (at < 0 || (largest ? x > b : x < b)) at = static_cast<int>(i);
  }
  return {v[static_cast<size_t>(at)].second, static_cast<uint32_t>(at)};
}

template <typename T>
using IndexOf = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;

uint32_t times(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit; }

// Elements of sharedTmpBuffer, by the page's own steps.
template <typename T>
uint32_t work_elements(uint32_t iterations, bool with_index) {
  constexpr uint32_t kBlock = 32 / sizeof(T), kRepeat = 256 / sizeof(T);
  const uint32_t first = iterations * 2, second_at = times(first, kBlock) * kBlock;
  if (!with_index) return second_at;
  const uint32_t second = times(first, kRepeat) * 2, third_at = times(second, kBlock) * kBlock;
  if (second <= 2) return second_at + third_at;
  const uint32_t third = times(second, kRepeat) * 2;
  return second_at + third_at + times(third, kBlock) * kBlock;
}

// What the chip leaves in sharedTmpBuffer: the value and place of each iteration, then of those.
template <typename T>
void leave_rounds(Image& expected, const std::vector<std::pair<bool, T>>& v, bool largest,
                  bool with_index) {
  constexpr uint32_t kBlock = 32 / sizeof(T), kRepeat = 256 / sizeof(T);
  const auto iterations = static_cast<uint32_t>(v.size() * sizeof(T) / 256);
  const uint32_t room_of_first = work_elements<T>(iterations, false);
  const auto keep = [&](uint32_t element, T value, uint32_t place) {
    expected.set(kSrc2 + element * uint32_t{sizeof(T)}, value);
    expected.set(kSrc2 + (element + 1) * uint32_t{sizeof(T)}, static_cast<IndexOf<T>>(place));
  };
  std::vector<std::pair<bool, T>> round = v;
  uint32_t at = 0, unit = kRepeat;
  for (bool first = true; first || round.size() > 1 || (with_index && at == 0); first = false) {
    std::vector<std::pair<bool, T>> next;
    if (!first && with_index) at += times(2 * static_cast<uint32_t>(round.size()), kBlock) * kBlock;
    for (size_t i = 0; i < round.size(); i += unit) {
      const size_t end = std::min(round.size(), i + unit);
      const auto [value, place] = best<T>(
          {round.begin() + static_cast<ptrdiff_t>(i), round.begin() + static_cast<ptrdiff_t>(end)},
          largest);
      const auto element = at + 2 * static_cast<uint32_t>(next.size());
      if (first && element >= room_of_first) break;
      keep(element, value, first ? place : 2 * place);
      next.push_back({true, value});
    }
    if (next.empty()) return;
    round = next;
    unit = kRepeat / 2;
    if (!first && with_index && round.size() == 1) return;
  }
}

template <typename T>
void check_reduce_extremes() {
  for (bool specials : {false, true}) {
    for (bool largest : {true, false}) {
      Image before(specials ? 71 : 72);
      before.fill(kSrc0, values<T>(8192 / sizeof(T), 9, specials));
      for (uint32_t i = 40; i < 2000; i += 97)  // ties with the first elements
        before.set(kSrc0 + i * sizeof(T), before.get<T>(kSrc0 + (i % 7) * sizeof(T)));
      for (uint32_t n : {1u, 2u, 15u, 16u, 17u, 64u, 100u, 128u, 129u, 1000u, 1100u, 2000u}) {
        std::vector<std::pair<bool, T>> v;
        for (uint32_t i = 0; i < n; ++i) v.push_back({true, before.get<T>(kSrc0 + i * sizeof(T))});
        const auto [value, index] = best(v, largest);
        for (bool with_index : {false, true}) {
          Image expected = before;
          leave_rounds(expected, v, largest, with_index);
          expected.set(kDst, value);
          if (with_index) expected.set(kDst + sizeof(T), static_cast<IndexOf<T>>(index));
          const Outcome o = run(before, [&] {
            const auto d = at<T>(kDst), s = at<T>(kSrc0), t = at<T>(kSrc2);
            largest ? AscendC::ReduceMax(d, s, t, int32_t(n), with_index)
                    : AscendC::ReduceMin(d, s, t, int32_t(n), with_index);
          });
          ASSERT_TRUE(same<T>(o.image, expected)) << n << largest << with_index << specials;
        }
      }
    }
  }
}
TEST(Reduce, MaxAndMin) {
  check_reduce_extremes<float>();
  check_reduce_extremes<Half>();
}

// The examples of the page.
TEST(Reduce, WorkTensorsHaveThePagesSizes) {
  EXPECT_EQ(work_elements<Half>(65, true), 176u);
  EXPECT_EQ(work_elements<Half>(255, true), 544u);
  EXPECT_EQ(work_elements<Half>(4, true), 32u);
  EXPECT_EQ(work_elements<Half>(511, false), 1024u);
}

// As many iterations as the page allows, by the mask.
TEST(Reduce, MaxOfManyIterations) {
  Image before(5);
  before.fill(kSrc0, values<float>(2048, 9, false));
  before.set(kSrc0 + 4 * 1001, 1e30f);
  const Outcome o = run(before, [] {
    AscendC::ReduceMax(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), 8, 256, 1, true);
    kernel_result = at<uint32_t>(kDst).GetValue(1);
  });
  EXPECT_EQ(o.result, 1001u);
  const Outcome more = run(before, [] {
    AscendC::ReduceMax(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), 8, 300, 0, true);
    kernel_result = at<uint32_t>(kDst).GetValue(1);
  });
  EXPECT_LT(more.result, 8u);
}

// The count of ReduceSum may stand in the mask register.
TEST(Reduce, SumOfARegistersCount) {
  Image before(6);
  before.fill(kSrc0, std::vector<float>(2048, 2.0f));
  const Outcome o = run(before, [] {
    AscendC::SetMaskCount();
    AscendC::SetVectorMask<float, AscendC::MaskMode::COUNTER>(0, 300);
    AscendC::ReduceSum<float, false>(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc2), 1);
    AscendC::SetMaskNorm();
    kernel_result = static_cast<uint64_t>(at<float>(kDst).GetValue(0));
  });
  EXPECT_EQ(o.result, 600u);
}

// Iterations with masks, gaps and broadcasts. Destination strides in the call's own unit.
template <typename T>
std::vector<Form> reduce_forms() {
  constexpr uint32_t kElements = 256 / sizeof(T);
  std::vector<Form> forms = {prefix_form(kElements, 1),
                             prefix_form(kElements, 5),
                             prefix_form(kElements - 1, 3, {}, {1, 9}),
                             prefix_form(kElements / 2, 3, {}, {2, 16}),
                             prefix_form(3, 7, {}, {1, 1}),
                             prefix_form(kElements, 3, {}, {0, 1}),
                             prefix_form(1, 2),
                             prefix_form(kElements + 9, 2),            // more than there are
                             prefix_form(kElements, 255, {}, {1, 0}),  // the most, of one row
                             prefix_form(kElements / 8, 255, {}, {1, 1}),
                             twin::bits_form(0xff00ff0000000000u, 0x1000000000000001u, 3),
                             twin::bits_form(0x5555555555555554u, 0x0u, 2, {}, {1, 10})};
  return forms;
}

// unit: bytes of the results of one iteration.
template <typename T, typename F, typename C>
void check_repeats(uint32_t unit, F&& expect, C&& call, bool specials = false) {
  constexpr uint32_t kElements = 256 / sizeof(T);
  Image before = finite_image<T>(5);
  if (specials) before.fill(kSrc0, values<T>(8192 / sizeof(T), 6));
  for (const Form& form : reduce_forms<T>()) {
    for (int32_t stride : {1, 3}) {
      if (form.repeats * static_cast<uint32_t>(stride) * unit > kSrc0) continue;
      Image expected = before;
      for (uint32_t r = 0; r < form.repeats; ++r)
        expect(expected, iteration<T>(before, form, r), r * static_cast<uint32_t>(stride));
      const Outcome o = run(before, [&] {
        const auto d = at<T>(kDst), s = at<T>(kSrc0);
        const auto n = int32_t(form.repeats), block = int32_t(form.src0.block),
                   repeat = int32_t(form.src0.repeat);
        call(d, s, form, n, stride, block, repeat);
      });
      ASSERT_TRUE(same<T>(o.image, expected)) << form.text() << " stride " << stride;
    }
  }
  static_assert(kElements > 0);
}

// Calls f with the form's mask as a number or as bits.
#define WITH_MASK(form, call)                 \
  if ((form).use_prefix) {                    \
    const auto mask = int32_t((form).prefix); \
    call;                                     \
  } else {                                    \
    const uint64_t* mask = (form).mask;       \
    call;                                     \
  }

template <typename T>
void check_whole() {
  for (bool specials : {false, true}) {
    check_repeats<T>(
        sizeof(T),
        [](Image& image, const auto& v, uint32_t at) {
          image.set(kDst + at * sizeof(T), tree(v, true));
        },
        [](auto d, auto s, const Form& f, int32_t n, int32_t stride, int32_t block,
           int32_t repeat) {
          WITH_MASK(f, AscendC::WholeReduceSum(d, s, mask, n, stride, block, repeat));
        },
        specials);
  }
  for (bool largest : {true, false}) {
    for (ReduceOrder order : {ReduceOrder::ORDER_VALUE_INDEX, ReduceOrder::ORDER_INDEX_VALUE,
                              ReduceOrder::ORDER_ONLY_VALUE, ReduceOrder::ORDER_ONLY_INDEX}) {
      check_repeats<T>(
          2 * sizeof(T),
          [&](Image& image, const auto& v, uint32_t at) {
            const auto [value, position] = best(v, largest);
            const auto index = static_cast<IndexOf<T>>(position);
            constexpr uint32_t kSize = sizeof(T);
            switch (order) {
              case ReduceOrder::ORDER_VALUE_INDEX:
                image.set(kDst + 2 * at * kSize, value);
                image.set(kDst + (2 * at + 1) * kSize, index);
                break;
              case ReduceOrder::ORDER_INDEX_VALUE:
                image.set(kDst + 2 * at * kSize, index);
                image.set(kDst + (2 * at + 1) * kSize, value);
                break;
              case ReduceOrder::ORDER_ONLY_VALUE: image.set(kDst + at * kSize, value); break;
              default: image.set(kDst + at * 4, static_cast<uint32_t>(position));
            }
          },
          [&](auto d, auto s, const Form& f, int32_t n, int32_t stride, int32_t block,
              int32_t repeat) {
            if (largest) {
              WITH_MASK(f, AscendC::WholeReduceMax(d, s, mask, n, stride, block, repeat, order));
            } else {
              WITH_MASK(f, (AscendC::ReduceRepeat<AscendC::ReduceType::MIN>(d, s, mask, n, stride,
                                                                            block, repeat, order)));
            }
          },
          order != ReduceOrder::ORDER_VALUE_INDEX);
    }
  }
}
TEST(Reduce, WholeIterations) {
  check_whole<float>();
  check_whole<Half>();
}

template <typename T>
void check_blocks() {
  constexpr uint32_t kPerBlock = 32 / sizeof(T), kUnit = 8 * sizeof(T);
  const auto each_block = [](Image& image, const auto& v, uint32_t at, auto&& value_of) {
    for (uint32_t b = 0; b < 8; ++b) {
      const std::vector<std::pair<bool, T>> part(v.begin() + b * kPerBlock,
                                                 v.begin() + (b + 1) * kPerBlock);
      bool any = false;
      for (const auto& e : part) any = any || e.first;
      if (any) image.set(kDst + (at * 8 + b) * sizeof(T), value_of(part));
    }
  };
  check_repeats<T>(
      kUnit,
      [&](Image& image, const auto& v, uint32_t at) {
        each_block(image, v, at, [](const auto& part) { return tree(part, true); });
      },
      [](auto d, auto s, const Form& f, int32_t n, int32_t stride, int32_t block, int32_t repeat) {
        WITH_MASK(f, AscendC::BlockReduceSum(d, s, n, mask, stride, block, repeat));
      });
  check_repeats<T>(
      kUnit,
      [&](Image& image, const auto& v, uint32_t at) {
        each_block(image, v, at, [](const auto& part) { return best(part, true).first; });
      },
      [](auto d, auto s, const Form& f, int32_t n, int32_t stride, int32_t block, int32_t repeat) {
        WITH_MASK(f, AscendC::BlockReduceMax(d, s, n, mask, stride, block, repeat));
      });
  check_repeats<T>(
      kUnit,
      [&](Image& image, const auto& v, uint32_t at) {
        each_block(image, v, at, [](const auto& part) { return best(part, false).first; });
      },
      [](auto d, auto s, const Form& f, int32_t n, int32_t stride, int32_t block, int32_t repeat) {
        WITH_MASK(f, (AscendC::ReduceDataBlock<AscendC::ReduceType::MIN>(d, s, mask, n, stride,
                                                                         block, repeat)));
      });
}
TEST(Reduce, Blocks) {
  check_blocks<float>();
  check_blocks<Half>();
}

template <typename T>
void check_pairs() {
  constexpr uint32_t kUnit = 128;
  check_repeats<T>(
      kUnit,
      [](Image& image, const auto& v, uint32_t at) {
        for (size_t i = 0; i < v.size(); i += 2) {
          if (!v[i].first && !v[i + 1].first) continue;
          image.set(kDst + at * 128 + i / 2 * sizeof(T), tree<T>({v[i], v[i + 1]}, true));
        }
      },
      [](auto d, auto s, const Form& f, int32_t n, int32_t stride, int32_t block, int32_t repeat) {
        WITH_MASK(f, AscendC::PairReduceSum(d, s, n, mask, stride, block, repeat));
      });
}
TEST(Reduce, Pairs) {
  check_pairs<float>();
  check_pairs<Half>();
}

// The extreme of all iterations and its place in the source, in whichever iteration it is.
TEST(Reduce, RegistersHoldTheLastResult) {
  for (uint32_t place : {5u, 70u, 130u}) {
    Image before(81);
    std::vector<float> v(192, 1.0f);
    v[place] = 9.0f;
    before.fill(kSrc0, v);
    const Outcome o = run(before, [] {
      AscendC::WholeReduceMax(at<float>(kDst), at<float>(kSrc0), 64, 3, 1, 1, 8);
      float value = 0, index = 0;
      AscendC::GetReduceRepeatMaxMinSpr(value, index);
      uint32_t position;
      std::memcpy(&position, &index, 4);
      kernel_result = static_cast<uint64_t>(value) * 1000 + position;
    });
    EXPECT_EQ(o.result, 9000u + place);
  }
}

}  // namespace
}  // namespace conformance
