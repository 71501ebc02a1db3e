// TensorTrait: an element type with a layout, and tensors of it. (Pages "TensorTrait简介",
// "MakeTensorTrait", "is_tensorTrait".) Calls take tensors of it like tensors of its LiteType; with
// them it has no layout.
#ifndef OPKIT_INCLUDE_ASCENDC_TENSOR_TRAIT_H_
#define OPKIT_INCLUDE_ASCENDC_TENSOR_TRAIT_H_

#include "opkit/include/ascendc/layout.h"
#include "opkit/include/ascendc/tensor.h"

namespace AscendC {
namespace detail {

template <typename T, typename LayoutType>
struct TraitLayout {
  LayoutType layout;
};
// As large as an element, so that sizeof says what it says of the LiteType.
template <typename T>
struct TraitLayout<T, Layout<Shape<>, Stride<>>> {
  static inline Layout<Shape<>, Stride<>> layout;
  alignas(T) unsigned char element[sizeof(T)];
};

template <typename ShapeType>
uint32_t elements_of(const ShapeType& shape) {
  return std::apply(
      [](const auto&... dims) { return (uint32_t{1} * ... * static_cast<uint32_t>(dims)); }, shape);
}

}  // namespace detail

template <typename T, TPosition pos = TPosition::GM,
          typename LayoutType = Layout<Shape<>, Stride<>>>
struct TensorTrait {
  using LiteType = T;
  using LiteLayoutType = LayoutType;
  static constexpr const TPosition tPos = pos;

  TensorTrait(const LayoutType& t = {}) { SetLayout(t); }
  LayoutType& GetLayout() { return held_.layout; }
  const LayoutType& GetLayout() const { return held_.layout; }
  void SetLayout(const LayoutType& t) { held_.layout = t; }
  auto& GetShape() const { return GetLayout().GetShape(); }
  auto& GetStride() const { return GetLayout().GetStride(); }

 private:
  detail::TraitLayout<T, LayoutType> held_;
};

template <typename T, TPosition pos, typename LayoutType>
auto MakeTensorTrait(const LayoutType& t) {
  return TensorTrait<T, pos, LayoutType>(t);
}

template <typename T>
struct is_tensorTrait : std::false_type {};
template <typename T, TPosition pos, typename LayoutType>
struct is_tensorTrait<TensorTrait<T, pos, LayoutType>> : std::true_type {};

template <typename T, TPosition pos, typename LayoutType>
class LocalTensor<TensorTrait<T, pos, LayoutType>> : public LocalTensor<T> {
 public:
  using LocalTensor<T>::LocalTensor;
  LocalTensor() = default;
  explicit LocalTensor(const LocalTensor<T>& plain) : LocalTensor<T>(plain) {}
  // At a byte address of the trait's memory, with the elements of the layout's constant shape.
  explicit LocalTensor(uint32_t addr)
      : LocalTensor<T>(pos, addr, detail::elements_of(LayoutType().GetShape())) {}
  LocalTensor operator[](uint32_t offset) const {
    return LocalTensor(LocalTensor<T>::operator[](offset));
  }
};

template <typename T, TPosition pos, typename LayoutType>
class GlobalTensor<TensorTrait<T, pos, LayoutType>> : public GlobalTensor<T> {
 public:
  GlobalTensor() = default;
  explicit GlobalTensor(const GlobalTensor<T>& plain) : GlobalTensor<T>(plain) {}
  GlobalTensor operator[](uint64_t offset) const {
    return GlobalTensor(GlobalTensor<T>::operator[](offset));
  }
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_TENSOR_TRAIT_H_
