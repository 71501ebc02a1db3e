#include "opkit/base/tensor.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"

namespace opkit {
namespace {

constexpr size_t kBehind = 64;  // bytes behind the elements, at least
constexpr size_t kPage = 4096;  // and to the end of a page, as behind tensors in GM

// As a shell shows it; nothing without one.
std::string limit_of_addresses() {
  rlimit now = {};
  if (::getrlimit(RLIMIT_AS, &now) != 0 || now.rlim_cur == RLIM_INFINITY) return {};
  return fmt::format(": ulimit -v is {}", now.rlim_cur / 1024);
}

template <typename T>
T load(const std::byte* base, int64_t i) {
  T value;
  std::memcpy(&value, base + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <typename T>
void store(std::byte* base, int64_t i, T value) {
  std::memcpy(base + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

template <typename T>
T saturate(double value) {
  if (std::isnan(value)) return 0;
  const double low = static_cast<double>(std::numeric_limits<T>::min());
  const double high = static_cast<double>(std::numeric_limits<T>::max());
  if (value <= low) return std::numeric_limits<T>::min();
  if (value >= high) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

double load_int4(const std::byte* base, int64_t i) {
  const int byte = static_cast<int>(base[i / 2]);
  const int nibble = (i % 2 ? byte >> 4 : byte) & 15;
  return nibble >= 8 ? nibble - 16 : nibble;
}

void store_int4(std::byte* base, int64_t i, double value) {
  const int nibble = std::clamp(static_cast<int>(saturate<int8_t>(value)), -8, 7) & 15;
  const int byte = static_cast<int>(base[i / 2]);
  base[i / 2] =
      static_cast<std::byte>(i % 2 ? (byte & 15) | (nibble << 4) : (byte & 0xf0) | nibble);
}

}  // namespace

std::string TensorDesc::to_string() const {
  return fmt::format("{}{}{} {} {}", name, name.empty() ? "" : ": ", name_of(dtype),
                     shape.to_string(), name_of(format));
}

Tensor::Tensor(DType dtype, Shape shape, std::string name)
    : desc_{std::move(name), dtype, std::move(shape), Format::kND},
      size_(bytes_of(dtype, static_cast<uint64_t>(desc_.shape.elements()))) {
  storage_.resize(std::max(size_ + kBehind, (size_ + kPage - 1) / kPage * kPage));
  data_ = storage_.data();
}

Result<Tensor> Tensor::reserved(DType dtype, Shape shape, std::string name) {
  OPKIT_TRY(const int64_t elements, shape.checked_elements());
  Tensor tensor;
  tensor.size_ = bytes_of(dtype, static_cast<uint64_t>(elements));
  const size_t mapped = tensor.size_ + kBehind;
  void* base = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    return Error("OPK-TENSOR-001",
                 fmt::format("no {} bytes of address space for {} {}{}", mapped, name_of(dtype),
                             shape.to_string(), limit_of_addresses()),
                 "choose a smaller shape");
  }
  tensor.reserved_ = {static_cast<std::byte*>(base),
                      [mapped](std::byte* p) { ::munmap(p, mapped); }};
  tensor.data_ = tensor.reserved_.get();
  tensor.desc_ = {std::move(name), dtype, std::move(shape), Format::kND};
  return tensor;
}

Tensor Tensor::lent(std::shared_ptr<std::byte> memory, TensorDesc desc) {
  Tensor tensor;
  tensor.size_ = bytes_of(desc.dtype, static_cast<uint64_t>(desc.shape.elements()));
  tensor.desc_ = std::move(desc);
  tensor.lent_ = std::move(memory);
  tensor.data_ = tensor.lent_.get();
  return tensor;
}

Tensor::Tensor(const Tensor& other)
    : Tensor(other.is_reserved() ? Tensor()
                                 : Tensor(other.dtype(), other.shape(), other.desc_.name)) {
  desc_ = other.desc_;
  if (other.is_reserved()) {
    reserved_ = other.reserved_;
    data_ = other.data_;
    size_ = other.size_;
  } else if (size_)
    std::memcpy(data_, other.data_, size_);
}

Tensor& Tensor::operator=(const Tensor& other) {
  if (this != &other) *this = Tensor(other);
  return *this;
}

double Tensor::at(int64_t i) const {
  switch (dtype()) {
    case DType::kFloat32: return load<float>(data_, i);
    case DType::kFloat16: return static_cast<float>(load<Half>(data_, i));
    case DType::kBFloat16: return static_cast<float>(load<BFloat16>(data_, i));
    case DType::kFloat64: return load<double>(data_, i);
    case DType::kInt4: return load_int4(data_, i);
    case DType::kInt8: return load<int8_t>(data_, i);
    case DType::kInt16: return load<int16_t>(data_, i);
    case DType::kInt32: return load<int32_t>(data_, i);
    case DType::kInt64: return static_cast<double>(load<int64_t>(data_, i));
    case DType::kBool:
    case DType::kUInt8: return load<uint8_t>(data_, i);
    case DType::kUInt16: return load<uint16_t>(data_, i);
    case DType::kUInt32: return load<uint32_t>(data_, i);
    case DType::kUInt64: return static_cast<double>(load<uint64_t>(data_, i));
    case DType::kUndefined: break;
  }
  return 0;
}

void Tensor::set(int64_t i, double value) {
  switch (dtype()) {
    case DType::kFloat32: return store(data_, i, static_cast<float>(value));
    case DType::kFloat16: return store(data_, i, Half(value));
    case DType::kBFloat16: return store(data_, i, BFloat16(value));
    case DType::kFloat64: return store(data_, i, value);
    case DType::kInt4: return store_int4(data_, i, value);
    case DType::kInt8: return store(data_, i, saturate<int8_t>(value));
    case DType::kInt16: return store(data_, i, saturate<int16_t>(value));
    case DType::kInt32: return store(data_, i, saturate<int32_t>(value));
    case DType::kInt64: return store(data_, i, saturate<int64_t>(value));
    case DType::kBool: return store<uint8_t>(data_, i, value != 0);
    case DType::kUInt8: return store(data_, i, saturate<uint8_t>(value));
    case DType::kUInt16: return store(data_, i, saturate<uint16_t>(value));
    case DType::kUInt32: return store(data_, i, saturate<uint32_t>(value));
    case DType::kUInt64: return store(data_, i, saturate<uint64_t>(value));
    case DType::kUndefined: return;
  }
}

}  // namespace opkit
