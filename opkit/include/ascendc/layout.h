// Shapes with strides, and the place of a coordinate. (Pages "MakeLayout", "MakeShape",
// "MakeStride", "MakeCoord", "Crd2Idx", "is_layout".) Shapes are flat: no dimension has dimensions
// of its own.
#ifndef OPKIT_INCLUDE_ASCENDC_LAYOUT_H_
#define OPKIT_INCLUDE_ASCENDC_LAYOUT_H_

#include <tuple>

#include "opkit/include/ascendc/base.h"

namespace AscendC {

template <typename... Ts>
using Shape = std::tuple<Ts...>;
template <typename... Ts>
using Stride = std::tuple<Ts...>;
template <typename... Ts>
using Coord = std::tuple<Ts...>;

namespace detail {

template <typename Coords, typename Strides, size_t... I>
constexpr auto weighed(const Coords& coords, const Strides& strides, std::index_sequence<I...>) {
  return ((std::get<I>(coords) * std::get<I>(strides)) + ...);
}
template <typename Coords, typename Strides>
constexpr auto place_of(const Coords& coords, const Strides& strides) {
  constexpr size_t rank = std::tuple_size<Strides>::value;
  static_assert(std::tuple_size<Coords>::value == rank,
                "Crd2Idx: a coordinate has as many parts as the layout has dimensions");
  return weighed(coords, strides, std::make_index_sequence<rank>());
}

}  // namespace detail

template <typename ShapeType, typename StrideType>
struct Layout {
  constexpr Layout(const ShapeType& shape = {}, const StrideType& stride = {})
      : shape_(shape), stride_(stride) {}
  constexpr const ShapeType& GetShape() const { return shape_; }
  constexpr const StrideType& GetStride() const { return stride_; }
  template <typename Coords>
  constexpr auto operator()(const Coords& coord) const {
    return detail::place_of(coord, stride_);
  }

 private:
  ShapeType shape_;
  StrideType stride_;
};

template <typename T>
struct is_layout : std::false_type {};
template <typename T, typename U>
struct is_layout<Layout<T, U>> : std::true_type {};
template <typename T>
inline constexpr bool is_layout_v = is_layout<T>::value;

template <typename... Ts>
constexpr Shape<Ts...> MakeShape(const Ts&... t) {
  return {t...};
}
template <typename... Ts>
constexpr Stride<Ts...> MakeStride(const Ts&... t) {
  return {t...};
}
template <typename... Ts>
constexpr Coord<Ts...> MakeCoord(const Ts&... t) {
  return {t...};
}
template <typename T, typename U>
constexpr auto MakeLayout(const T& shape, const U& stride) {
  return Layout<T, U>(shape, stride);
}

// Elements from the start of a tensor to a coordinate.
template <typename Coords, typename T, typename U>
constexpr auto Crd2Idx(const Coords& coord, const Layout<T, U>& layout) {
  return layout(coord);
}
template <typename Coords, typename ShapeType, typename StrideType>
constexpr auto Crd2Idx(const Coords& coord, const ShapeType&, const StrideType& stride) {
  return detail::place_of(coord, stride);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_LAYOUT_H_
