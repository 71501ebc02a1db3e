#include "opkit/acl/context.h"

namespace opkit::acl {
namespace {

thread_local const Context* chosen_here = nullptr;

}  // namespace

bool Contexts::lives(const Context* context) const {
  return context == &own_ ? device_set_ : made_.find(context) != nullptr;
}

const Context* Contexts::chosen() const { return lives(chosen_here) ? chosen_here : nullptr; }

const Context* Contexts::current() const {
  if (const Context* const context = chosen()) return context;
  return device_set_ ? &own_ : nullptr;
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
  device_set_ = true;
  chosen_here = &own_;
}

aclError Contexts::check_stream(const void* stream, const Context* context) const {
  if (!context) return ACL_SUCCESS;
  if (context != &own_ && !lives(context))
    return fail(ACL_ERROR_RT_STREAM_CONTEXT,
                "the context of stream %p was destroyed; destroy a context behind its streams",
                stream);
  const Context* const here = chosen();
  if (!here || here == context) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_STREAM_CONTEXT,
              "stream %p was made in context %p, and this thread works in %p; call "
              "aclrtSetCurrentContext with the stream's context first",
              stream, static_cast<const void*>(context), static_cast<const void*>(here));
}

}  // namespace opkit::acl
