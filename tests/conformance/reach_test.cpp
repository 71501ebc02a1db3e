// What kernels reach into without a page of its own: scalar helpers, constants, traits, and the
// descriptor of a list of tensors. An author's own helpers of the same names must win.
#include <gmock/gmock.h>

#include "opkit/include/lib/matmul_intf.h"
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

static_assert(AscendC::Ceil(7u, 8u) == 1 && AscendC::Ceil(uint64_t{17}, 8) == 3);
static_assert(AscendC::DivCeil(uint8_t{255}, uint8_t{2}) == 128);
static_assert(AscendC::AlignUp(33, 32) == 64 && AscendC::AlignUp(64u, 32u) == 64);
static_assert(AscendC::CeilAlign(int64_t{1}, 16) == 16);
static_assert(matmul::CeilDiv(33, 32) == 2 && matmul::CeilDiv(64u, uint64_t{32}) == 2);
static_assert(min(3, 5u) == 3 && max(2.5f, 1) == 2.5f && min(uint64_t{1} << 40, 7) == 7);
static_assert(sbitset1(0x10, 0) == 0x11 && sbitset0(0x11, 4) == 1 &&
              sbitset1(0, 63) == uint64_t{1} << 63);
static_assert(AscendC::Std::is_same<AscendC::TEventID, int8_t>::value);
static_assert(AscendC::Std::IsSame<half, half>::value && !AscendC::Std::IsSame<half, float>::value);
static_assert(AscendC::TOTAL_UB_SIZE - AscendC::TOTAL_VEC_LOCAL_SIZE == 8 * 1024);
static_assert(AscendC::TrueType::value && !AscendC::FalseType::value);
static_assert(AscendC::Std::min(4, 2) == 2 && AscendC::Std::max(4, 2) == 4);
// Pages "add_const" to "remove_volatile", "integer_sequence", "abs", "sqrt".
namespace traits {
using namespace AscendC::Std;
static_assert(is_same_v<add_const<int>::type, const int>);
static_assert(is_same_v<add_cv_t<int>, const volatile int>);
static_assert(is_same_v<add_volatile<int>::type, volatile int>);
static_assert(is_same_v<add_pointer_t<int>, int*> && is_same_v<remove_pointer_t<int* const>, int>);
static_assert(is_same_v<add_lvalue_reference_t<int>, int&>);
static_assert(is_same_v<add_rvalue_reference<int>::type, int&&>);
static_assert(is_same_v<remove_reference_t<int&&>, int>);
static_assert(is_same_v<remove_volatile_t<volatile int>, int>);
static_assert(is_array<int[3]>::value && !is_array<int*>::value && is_const<const int>::value);
static_assert(is_floating_point<float>::value && is_pointer<int*>::value);
static_assert(is_reference<int&>::value && !is_reference<int>::value);
static_assert(is_same_v<make_index_sequence<3>, index_sequence<0, 1, 2>>);
static_assert(tuple_size_v<tuple<int, float>> == 2);
static_assert(is_same_v<tuple_element_t<1, tuple<int, float>>, float>);
}  // namespace traits
static_assert(AscendC::Std::abs(int64_t{-2}) == 2 && AscendC::Std::abs(-2.5f) == 2.5f &&
              AscendC::Std::abs(int8_t{-7}) == 7);
static_assert(AscendC::SizeOfBits<int4b_t>::value == 4 && AscendC::SizeOfBits<half>::value == 16);
static_assert(AscendC::AscendCUtils::GetBitSize(4) == 32 && AscendC::FULL_MASK == ~uint64_t{0});
static_assert(std::is_same<AscendC::int4b_t, int4b_t>::value);

}  // namespace
}  // namespace conformance

// A kernel's own helpers beside the using-directive; each answers what no rounding up would.
namespace author {

using namespace AscendC;

template <typename T>
constexpr T Ceil(T, T) {
  return 1001;
}
template <typename A, typename B>
constexpr A AlignUp(A, B) {
  return 1002;
}
constexpr uint32_t DivCeil(uint32_t, uint32_t) { return 1003; }
using namespace matmul;
constexpr uint32_t CeilDiv(uint32_t, uint32_t) { return 1005; }
static_assert(CeilDiv(7u, 8u) == 1005);
template <typename T>
constexpr T min(T, T) {
  return 1004;
}

static_assert(Ceil(7u, 8u) == 1001 && AlignUp(33, 32u) == 1002 && DivCeil(7u, 8u) == 1003);
static_assert(min(1, 2) == 1004);

}  // namespace author

namespace conformance {
namespace {

TEST(Reach, AbsoluteValues) {
  EXPECT_EQ(abs(-3), 3);
  EXPECT_EQ(abs(-2.5f), 2.5f);
  EXPECT_EQ(abs(int64_t{-1} << 40), int64_t{1} << 40);
}

// Page "sqrt": whole numbers are cut.
TEST(Reach, RootsOfScalars) {
  EXPECT_EQ(AscendC::Std::sqrt(int64_t{4}), 2);
  EXPECT_EQ(AscendC::Std::sqrt(int64_t{24}), 4);
  const int64_t root = 3037000499;  // the largest one whose square fits
  EXPECT_EQ(AscendC::Std::sqrt(root * root), root);
  EXPECT_EQ(AscendC::Std::sqrt(root * root - 1), root - 1);
  EXPECT_EQ(AscendC::Std::sqrt(INT64_MAX), root);
  EXPECT_EQ(AscendC::Std::sqrt(2.25f), 1.5f);
}

// Page "tuple": values taken apart into variables, tensors beside numbers, elements below a byte.
TEST(Reach, TuplesAreTakenApart) {
  const AscendC::Std::tuple<uint32_t, float, bool> values{11, 2.25f, true};
  uint32_t a = 0;
  float b = 0;
  bool c = false;
  AscendC::Std::tie(a, b, c) = values;
  EXPECT_TRUE(a == 11 && b == 2.25f && c);
  AscendC::LocalTensor<float> x(AscendC::TPosition::VECIN, 32, 8);
  AscendC::GlobalTensor<half> y;
  auto both = AscendC::Std::make_tuple(x, y, int4b_t(1), half(10.0f));
  EXPECT_EQ(AscendC::Std::get<0>(both).address_.bufferAddr, 32u);
  AscendC::Std::get<3>(both) = half(2.0f);
  EXPECT_EQ(static_cast<float>(AscendC::Std::get<3>(both)), 2.0f);
}

TEST(Reach, ListOfTensors) {
  float first[4] = {}, third[6] = {};
  int32_t second[1] = {};
  // Shapes {2, 2}, none, {1, 2, 3}; the count stands in the first tensor's word.
  std::vector<uint64_t> list = {10 * 8,     2 | uint64_t{3} << 32, 2, 2, 0 | uint64_t{1} << 32,
                                0xffffffff, 3 | uint64_t{2} << 32, 1, 2, 3};
  for (void* data :
       {static_cast<void*>(first), static_cast<void*>(second), static_cast<void*>(third)}) {
    list.push_back(reinterpret_cast<uint64_t>(data));
  }
  const AscendC::ListTensorDesc tensors(list.data());
  EXPECT_EQ(tensors.GetSize(), 3u);
  EXPECT_EQ(tensors.GetDataPtr<float>(0), first);
  EXPECT_EQ(tensors.GetDataPtr<int32_t>(1), second);
  uint64_t shape[8] = {};
  AscendC::TensorDesc<float> desc;
  desc.SetShapeAddr(shape);
  tensors.GetDesc(desc, 2);
  EXPECT_EQ(desc.GetDim(), 3u);
  EXPECT_EQ(desc.GetIndex(), 2u);
  EXPECT_EQ(desc.GetShape(0) * 100 + desc.GetShape(1) * 10 + desc.GetShape(2), 123u);
  EXPECT_EQ(desc.GetDataPtr(), third);
  tensors.GetDesc(desc, 1);
  EXPECT_EQ(desc.GetDim(), 0u);
  EXPECT_EQ(desc.GetDataPtr(), reinterpret_cast<float*>(second));
}

TEST(Reach, BitsOfAComparisonAsWords) {
  const Image before = image_of<float>(5);
  const auto compare = [&](auto bits) {
    return run(before,
               [&] {
                 AscendC::CompareScalar(bits, at<float>(kSrc0), 0.5f, AscendC::CMPMODE::GT, 128u);
               })
        .image;
  };
  const Image words = compare(at<uint16_t>(kDst));
  EXPECT_TRUE(same<uint8_t>(words, compare(at<uint8_t>(kDst))));
  for (uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(words.get<uint8_t>(kDst + i / 8) >> i % 8 & 1,
              before.get<float>(kSrc0 + 4 * i) > 0.5f);
  }
}

TEST(Reach, EnhancedCopyIsAPlainOne) {
  std::vector<float> gm(64, 1.5f);
  const auto faults = faults_of([&] {
    AscendC::GlobalTensor<float> from;
    from.SetGlobalBuffer(gm.data(), gm.size());
    AscendC::DataCopyEnhancedParams relu;
    relu.isRelu = true;
    AscendC::DataCopy(at<float>(kDst), from, AscendC::DataCopyParams(1, 8, 0, 0), relu);
  });
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code, "EK1008");
  EXPECT_THAT(faults[0].message, ::testing::HasSubstr("no copy of this chip does"));
}

}  // namespace
}  // namespace conformance
