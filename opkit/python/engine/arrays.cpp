#include "opkit/python/engine/arrays.h"

#include <fmt/format.h>

#include <cstring>

namespace opkit::python {
namespace {

Error no_array(const std::string& name, const std::string& what) {
  return Error("OPK-PYTHON-001", fmt::format("'{}' is {}", name, what),
               "give a NumPy array of a dtype that the contract has (opkit contract explain)");
}

}  // namespace

Result<Tensor> tensor_of(const Given& given, const std::string& name) {
  const auto& [word, array] = given;
  const auto dtype = dtype_from_name(word);
  if (!dtype || bits_of(*dtype) % 8 != 0)
    return no_array(name, fmt::format("of dtype {}, which no op takes from Python", word));
  if (array.itemsize() * 8 != bits_of(*dtype))
    return no_array(
        name, fmt::format("said to be {}, and its elements have {} bytes", word, array.itemsize()));
  if ((array.flags() & py::array::c_style) == 0) return no_array(name, "not dense");
  Tensor tensor(*dtype, Shape({array.shape(), array.shape() + array.ndim()}), name);
  std::memcpy(tensor.data(), array.data(), tensor.size_bytes());
  return tensor;
}

Given array_of(const Tensor& tensor) {
  const std::string word(name_of(tensor.dtype()));
  const char* const shown = tensor.dtype() == DType::kBFloat16 ? "uint16" : word.c_str();
  py::array array(py::dtype(shown), tensor.shape().dims());
  std::memcpy(array.mutable_data(), tensor.data(), tensor.size_bytes());
  return {word, array};
}

}  // namespace opkit::python
