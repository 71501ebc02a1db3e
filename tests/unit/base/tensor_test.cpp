#include "opkit/base/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace opkit {
namespace {

TEST(Tensor, StoresEveryDtype) {
  for (DType dtype : all_dtypes()) {
    Tensor t(dtype, Shape{3});
    t.set(0, 1);
    t.set(1, 0);
    t.set(2, 1);
    EXPECT_EQ(t.at(0), 1) << name_of(dtype);
    EXPECT_EQ(t.at(1), 0) << name_of(dtype);
    EXPECT_EQ(t.at(2), 1) << name_of(dtype);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(t.data()) % 64, 0u);
  }
}

TEST(Tensor, SaturatesIntegers) {
  Tensor t(DType::kInt8, Shape{3});
  t.set(0, 300);
  t.set(1, -300);
  t.set(2, std::nan(""));
  EXPECT_EQ(t.at(0), 127);
  EXPECT_EQ(t.at(1), -128);
  EXPECT_EQ(t.at(2), 0);
}

TEST(Tensor, CopiesOwnTheirBytes) {
  Tensor a(DType::kFloat32, Shape{2});
  a.set(0, 5);
  Tensor b = a;
  b.set(0, 6);
  EXPECT_EQ(a.at(0), 5);
  Tensor c = std::move(b);
  EXPECT_EQ(c.at(0), 6);
}

TEST(Tensor, ReservedTensorsTakeNoMemory) {
  const auto huge = Tensor::reserved(DType::kFloat32, Shape{int64_t{1} << 34}, "x");  // 64 GiB
  ASSERT_TRUE(huge.ok()) << huge.error().to_string();
  EXPECT_TRUE(huge->is_reserved());
  EXPECT_EQ(huge->size_bytes(), size_t{1} << 36);
  EXPECT_EQ(huge->at((int64_t{1} << 34) - 1), 0);
  const Tensor copy = *huge;
  EXPECT_EQ(copy.data(), huge->data());
  EXPECT_EQ(copy.desc(), huge->desc());
  const auto none = Tensor::reserved(DType::kFloat32, Shape{int64_t{1} << 46}, "x");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-TENSOR-001");
}

TEST(DType, EverySpellingIsFound) {
  for (DType dtype : all_dtypes()) {
    EXPECT_EQ(dtype_from_name(name_of(dtype)), dtype);
    EXPECT_EQ(dtype_from_name(kernel_name_of(dtype)), dtype);
    EXPECT_EQ(dtype_from_name(graph_name_of(dtype)), dtype);
  }
  EXPECT_EQ(dtype_from_name("f17"), std::nullopt);
}

// The memory of somebody else lives as long as the tensor; a copy has its own.
TEST(Tensor, IsLentMemory) {
  auto owner = std::make_shared<std::vector<std::byte>>(4096);
  std::weak_ptr<std::vector<std::byte>> alive = owner;
  std::byte* at = owner->data();
  Tensor tensor =
      Tensor::lent({std::move(owner), at}, {"x", DType::kInt32, Shape({3, 5}), Format::kND});
  EXPECT_EQ(tensor.data(), at);
  EXPECT_EQ(tensor.size_bytes(), 60u);
  EXPECT_EQ(tensor.desc().to_string(), "x: int32 [3, 5] ND");
  EXPECT_FALSE(tensor.is_reserved());
  tensor.set(14, -7);
  Tensor copy = tensor;
  tensor.set(14, 8);
  EXPECT_NE(copy.data(), at);
  EXPECT_EQ(copy.at(14), -7);
  Tensor moved = std::move(tensor);
  EXPECT_EQ(moved.data(), at);
  EXPECT_EQ(moved.at(14), 8);
  EXPECT_FALSE(alive.expired());
  copy = moved;
  moved = Tensor();
  EXPECT_TRUE(alive.expired());
  EXPECT_EQ(copy.at(14), 8);
}

}  // namespace
}  // namespace opkit
