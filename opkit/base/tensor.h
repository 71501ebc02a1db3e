// TensorDesc: what is known of a tensor. Tensor: a TensorDesc with bytes that it owns, or borrows.
#ifndef OPKIT_BASE_TENSOR_H_
#define OPKIT_BASE_TENSOR_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "opkit/base/dtype.h"
#include "opkit/base/format.h"
#include "opkit/base/large_pages.h"
#include "opkit/base/shape.h"
#include "opkit/base/status.h"

namespace opkit {

struct TensorDesc {
  std::string name;
  DType dtype = DType::kUndefined;
  Shape shape;
  Format format = Format::kND;

  // "x: float16 [32, 128] ND"
  std::string to_string() const;
  bool operator==(const TensorDesc&) const = default;
};

// Dense row-major elements. The bytes are 64-byte aligned and followed by at least 64 bytes that
// may be read and written.
class Tensor {
 public:
  Tensor() = default;
  // Zero-filled. REQUIRES: shape is static.
  Tensor(DType dtype, Shape shape, std::string name = {});

  // Addresses without memory behind them: zero wherever it is read, and a page is taken only where
  // it is written. Copies share the addresses. For launches that move no data.
  // Error: OPK-TENSOR-001, the host has not that many addresses.
  static Result<Tensor> reserved(DType dtype, Shape shape, std::string name = {});
  bool is_reserved() const { return reserved_ != nullptr; }

  // In memory of somebody else, which lives as long as `memory`: aligned, and with bytes behind it,
  // as above. Copies have memory of their own. REQUIRES: the shape is static.
  static Tensor lent(std::shared_ptr<std::byte> memory, TensorDesc desc);

  const TensorDesc& desc() const { return desc_; }
  TensorDesc& desc() { return desc_; }
  DType dtype() const { return desc_.dtype; }
  const Shape& shape() const { return desc_.shape; }
  int64_t elements() const { return desc_.shape.elements(); }
  size_t size_bytes() const { return size_; }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // Elements as T. REQUIRES: sizeof(T) is the element size.
  template <typename T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
  }
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_), size_ / sizeof(T)};
  }

  // Element i widened to double; integers beyond 2^53 lose bits. int4 is sign-extended.
  double at(int64_t i) const;
  // Stores value as the dtype: floats round to nearest even, integers truncate toward zero and
  // saturate.
  void set(int64_t i, double value);

  Tensor(const Tensor& other);
  Tensor& operator=(const Tensor& other);
  Tensor(Tensor&&) = default;
  Tensor& operator=(Tensor&&) = default;

 private:
  TensorDesc desc_;
  std::vector<std::byte, LargePages<std::byte>> storage_;
  // Hold the bytes unless storage_ does: at most one of the three has any.
  std::shared_ptr<std::byte> reserved_, lent_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace opkit

#endif  // OPKIT_BASE_TENSOR_H_
