#include "opkit/call/layout/storage_layout.h"

#include <gmock/gmock.h>

#include <cstring>
#include <random>

namespace opkit {
namespace {

using ::testing::HasSubstr;

// The twin: one formula per format, of indices along the origin's axes, and of no digits.
struct Twin {
  Format format;
  int64_t c0;
  std::vector<int64_t> d;  // the origin's dims

  static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

  std::vector<int64_t> storage() const {
    const size_t r = d.size();
    if (format == Format::kNC1HWC0) return {d[0], up(d[1], c0), d[2], d[3], c0};
    if (format == Format::kFractalZ) return {up(d[1], c0) * d[2] * d[3], up(d[0], 16), 16, c0};
    std::vector<int64_t> dims(d.begin(), d.end() - 2);
    for (const int64_t dim : {up(d[r - 1], c0), up(d[r - 2], 16), int64_t{16}, c0})
      dims.push_back(dim);
    return dims;
  }

  int64_t place(const std::vector<int64_t>& i) const {
    if (format == Format::kNC1HWC0) {
      const int64_t n = i[0], c = i[1], h = i[2], w = i[3];
      return (((n * up(d[1], c0) + c / c0) * d[2] + h) * d[3] + w) * c0 + c % c0;
    }
    if (format == Format::kFractalZ) {
      const int64_t n = i[0], c = i[1], h = i[2], w = i[3];
      return ((c / c0 * d[2] + h) * d[3] + w) * up(d[0], 16) * 16 * c0 + n * c0 + c % c0;
    }
    const size_t r = d.size();
    const int64_t m = i[r - 2], n = i[r - 1], m1 = up(d[r - 2], 16), n1 = up(d[r - 1], c0);
    int64_t batch = 0;
    for (size_t axis = 0; axis + 2 < r; ++axis) batch = batch * d[axis] + i[axis];
    return batch * n1 * m1 * 16 * c0 + n / c0 * m1 * 16 * c0 + m * c0 + n % c0;
  }

  std::vector<int64_t> index(int64_t element) const {
    std::vector<int64_t> i(d.size());
    for (size_t axis = d.size(); axis-- > 0;) {
      i[axis] = element % d[axis];
      element /= d[axis];
    }
    return i;
  }
};

StorageLayout layout_of(Format format, DType dtype, const std::vector<int64_t>& dims) {
  auto layout = StorageLayout::of(format, dtype, Shape(dims));
  EXPECT_TRUE(layout.ok()) << layout.error().to_string();
  return std::move(layout).value();
}

// Distinct as far as the dtype goes, and no element all zero bits or all one bits.
Tensor filled(DType dtype, const std::vector<int64_t>& dims) {
  Tensor tensor(dtype, Shape(dims), "x");
  std::mt19937 draw(7);
  for (size_t i = 0; i < tensor.size_bytes(); ++i)
    tensor.data()[i] =
        static_cast<std::byte>(dtype == DType::kInt4 ? 0x11 * (1 + draw() % 14) : 1 + draw() % 254);
  return tensor;
}

struct Case {
  Format format;
  std::vector<int64_t> dims;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& dims : std::vector<std::vector<int64_t>>{{1, 1},
                                                            {16, 16},
                                                            {17, 33},
                                                            {5, 129},
                                                            {3, 40, 7},
                                                            {2, 3, 16, 64},
                                                            {2, 1, 3, 31, 65},
                                                            {0, 4},
                                                            {4, 0},
                                                            {0, 3, 3}})
    all.push_back({Format::kFractalNZ, dims});
  for (const Format format : {Format::kNC1HWC0, Format::kFractalZ}) {
    for (const auto& dims : std::vector<std::vector<int64_t>>{{1, 1, 1, 1},
                                                              {2, 3, 4, 5},
                                                              {16, 32, 3, 3},
                                                              {17, 33, 2, 1},
                                                              {33, 65, 1, 3},
                                                              {0, 5, 2, 2},
                                                              {3, 0, 2, 2}})
      all.push_back({format, dims});
  }
  return all;
}

class Layouts : public testing::TestWithParam<DType> {};

TEST_P(Layouts, AgreeWithAFormulaForEachFormat) {
  const DType dtype = GetParam();
  for (const Case& one : cases()) {
    SCOPED_TRACE(std::string(name_of(one.format)) + Shape(one.dims).to_string());
    const Twin twin{one.format, 256 / bits_of(dtype), one.dims};
    const StorageLayout layout = layout_of(one.format, dtype, one.dims);
    EXPECT_EQ(layout.storage().dims(), twin.storage());
    std::vector<int64_t> element_at(static_cast<size_t>(layout.storage().elements()), -1);
    for (int64_t e = 0; e < layout.origin().elements(); ++e) {
      const int64_t place = twin.place(twin.index(e));
      ASSERT_EQ(layout.place_of(e), place) << e;
      element_at.at(static_cast<size_t>(place)) = e;
    }
    int64_t before = 0;
    for (size_t place = 0; place < element_at.size(); ++place) {
      ASSERT_EQ(layout.element_at(static_cast<int64_t>(place)), element_at[place]) << place;
      ASSERT_EQ(layout.elements_before(static_cast<int64_t>(place)), before) << place;
      before += element_at[place] >= 0 ? 1 : 0;
    }
    EXPECT_EQ(layout.elements_before(layout.storage().elements()), before);
  }
}

TEST_P(Layouts, ToStorageAndBackIsTheIdentity) {
  const DType dtype = GetParam();
  for (const Case& one : cases()) {
    SCOPED_TRACE(std::string(name_of(one.format)) + Shape(one.dims).to_string());
    const StorageLayout layout = layout_of(one.format, dtype, one.dims);
    const Tensor origin = filled(dtype, one.dims);
    const auto stored = layout.to_storage(origin);
    ASSERT_TRUE(stored.ok());
    EXPECT_EQ(stored->desc().format, one.format);
    EXPECT_EQ(stored->shape(), layout.storage());
    // Each element lies at its place, by value; everything else is zero.
    for (int64_t place = 0; place < stored->elements(); ++place) {
      const int64_t element = layout.element_at(place);
      if (element < 0) {
        ASSERT_EQ(stored->at(place), 0) << place;
      } else if (const double got = stored->at(place); got == got) {  // NaNs: by their bytes below
        ASSERT_EQ(got, origin.at(element)) << place;
      }
    }
    const Padding padding = padding_of(layout, *stored);
    EXPECT_EQ(padding.elements, stored->elements() - origin.elements());
    EXPECT_EQ(padding.not_zero, 0);
    const Tensor back = layout.to_origin(*stored);
    ASSERT_EQ(back.shape(), origin.shape());
    EXPECT_EQ(back.desc().name, "x");
    const size_t whole =
        origin.size_bytes() - (bits_of(dtype) < 8 && origin.elements() % 2 ? 1 : 0);
    EXPECT_EQ(std::memcmp(back.data(), origin.data(), whole), 0);
  }
}

TEST_P(Layouts, PaddingThatWasWrittenIsCounted) {
  const StorageLayout layout = layout_of(Format::kFractalNZ, GetParam(), {17, 5});
  Tensor stored(GetParam(), layout.storage());
  std::memset(stored.data(), 0xff, stored.size_bytes());
  const int64_t elements = layout.storage().elements() - 85;
  EXPECT_EQ(padding_of(layout, stored).untouched, elements);
  EXPECT_EQ(padding_of(layout, stored).not_zero, elements);
  const auto zero = layout.to_storage(Tensor(GetParam(), Shape{17, 5}));
  ASSERT_TRUE(zero.ok());
  Tensor one = *zero;
  one.set(one.elements() - 1, 1);
  EXPECT_EQ(padding_of(layout, one).not_zero, 1);
  EXPECT_EQ(padding_of(layout, one).untouched, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryDType, Layouts, testing::ValuesIn(all_dtypes()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

// "TransdataOperation": {8, 100, 30} in ND is {8, 2, 112, 16} in NZ, m1 and m0 in one dim.
TEST(StorageLayout, HasTheShapeOfTheVendorsExample) {
  EXPECT_EQ(layout_of(Format::kFractalNZ, DType::kFloat16, {8, 100, 30}).storage(),
            (Shape{8, 2, 7, 16, 16}));
}

TEST(StorageLayout, DenseFormatsStayAsTheyAre) {
  for (const Format format : {Format::kND, Format::kNCHW, Format::kNHWC}) {
    const StorageLayout layout = layout_of(format, DType::kFloat16, {2, 3, 4, 5});
    EXPECT_TRUE(layout.dense());
    EXPECT_EQ(layout.storage(), layout.origin());
    EXPECT_EQ(origin_format(format), format);
    EXPECT_EQ(layout.place_of(17), 17);
    EXPECT_EQ(layout.element_at(17), 17);
    EXPECT_EQ(layout.elements_before(17), 17);
    EXPECT_EQ(padding_of(layout, Tensor(DType::kFloat16, layout.storage())).elements, 0);
  }
  EXPECT_EQ(origin_format(Format::kFractalNZ), Format::kND);
  EXPECT_EQ(origin_format(Format::kFractalZ), Format::kNCHW);
  EXPECT_EQ(origin_format(Format::kNC1HWC0), Format::kNCHW);
}

TEST(StorageLayout, AddressesWithoutMemoryStayThat) {
  const std::vector<int64_t> dims{int64_t{1} << 20, 3, 3};
  const StorageLayout layout = layout_of(Format::kFractalNZ, DType::kFloat16, dims);
  const auto origin = Tensor::reserved(DType::kFloat16, Shape(dims), "x");
  ASSERT_TRUE(origin.ok());
  const auto stored = layout.to_storage(*origin);
  ASSERT_TRUE(stored.ok());
  EXPECT_TRUE(stored->is_reserved());
  EXPECT_EQ(stored->shape(), layout.storage());
}

TEST(StorageLayout, RefusesRanksThatTheFormatDoesNotHave) {
  const auto vector = StorageLayout::of(Format::kFractalNZ, DType::kFloat16, Shape{7});
  ASSERT_FALSE(vector.ok());
  EXPECT_EQ(vector.error().code, "OPK-LAYOUT-001");
  EXPECT_THAT(vector.error().message,
              HasSubstr("a tensor in FRACTAL_NZ has 2 dims or more, not the 1 dims of [7]"));
  const auto image = StorageLayout::of(Format::kNC1HWC0, DType::kFloat16, Shape{7, 2, 3});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code, "OPK-LAYOUT-001");
  EXPECT_THAT(image.error().message, HasSubstr("4 dims, those of NCHW"));
}

TEST(StorageLayout, RefusesStoragesThatNobodyCanCount) {
  const auto huge =
      StorageLayout::of(Format::kFractalNZ, DType::kInt8, Shape{int64_t{1} << 60, 1, 1});
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, "OPK-LAYOUT-002");
  EXPECT_THAT(huge.error().message, HasSubstr("too many places to count"));
}

TEST(TakenAs, NdTakesImagesWhoseFormatNoColumnHas) {
  const std::vector<Format> any{Format::kND, Format::kND}, both{Format::kND, Format::kNCHW},
      fractal{Format::kNC1HWC0};
  EXPECT_EQ(taken_as(Format::kNCHW, any), Format::kND);
  EXPECT_EQ(taken_as(Format::kNHWC, any), Format::kNHWC);
  EXPECT_EQ(taken_as(Format::kFractalNZ, any), Format::kFractalNZ);
  EXPECT_EQ(taken_as(Format::kNCHW, both), Format::kNCHW);
  EXPECT_EQ(taken_as(Format::kNCHW, fractal), Format::kNCHW);
  EXPECT_EQ(taken_as(Format::kND, fractal), Format::kND);
}

}  // namespace
}  // namespace opkit
