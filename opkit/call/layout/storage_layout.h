// StorageLayout: where the elements of a tensor lie in one of the cube unit's formats.
//
// The origin is what the model's author sees: a shape whose elements are dense and row-major. The
// storage is what kernels see. A storage dim is a digit of an origin axis: the index along an axis
// is the sum of its digits, each times its weight. Places whose index lies outside the origin's dim
// are padding.
//
//   format      origin           storage, dense and row-major
//   FRACTAL_NZ  ND [.., M, N]    [.., ceil(N / C0), ceil(M / 16), 16, C0]
//   NC1HWC0     NCHW             [N, ceil(C / C0), H, W, C0]
//   FRACTAL_Z   NCHW             [ceil(C / C0) * H * W, ceil(N / 16), 16, C0]
//
// C0 is 32 bytes: 16 elements of float16, 8 of float32, 32 of int8, 64 of int4. The vendor's pages
// "Data Layout Formats", "TransdataOperation" and "TransData" describe the formats.
#ifndef OPKIT_CALL_LAYOUT_STORAGE_LAYOUT_H_
#define OPKIT_CALL_LAYOUT_STORAGE_LAYOUT_H_

#include <span>
#include <vector>

#include "opkit/base/tensor.h"

namespace opkit {

// Elements lie in the order of the shape.
bool is_dense(Format format);
// Returns the format of the shape that a tensor in this format has for the model's author.
Format origin_format(Format format);

// In which format a port takes a caller's tensor: NCHW as ND, where no column has it, because ND
// stands for the axes in that order. NHWC is not: the axes of convolutions would be mistaken.
// `columns` are the port's formats.
Format taken_as(Format given, std::span<const Format> columns);

// What stands in the padding of a stored tensor.
struct Padding {
  int64_t elements = 0;
  int64_t not_zero = 0;   // counts elements whose bits are not all zero
  int64_t untouched = 0;  // counts elements whose bits are all one, as a poisoned output has them
};

class StorageLayout {
 public:
  // A dense format is its own origin. Errors: OPK-LAYOUT-001 for a number of dims that the format
  // does not have; -002 for a storage that no machine can count. REQUIRES: origin is static.
  static Result<StorageLayout> of(Format format, DType dtype, const Shape& origin);

  Format format() const { return format_; }
  DType dtype() const { return dtype_; }
  const Shape& origin() const { return origin_; }
  const Shape& storage() const { return storage_; }
  bool dense() const { return digits_.empty(); }

  // Returns the place of an element of the origin; both count elements, row-major.
  int64_t place_of(int64_t element) const;
  // Returns the element at a place; -1 for padding.
  int64_t element_at(int64_t place) const;
  // Returns how many elements lie before a place, 0 to storage().elements(): padding does not
  // count.
  int64_t elements_before(int64_t place) const;

  // REQUIRES, of both: the tensor has the dtype and the origin (the storage). Padding becomes zero.
  // A tensor without memory stays one; its error is OPK-TENSOR-001.
  Result<Tensor> to_storage(const Tensor& origin) const;
  Tensor to_origin(const Tensor& storage) const;

 private:
  struct Digit {
    size_t axis;
    int64_t extent, weight;
  };

  Status choose_digits(int64_t c0);
  Status count_storage();
  // Calls take(place, element, valid, step) for each run of places that differ in the last digit
  // only: its first place and element, how many of its places (the first ones) are no padding, and
  // how far apart their elements lie.
  template <typename Take>
  void each_run(Take take) const;
  std::vector<int64_t> strides() const;  // returns the strides of the origin's axes, in elements
  friend Padding padding_of(const StorageLayout& layout, const Tensor& storage);

  Format format_ = Format::kND;
  DType dtype_ = DType::kUndefined;
  Shape origin_, storage_;
  std::vector<Digit> digits_;  // outermost first
};

// REQUIRES: the tensor has the layout's storage.
Padding padding_of(const StorageLayout& layout, const Tensor& storage);

}  // namespace opkit

#endif  // OPKIT_CALL_LAYOUT_STORAGE_LAYOUT_H_
