// gert::TilingData: the bytes that a tiling function hands to its kernel.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TILING_DATA_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TILING_DATA_H_

#include <cstring>
#include <type_traits>

#include "graph/ge_error_codes.h"
#include "opkit/abi/plugin.h"
#include "opkit_host/report.h"

namespace gert {

// A view over the answer's buffer, which the host owns.
class TilingData {
 public:
  TilingData(opk_tiling_v1* answer, size_t capacity) : answer_(answer), capacity_(capacity) {}

  void* GetData() { return answer_->data; }
  const void* GetData() const { return answer_->data; }
  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return answer_->data_size; }
  // A size beyond the capacity is reported when the tiling function returns.
  void SetDataSize(size_t size) { answer_->data_size = size; }

  template <typename T>
  ge::graphStatus Append(const T& value) {
    return Append(&value, 1);
  }
  template <typename T>
  ge::graphStatus Append(const T* values, size_t count) {
    static_assert(std::is_trivially_copyable<T>::value, "tiling data is plain bytes");
    void* to = Expand(sizeof(T) * count);
    if (to == nullptr) return ge::GRAPH_FAILED;
    std::memcpy(to, values, sizeof(T) * count);
    return ge::GRAPH_SUCCESS;
  }

  // Append as an operator; what does not fit is reported and left out.
  template <typename T>
  friend TilingData& operator<<(TilingData& out, const T& value) {
    out.Append(value);
    return out;
  }

  // `size` more bytes, or nullptr (reported) when they do not fit.
  void* Expand(size_t size) {
    const size_t used = answer_->data_size;
    if (used > capacity_ || size > capacity_ - used) {
      opkit_host::report(opkit_host::kError, "OPK-HOST-002",
                         opkit_host::format("tiling data of %zu bytes does not fit the %zu bytes "
                                            "that were declared; give .Tiling(f, max_bytes)",
                                            used + size, capacity_));
      return nullptr;
    }
    answer_->data_size = used + size;
    return static_cast<char*>(answer_->data) + used;
  }

 private:
  opk_tiling_v1* answer_;
  size_t capacity_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TILING_DATA_H_
