#include "opkit/runtime/tensor_list.h"

namespace opkit {

std::vector<uint64_t> tensor_list(const std::vector<Tensor>& tensors) {
  std::vector<uint64_t> words = {0};
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Shape& shape = tensors[i].shape();
    words.push_back(shape.rank() | (uint64_t{i} << 32));
    for (int64_t dim : shape.dims()) words.push_back(static_cast<uint64_t>(dim));
  }
  words[0] = words.size() * sizeof(uint64_t);
  for (const Tensor& tensor : tensors) words.push_back(reinterpret_cast<uint64_t>(tensor.data()));
  return words;
}

}  // namespace opkit
