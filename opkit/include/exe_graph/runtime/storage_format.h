// gert::StorageFormat: the format of the model's author and the format of the bytes.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_

#include "graph/types.h"

namespace gert {

class StorageFormat {
 public:
  StorageFormat() = default;
  StorageFormat(ge::Format origin, ge::Format storage) : origin_(origin), storage_(storage) {}

  ge::Format GetOriginFormat() const { return origin_; }
  ge::Format GetStorageFormat() const { return storage_; }
  bool operator==(const StorageFormat& other) const {
    return origin_ == other.origin_ && storage_ == other.storage_;
  }
  bool operator!=(const StorageFormat& other) const { return !(*this == other); }
  void SetOriginFormat(ge::Format format) { origin_ = format; }
  void SetStorageFormat(ge::Format format) { storage_ = format; }

 private:
  ge::Format origin_ = ge::FORMAT_ND;
  ge::Format storage_ = ge::FORMAT_ND;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
