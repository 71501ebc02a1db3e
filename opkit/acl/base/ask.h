// Questions about objects that a program has handles of.
#ifndef OPKIT_ACL_BASE_ASK_H_
#define OPKIT_ACL_BASE_ASK_H_

#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/base/lock.h"

namespace opkit::acl {

// answer(object), with the lock held; `otherwise` when no such object lives, and the text says so.
template <typename T, typename Value, typename Answer>
Value ask(HandleTable<T>& all, const void* handle, Value otherwise, Answer answer) {
  const Lock lock;
  if (T* const object = all.find(handle)) return answer(*object);
  all.unknown(handle);
  return otherwise;
}

// Asks a question whose answer is a code, in the same way.
template <typename T, typename Answer>
aclError ask(HandleTable<T>& all, const void* handle, Answer answer) {
  const Lock lock;
  T* const object = all.find(handle);
  return object ? answer(*object) : all.unknown(handle);
}

template <typename T>
T* make(HandleTable<T>& all, T object) {
  const Lock lock;
  return all.add(std::make_unique<T>(std::move(object)));
}

template <typename T>
aclError destroy(HandleTable<T>& all, const void* handle) {
  const Lock lock;
  return all.destroy(handle);
}

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_ASK_H_
