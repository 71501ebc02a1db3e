// HandleTable: the objects of one kind that a program holds handles of. A handle is looked up
// before it is used, so that one that was destroyed, or never was one, is told from one that lives.
#ifndef OPKIT_ACL_BASE_HANDLE_TABLE_H_
#define OPKIT_ACL_BASE_HANDLE_TABLE_H_

#include <map>
#include <memory>
#include <utility>

#include "opkit/acl/base/error.h"

namespace opkit::acl {

template <typename T>
class HandleTable {
 public:
  explicit HandleTable(const char* what) : what_(what) {}

  T* add(std::unique_ptr<T> object) {
    T* const handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  // nullptr: no such object lives.
  T* find(const void* handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second.get();
  }
  aclError destroy(const void* handle) {
    return objects_.erase(handle) == 1 ? aclError{ACL_SUCCESS} : unknown(handle);
  }
  // The code for a handle that find() does not know; its text names it.
  aclError unknown(const void* handle) const {
    return fail(handle ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM,
                "%p is no %s, or it was destroyed; create one, and destroy it behind its last use",
                handle, what_);
  }

  const char* what() const { return what_; }
  size_t size() const { return objects_.size(); }
  template <typename Use>
  void each(Use use) const {
    for (const auto& [handle, object] : objects_) use(*object);
  }

 private:
  const char* what_;  // "stream"
  std::map<const void*, std::unique_ptr<T>> objects_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_HANDLE_TABLE_H_
