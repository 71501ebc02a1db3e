// gert::StorageShape: a shape as the model's author sees it and as the bytes lie.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_

#include "exe_graph/runtime/shape.h"

namespace gert {

class StorageShape {
 public:
  StorageShape() = default;
  StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage)
      : origin_(origin), storage_(storage) {}

  const Shape& GetOriginShape() const { return origin_; }
  const Shape& GetStorageShape() const { return storage_; }
  // Returns the origin shape by an older name.
  const Shape& GetShape() const { return origin_; }
  Shape& MutableShape() { return origin_; }
  Shape& MutableOriginShape() { return origin_; }
  Shape& MutableStorageShape() { return storage_; }

  bool operator==(const StorageShape& other) const {
    return origin_ == other.origin_ && storage_ == other.storage_;
  }
  bool operator!=(const StorageShape& other) const { return !(*this == other); }

 private:
  Shape origin_;
  Shape storage_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
