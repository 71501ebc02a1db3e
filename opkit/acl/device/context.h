// Contexts of a program, and which of them its threads work in. A device has one of its own from
// aclrtSetDevice to aclrtResetDevice.
#ifndef OPKIT_ACL_DEVICE_CONTEXT_H_
#define OPKIT_ACL_DEVICE_CONTEXT_H_

#include <cstdint>
#include <string>

#include "opkit/acl/base/handle_table.h"

namespace opkit::acl {

struct Context {
  int32_t device = 0;
};

class OPKIT_ACL_SHARED Contexts {
 public:
  // Makes one, which is this thread's from then on.
  Context* add();
  aclError destroy(const void* context);
  // Lets this thread work in the context from now on.
  aclError choose(const void* context);
  // The device is set once more, and its own context becomes this thread's.
  void set_device();
  // (Pages "aclrtResetDevice", "aclrtResetDeviceForce": every aclrtSetDevice counts, and the device
  // is reset by as many of the former or by one of the latter.)
  uint64_t times_set() const { return times_set_; }
  void take_back_once() { --times_set_; }
  void reset_device() { times_set_ = 0; }
  // Returns what this thread chose, else the device's own unless strict(); nullptr: there is none.
  const Context* current() const;
  // 107002: other threads have a context, this one has none, and strict() wants one.
  aclError check_thread(const char* call) const;
  // Checks whether this thread may use the stream, which was made in `context` (nullptr: in any).
  aclError check_stream(const void* stream, const Context* context) const;
  // Checks whether this thread may run the model, which was loaded in `context`. (Page
  // "aclmdlExecuteAsync": a model is loaded and executed in one context.)
  aclError check_model(uint32_t model, const Context* context) const;
  const HandleTable<Context>& made() const { return made_; }

 private:
  bool lives(const Context* context) const;
  // Returns what this thread chose, if it lives.
  const Context* chosen() const;
  // Tells whether this thread may use what belongs to `context` (nullptr: to any).
  bool may_use(const Context* context) const;
  // REQUIRES: it may not use `what`, which belongs to `context`.
  aclError refuse(const Context* context, aclError code, const std::string& what) const;

  HandleTable<Context> made_{"context"};
  Context own_;
  uint64_t times_set_ = 0;
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
OPKIT_ACL_SHARED Contexts& contexts();
// Tells whether the calling thread has a context. REQUIRES: the same.
OPKIT_ACL_SHARED bool has_context();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_CONTEXT_H_
