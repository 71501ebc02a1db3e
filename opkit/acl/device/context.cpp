#include "opkit/acl/device/context.h"

#include <fmt/format.h>

#include "opkit/acl/base/environment.h"

namespace opkit::acl {
namespace {

thread_local const Context* chosen_here = nullptr;

}  // namespace

bool Contexts::lives(const Context* context) const {
  return context == &own_ ? times_set_ != 0 : made_.find(context) != nullptr;
}

const Context* Contexts::chosen() const { return lives(chosen_here) ? chosen_here : nullptr; }

const Context* Contexts::current() const {
  if (const Context* const context = chosen()) return context;
  return times_set_ != 0 && !strict() ? &own_ : nullptr;
}

// A unit test of kernels sets no device at all.
aclError Contexts::check_thread(const char* call) const {
  const bool any = times_set_ != 0 || made_.size() != 0;
  if (!any || !strict() || chosen()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_CONTEXT_NULL,
              "%s in a thread without a context; call aclrtSetDevice, or aclrtSetCurrentContext "
              "with a context of another thread, in each thread first",
              call);
}

Context* Contexts::add() {
  Context* const context = made_.add(std::make_unique<Context>());
  chosen_here = context;
  return context;
}

aclError Contexts::destroy(const void* context) {
  if (context == &own_)
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "context %p is the device's own and cannot be destroyed; call aclrtResetDevice",
                context);
  return made_.destroy(context);
}

aclError Contexts::choose(const void* context) {
  const auto* const wanted = static_cast<const Context*>(context);
  if (!lives(wanted)) return made_.unknown(context);
  chosen_here = wanted;
  return ACL_SUCCESS;
}

void Contexts::set_device() {
  ++times_set_;
  chosen_here = &own_;
}

bool Contexts::may_use(const Context* context) const {
  if (!context) return true;
  if (context != &own_ && !lives(context)) return false;
  const Context* const here = chosen();
  return !here || here == context;
}

aclError Contexts::refuse(const Context* context, aclError code, const std::string& what) const {
  if (context != &own_ && !lives(context))
    return fail(code,
                "the context of %s was destroyed; destroy a context behind what was made in it",
                what.c_str());
  return fail(code,
              "%s was made in context %p, and this thread works in %p; call "
              "aclrtSetCurrentContext with that context first",
              what.c_str(), static_cast<const void*>(context), static_cast<const void*>(chosen()));
}

aclError Contexts::check_stream(const void* stream, const Context* context) const {
  if (may_use(context)) return ACL_SUCCESS;
  return refuse(context, ACL_ERROR_RT_STREAM_CONTEXT, fmt::format("stream {}", stream));
}

aclError Contexts::check_model(uint32_t model, const Context* context) const {
  if (may_use(context)) return ACL_SUCCESS;
  return refuse(context, ACL_ERROR_RT_MODEL_CONTEXT, fmt::format("model {}", model));
}

Contexts& contexts() {
  static Contexts& own = *new Contexts;
  return own;
}

bool has_context() { return contexts().current() != nullptr; }

}  // namespace opkit::acl
