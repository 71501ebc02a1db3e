// Shape: the dims of a tensor, some of them possibly unknown.
#ifndef OPKIT_BASE_SHAPE_H_
#define OPKIT_BASE_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit {

inline constexpr int64_t kUnknownDim = -1;
inline constexpr int64_t kUnknownRank = -2;

// Dims in elements, outermost first. A dim of -1 is unknown; the single dim -2 means unknown rank
// (the vendor's convention). The empty shape is a scalar.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}
  static Shape unknown_rank() { return Shape{kUnknownRank}; }

  const std::vector<int64_t>& dims() const { return dims_; }
  std::vector<int64_t>& dims() { return dims_; }
  size_t rank() const { return dims_.size(); }
  int64_t operator[](size_t i) const { return dims_[i]; }
  int64_t& operator[](size_t i) { return dims_[i]; }
  bool has_rank() const { return !(dims_.size() == 1 && dims_[0] == kUnknownRank); }
  bool is_static() const;
  // Number of elements. REQUIRES: is_static() and the product fits (see checked_elements).
  int64_t elements() const;
  // Number of elements, or an error when a dim is negative or the product exceeds 2^62.
  Result<int64_t> checked_elements() const;

  // "[2, 3]", "[2, ?]", "[...]", "[]".
  std::string to_string() const;
  // Accepts "2,3", "[2, 3]", "2x3", "" and "[]" (scalar); "?" or -1 for an unknown dim.
  static Result<Shape> parse(std::string_view text);

  bool operator==(const Shape&) const = default;

 private:
  std::vector<int64_t> dims_;
};

}  // namespace opkit

#endif  // OPKIT_BASE_SHAPE_H_
