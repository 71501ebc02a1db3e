// Sort32, MrgSort, Sort, Extract, TransDataTo5HD, Transpose.
#include <algorithm>

#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

template <typename T>
struct Pair {
  T score;
  uint32_t index;
};

template <typename T>
std::vector<Pair<T>> pairs_of(const Image& image, uint32_t scores, uint32_t indices, uint32_t n) {
  std::vector<Pair<T>> v;
  for (uint32_t i = 0; i < n; ++i)
    v.push_back({image.get<T>(scores + i * sizeof(T)), image.get<uint32_t>(indices + 4 * i)});
  return v;
}

template <typename T>
void put_pairs(Image& image, uint32_t at, const std::vector<Pair<T>>& v) {
  for (size_t i = 0; i < v.size(); ++i) {
    image.set(at + 8 * i, uint64_t{0});
    image.set(at + 8 * i, v[i].score);
    image.set(at + 8 * i + 4, v[i].index);
  }
}

// Insertion: an element goes before the first one that is smaller.
template <typename T>
std::vector<Pair<T>> descending(const std::vector<Pair<T>>& v) {
  std::vector<Pair<T>> out;
  for (const Pair<T>& p : v) {
    auto at = out.begin();
    while (at != out.end() && static_cast<float>(at->score) >= static_cast<float>(p.score)) ++at;
    out.insert(at, p);
  }
  return out;
}

template <typename T>
Image sort_image(uint32_t seed) {
  Image image(seed);
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < 512; ++i) {
    image.set(kSrc0 + i * sizeof(T), static_cast<T>(static_cast<float>(random() % 40) - 20.0f));
    image.set(kSrc1 + i * 4, i * 3 + 1);
  }
  return image;
}

template <typename T>
void check_sort32() {
  const Image before = sort_image<T>(101);
  for (int32_t repeats : {0, 1, 4, 16}) {
    Image expected = before;
    for (uint32_t r = 0; r < static_cast<uint32_t>(repeats); ++r)
      put_pairs(expected, kDst + r * 256,
                descending(pairs_of<T>(before, kSrc0 + r * 32 * sizeof(T), kSrc1 + r * 128, 32)));
    EXPECT_TRUE(same<uint32_t>(
        run(before,
            [&] { AscendC::Sort32(at<T>(kDst), at<T>(kSrc0), at<uint32_t>(kSrc1), repeats); })
            .image,
        expected));
  }
}
TEST(Sort, Groups) {
  check_sort32<float>();
  check_sort32<Half>();
}

template <typename T>
void check_full_sort() {
  const Image before = sort_image<T>(102);
  for (int32_t repeats : {1, 2, 3, 4, 5, 13, 16}) {
    const auto n = static_cast<uint32_t>(repeats) * 32;
    const auto sorted = descending(pairs_of<T>(before, kSrc0, kSrc1, n));
    const Outcome o = run(before, [&] {
      LocalTensor<T> tmp = at<T>(kSrc2);
      AscendC::Sort<T, true>(at<T>(kDst), at<T>(kSrc0), at<uint32_t>(kSrc1), tmp, repeats);
      AscendC::Extract(at<T>(kSrc0), at<uint32_t>(kSrc1), at<T>(kDst), repeats);
    });
    const auto extracted = pairs_of<T>(o.image, kSrc0, kSrc1, n);
    for (uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(static_cast<float>(extracted[i].score), static_cast<float>(sorted[i].score)) << i;
      ASSERT_EQ(extracted[i].index, sorted[i].index) << i << " of " << n;
    }
  }
}
TEST(Sort, AllOfThemAndExtract) {
  check_full_sort<float>();
  check_full_sort<Half>();
}

// Lists of pairs one after the other from kSrc0.
template <typename T>
void check_merge(const std::vector<uint16_t>& lengths, bool suspend, uint16_t repeats) {
  Image before(103);
  std::mt19937 random(7);
  std::vector<std::vector<Pair<T>>> lists;
  uint32_t at_pair = 0, id = 0;
  for (uint16_t r = 0; r < repeats; ++r) {
    for (uint16_t length : lengths) {
      std::vector<Pair<T>> list;
      for (uint16_t i = 0; i < length; ++i)
        list.push_back({static_cast<T>(static_cast<float>(random() % 30)), ++id});
      list = descending(list);
      put_pairs(before, kSrc0 + at_pair * 8, list);
      at_pair += length;
      lists.push_back(list);
    }
  }
  Image expected = before;
  std::vector<uint32_t> taken;
  uint32_t out = 0;
  for (uint16_t r = 0; r < repeats; ++r) {
    taken.assign(4, 0);
    const size_t base = r * lengths.size();
    uint32_t at_out = out;
    while (true) {
      int pick = -1;
      bool empty = false;
      for (size_t k = 0; k < lengths.size(); ++k) {
        if (taken[k] == lengths[k]) {
          empty = true;
          continue;
        }
        const auto best = [&](size_t i) {
          return static_cast<float>(lists[base + i][taken[i]].score);
        };
        if (pick < 0 || best(k) > best(static_cast<size_t>(pick))) pick = static_cast<int>(k);
      }
      if (pick < 0 || (suspend && empty)) break;
      const auto k = static_cast<size_t>(pick);
      put_pairs<T>(expected, kDst + at_out++ * 8, {lists[base + k][taken[k]++]});
    }
    for (uint16_t length : lengths) out += length;
  }
  const Outcome o = run(before, [&] {
    AscendC::MrgSortSrcList<T> sources;
    LocalTensor<T>* const places[] = {&sources.src1, &sources.src2, &sources.src3, &sources.src4};
    uint16_t counts[4] = {0, 0, 0, 0};
    uint32_t first = 0;
    for (size_t k = 0; k < lengths.size(); ++k) {
      *places[k] = at<T>(kSrc0 + first * 8, 8192 - first * 8);
      counts[k] = lengths[k];
      first += lengths[k];
    }
    const auto valid = static_cast<uint16_t>((1u << lengths.size()) - 1);
    AscendC::MrgSort(at<T>(kDst), sources, AscendC::MrgSort4Info(counts, suspend, valid, repeats));
    uint16_t a = 0, b = 0, c = 0, d = 0;
    AscendC::GetMrgSortResult(a, b, c, d);
    kernel_result = a | uint64_t{b} << 16 | uint64_t{c} << 32 | uint64_t{d} << 48;
  });
  EXPECT_TRUE(same<uint32_t>(o.image, expected)) << lengths.size() << suspend << repeats;
  EXPECT_EQ(o.result, taken[0] | uint64_t{taken[1]} << 16 | uint64_t{taken[2]} << 32 |
                          uint64_t{taken[3]} << 48);
}
TEST(Sort, Merge) {
  for (bool suspend : {false, true}) {
    check_merge<float>({32, 32}, suspend, 1);
    check_merge<float>({64, 8, 20}, suspend, 1);
    check_merge<float>({4, 100, 60, 32}, suspend, 1);
    check_merge<Half>({4, 100, 60, 32}, suspend, 1);
    check_merge<Half>({12, 4}, suspend, 1);
    // Lists that start at any pair.
    check_merge<float>({33, 7, 1, 30}, suspend, 1);
    check_merge<Half>({5, 31, 2}, suspend, 1);
  }
  check_merge<float>({32, 32, 32, 32}, false, 3);
  check_merge<Half>({7, 7, 7, 7}, false, 2);
}

// Sixteen blocks each; b32 and b8 as the page's pictures say.
template <typename T>
void check_blocks(uint8_t repeats, bool dst_high, bool src_high, uint16_t dst_step,
                  uint16_t src_step) {
  const Image before(104);
  Image expected = before;
  constexpr uint32_t kBlock = 32;
  const auto element = [](uint32_t base, uint32_t block, uint32_t i, int64_t shift) {
    return base + block * 256 + i * sizeof(T) + static_cast<uint64_t>(shift);
  };
  for (uint32_t r = 0; r < repeats; ++r) {
    const uint32_t times = repeats == 1 ? 1 : r;  // with one repeat the stride counts already
    const int64_t to = times * dst_step * kBlock, from = times * src_step * kBlock;
    const uint32_t rows = sizeof(T) == 4 ? 8 : 16;
    for (uint32_t i = 0; i < rows; ++i) {
      for (uint32_t j = 0; j < 16; ++j) {
        const uint32_t block = sizeof(T) == 4 ? 2 * i + j / 8 : i;
        const uint32_t lane = sizeof(T) == 4 ? j % 8 : sizeof(T) == 1 ? (dst_high ? 16 : 0) + j : j;
        const uint32_t in = sizeof(T) == 1 ? (src_high ? 16 : 0) + i : i;
        expected.set(element(kDst, block, lane, to), before.get<T>(element(kSrc0, j, in, from)));
      }
    }
  }
  const AscendC::TransDataTo5HDParams params(dst_high, src_high, repeats, dst_step, src_step);
  const Outcome tensors = run(before, [&] {
    LocalTensor<T> dst[16], src[16];
    for (uint32_t i = 0; i < 16; ++i) {
      dst[i] = at<T>(kDst + i * 256);
      src[i] = at<T>(kSrc0 + i * 256);
    }
    AscendC::TransDataTo5HD<T>(dst, src, params);
  });
  EXPECT_TRUE(same<T>(tensors.image, expected)) << sizeof(T) << int(repeats);
  const Outcome addresses = run(before, [&] {
    uint64_t dst[16], src[16];
    for (uint32_t i = 0; i < 16; ++i) {
      dst[i] = at<T>(kDst + i * 256).GetPhyAddr();
      src[i] = at<T>(kSrc0 + i * 256).GetPhyAddr();
    }
    AscendC::TransDataTo5HD<T>(dst, src, params);
  });
  EXPECT_TRUE(same<T>(addresses.image, expected)) << sizeof(T);
}
TEST(Transpose, SixteenBlocks) {
  check_blocks<uint16_t>(1, false, false, 0, 0);
  check_blocks<uint16_t>(1, false, false, 1, 2);
  check_blocks<uint16_t>(4, false, false, 1, 2);
  check_blocks<float>(1, false, false, 0, 0);
  check_blocks<float>(3, false, false, 2, 1);
  for (bool dst_high : {false, true}) {
    for (bool src_high : {false, true}) check_blocks<int8_t>(2, dst_high, src_high, 3, 1);
  }
}

TEST(Transpose, Square) {
  const Image before(105);
  Image expected = before;
  for (uint32_t i = 0; i < 16; ++i) {
    for (uint32_t j = 0; j < 16; ++j)
      expected.set(kDst + (i * 16 + j) * 2, before.get<uint16_t>(kSrc0 + (j * 16 + i) * 2));
  }
  EXPECT_TRUE(same<uint16_t>(
      run(before, [] { AscendC::Transpose(at<uint16_t>(kDst), at<uint16_t>(kSrc0)); }).image,
      expected));
}

template <typename T>
void check_channels() {
  const Image before(106);
  const uint32_t n = 2, c = 3, h = 4, w = 5;
  Image last = before, first = before;
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t k = 0; k < c; ++k) {
      for (uint32_t p = 0; p < h * w; ++p) {
        const uint32_t nchw = (i * c + k) * h * w + p, nhwc = (i * h * w + p) * c + k;
        last.set(kDst + nhwc * sizeof(T), before.get<T>(kSrc0 + nchw * sizeof(T)));
        first.set(kDst + nchw * sizeof(T), before.get<T>(kSrc0 + nhwc * sizeof(T)));
      }
    }
  }
  using AscendC::TransposeType;
  const auto turned = [&](TransposeType type) {
    return run(before,
               [&] {
                 AscendC::Transpose(at<T>(kDst), at<T>(kSrc0), at<uint8_t>(kSrc2),
                                    AscendC::TransposeParamsExt(n, c, h, w, type));
               })
        .image;
  };
  EXPECT_TRUE(same<T>(turned(TransposeType::TRANSPOSE_NCHW2NHWC), last));
  EXPECT_TRUE(same<T>(turned(TransposeType::TRANSPOSE_NHWC2NCHW), first));
}
TEST(Transpose, NoTypeAndNoElementsDoNothing) {
  const Image before(107);
  using AscendC::TransposeType;
  for (const AscendC::TransposeParamsExt& params :
       {AscendC::TransposeParamsExt(2, 3, 4, 4, TransposeType::TRANSPOSE_TYPE_NONE),
        AscendC::TransposeParamsExt(0, 3, 4, 4, TransposeType::TRANSPOSE_NCHW2NHWC),
        AscendC::TransposeParamsExt(2, 0, 4, 4, TransposeType::TRANSPOSE_NHWC2NCHW)}) {
    const Outcome o = run(before, [&] {
      AscendC::Transpose(at<float>(kDst), at<float>(kSrc0), at<uint8_t>(kSrc2), params);
    });
    EXPECT_TRUE(same<float>(o.image, before)) << int(params.transposeType);
  }
}
TEST(Transpose, Channels) {
  check_channels<uint8_t>();
  check_channels<Half>();
  check_channels<float>();
}

}  // namespace
}  // namespace conformance
