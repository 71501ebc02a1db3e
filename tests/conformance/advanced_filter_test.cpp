// DropOut and Select with a mask of numbers against plain loops. Selected values of Select are
// exact; DropOut multiplies by 1 / keepProb, so its values are within 1 unit.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_filter.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

struct Drop {
  uint32_t mode, rows, columns, mask_columns;
};
bool kept(const std::vector<uint8_t>& mask, const Drop& c, uint32_t i, uint32_t j) {
  const uint64_t row = i * c.mask_columns;
  const bool bytes = c.mask_columns >= c.columns;
  return bytes ? mask[row + j] != 0 : (mask[row + j / 8] >> (j % 8) & 1) != 0;
}
template <typename T, uint32_t mode>
void check_dropout(const Drop& c, bool shared, bool in_place) {
  const auto x = spread<T>(c.rows * c.columns, 1, -9, 9);
  std::vector<uint8_t> mask(c.rows * c.mask_columns);
  std::mt19937 random(7);
  const bool bytes = c.mask_columns >= c.columns;
  for (uint8_t& m : mask) m = static_cast<uint8_t>(bytes ? random() % 2 : random());
  Image before(51);
  before.fill(kSrc0, x);
  before.fill(kSrc1, mask);
  uint32_t max = 0, min = 0;
  AscendC::GetDropOutMaxMinTmpSize(ge::Shape({c.rows, c.columns}), sizeof(T), false, max, min);
  AscendC::DropOutShapeInfo info;
  info.firstAxis = c.rows;
  info.srcLastAxis = c.columns;
  info.maskLastAxis = c.mask_columns;
  const uint32_t to = in_place ? kSrc0 : kDst;
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(to), s = at<T>(kSrc0);
            const auto m = at<uint8_t>(kSrc1);
            if (shared)
              return AscendC::DropOut<T, false, mode>(d, s, m, temporary(min), 0.75f, info);
            AscendC::DropOut<T, false, mode>(d, s, m, 0.75f, info);
          }))
          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    for (uint32_t j = 0; j < c.columns; ++j) {
      const double v = static_cast<float>(x[i * c.columns + j]);
      const T got = after.get<T>(to + (i * c.columns + j) * sizeof(T));
      ASSERT_LE(distance(got, kept(mask, c, i, j) ? v / 0.75 : 0, 0), 1)
          << c.rows << "x" << c.columns << " at " << i << "," << j;
    }
  }
}
template <typename T>
void check_dropouts() {
  for (bool shared : {true, false}) {
    for (bool in_place : {true, false}) {
      for (const Drop& c : {Drop{0, 1, 32, 32}, Drop{0, 3, 160, 160}, Drop{0, 2, 48, 64},
                            Drop{0, 1, 256, 32}, Drop{0, 3, 512, 64}, Drop{0, 3, 240, 32}})
        check_dropout<T, 0>(c, shared, in_place);
      check_dropout<T, 1>({1, 2, 64, 64}, shared, in_place);
      check_dropout<T, 2>({2, 3, 16, 16}, shared, in_place);
      check_dropout<T, 3>({3, 4, 256, 32}, shared, in_place);
      check_dropout<T, 4>({4, 2, 256, 32}, shared, in_place);
    }
  }
}
TEST(AdvancedFilter, DropOut) {
  check_dropouts<float>();
  check_dropouts<Half>();
}

template <typename T, typename U>
void check_select(uint32_t rows, uint32_t columns, uint32_t mask_columns, bool tensor_first,
                  bool older, uint32_t room = 0) {
  const auto x = spread<T>(rows * columns, 1, -9, 9);
  std::vector<U> mask(rows * mask_columns);
  std::mt19937 random(9);
  for (size_t i = 0; i < mask.size(); ++i)
    mask[i] = random() % 2 ? static_cast<U>(1u << random() % (8 * sizeof(U) - 1)) : U{0};
  Image before(52);
  before.fill(kSrc0, x);
  before.fill(kSrc1, mask);
  const ge::Shape shape({rows, columns}), mask_shape({rows, mask_columns});
  uint32_t max = 0, min = 0;
  AscendC::GetSelectMaxMinTmpSize(shape, ge::Shape({1}), sizeof(T), mask_shape, sizeof(U), false,
                                  max, min);
  AscendC::SelectWithBytesMaskShapeInfo info;
  info.firstAxis = rows;
  info.srcLastAxis = columns;
  info.maskLastAxis = mask_columns;
  const T scalar = static_cast<T>(-77.0f);
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(kDst), s = at<T>(kSrc0);
            const auto m = at<U>(kSrc1);
            const auto t = temporary(room ? room : min);
            if (older && tensor_first)
              return AscendC::SelectWithBytesMask<T, U, false>(d, s, scalar, m, t, info);
            if (older) return AscendC::SelectWithBytesMask(d, scalar, s, m, t, info);
            if (tensor_first) return AscendC::Select(d, s, scalar, m, t, info);
            AscendC::Select<T, U, false>(d, scalar, s, m, t, info);
          }))
          .image;
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t j = 0; j < columns; ++j) {
      const bool set = mask[i * mask_columns + j] != U{0};
      const T expected = set == tensor_first ? scalar : x[i * columns + j];
      ASSERT_EQ(static_cast<float>(after.get<T>((i * columns + j) * sizeof(T))),
                static_cast<float>(expected))
          << rows << "x" << columns << " at " << i << "," << j;
    }
  }
  ASSERT_TRUE(untouched(before, after, rows * columns * sizeof(T)));
}
template <typename T, typename U>
void check_selects() {
  for (bool tensor_first : {true, false}) {
    for (bool older : {true, false}) {
      check_select<T, U>(1, 32, 32, tensor_first, older);
      check_select<T, U>(5, 160, 160, tensor_first, older);
      check_select<T, U>(3, 48, 64, tensor_first, older);
    }
  }
}
TEST(AdvancedFilter, SelectByNumbers) {
  check_selects<float, uint8_t>();
  check_selects<Half, uint8_t>();
  check_selects<Half, int8_t>();
  check_selects<Half, bool>();
  check_selects<float, int16_t>();
  check_selects<Half, uint16_t>();
  check_selects<float, int32_t>();
  check_selects<Half, uint32_t>();
}
// Authors give 2 bytes for each element, whatever GetSelectMinTmpSize says.
TEST(AdvancedFilter, SelectWithLittleRoom) {
  for (bool tensor_first : {true, false}) {
    for (uint32_t room : {96u, 128u, 256u, 320u}) {
      check_select<float, uint8_t>(1, 64, 64, tensor_first, true, room);
      check_select<float, bool>(3, 40, 64, tensor_first, true, room);
      check_select<Half, int16_t>(2, 144, 160, tensor_first, false, room);
      check_select<Half, int8_t>(2, 160, 160, tensor_first, false, room);
    }
  }
}
TEST(AdvancedFilter, Refusals) {
  const auto fault = [](auto body) {
    const auto faults = faults_of(piped(body));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault([] {
                AscendC::DropOutShapeInfo info;
                info.firstAxis = 1;
                info.srcLastAxis = 512;
                info.maskLastAxis = 32;
                AscendC::DropOut(at<float>(kDst), at<float>(kSrc0), at<uint8_t>(kSrc1), 0.5f, info);
              }),
              ::testing::HasSubstr("EK1802 DropOut: the mask must have a value"));
  EXPECT_THAT(fault([] {
                AscendC::SelectWithBytesMaskShapeInfo info;
                info.firstAxis = 1;
                info.srcLastAxis = 64;
                info.maskLastAxis = 32;
                AscendC::Select(at<float>(kDst), at<float>(kSrc0), 1.0f, at<uint8_t>(kSrc1),
                                temporary(512), info);
              }),
              ::testing::HasSubstr("EK1802 Select: maskLastAxis must be at least srcLastAxis"));
  EXPECT_THAT(fault([] {
                AscendC::SelectWithBytesMaskShapeInfo info;
                info.firstAxis = 1;
                info.srcLastAxis = info.maskLastAxis = 64;
                AscendC::Select(at<float>(kDst), at<float>(kSrc0), 1.0f, at<uint8_t>(kSrc1),
                                temporary(64), info);
              }),
              ::testing::HasSubstr("EK1801 Select: needs 96 bytes"));
  EXPECT_THAT(fault([] {
                AscendC::SelectWithBytesMaskShapeInfo info;
                info.firstAxis = 1;
                info.srcLastAxis = info.maskLastAxis = 64;
                AscendC::Select(at<float>(kDst), at<float>(kSrc0), 1.0f, at<int32_t>(kSrc1),
                                temporary(256), info);
              }),
              ::testing::HasSubstr("EK1801 Select: needs 288 bytes"));
}

}  // namespace
}  // namespace conformance
