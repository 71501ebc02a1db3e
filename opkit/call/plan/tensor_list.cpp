#include "opkit/call/plan/tensor_list.h"

namespace opkit {

std::vector<uint64_t> tensor_list(const std::vector<Shape>& shapes,
                                  const std::vector<void*>& addresses) {
  std::vector<uint64_t> words = {0};
  for (size_t i = 0; i < shapes.size(); ++i) {
    words.push_back(shapes[i].rank() | (uint64_t{i} << 32));
    for (int64_t dim : shapes[i].dims()) words.push_back(static_cast<uint64_t>(dim));
  }
  words[0] = words.size() * sizeof(uint64_t);
  for (const void* address : addresses) words.push_back(reinterpret_cast<uint64_t>(address));
  return words;
}

}  // namespace opkit
