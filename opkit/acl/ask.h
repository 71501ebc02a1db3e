// Questions about objects that a program has handles of.
#ifndef OPKIT_ACL_ASK_H_
#define OPKIT_ACL_ASK_H_

#include "opkit/acl/runtime.h"

namespace opkit::acl {

// answer(object), with the lock held; `otherwise` when no such object lives, and the text says so.
template <typename T, typename Value, typename Answer>
Value ask(HandleTable<T> Runtime::*kind, const void* handle, Value otherwise, Answer answer) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const HandleTable<T>& all = runtime.*kind;
  if (T* const object = all.find(handle)) return answer(*object);
  all.unknown(handle);
  return otherwise;
}

// Asks a question whose answer is a code, in the same way.
template <typename T, typename Answer>
aclError ask(HandleTable<T> Runtime::*kind, const void* handle, Answer answer) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const HandleTable<T>& all = runtime.*kind;
  T* const object = all.find(handle);
  return object ? answer(*object) : all.unknown(handle);
}

template <typename T>
T* make(HandleTable<T> Runtime::*kind, T object) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return (runtime.*kind).add(std::make_unique<T>(std::move(object)));
}

template <typename T>
aclError destroy(HandleTable<T> Runtime::*kind, const void* handle) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return (runtime.*kind).destroy(handle);
}

}  // namespace opkit::acl

#endif  // OPKIT_ACL_ASK_H_
