// The calls of profiling.
#include <cstring>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/profile/subscription.h"
#include "opkit/acl/runtime/submit.h"

namespace opkit::acl {
namespace {

// The stamp as it is now; false: there is none, and the text says so.
bool find_stamp(const void* handle, Stamp& stamp) {
  const Lock lock;
  const Stamp* const found = stamps().find(handle);
  if (found) stamp = *found;
  return found;
}

aclError no_stamp(const void* handle) { return stamps().unknown(handle); }

bool check_devices(const uint32_t* devices, uint32_t count) {
  if (count != 0 && !devices) {
    fail(ACL_ERROR_INVALID_PARAM, "aclprofCreateConfig: %u devices, but no list", count);
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (devices[i] == 0) continue;
    fail(ACL_ERROR_RT_INVALID_DEVICEID, "aclprofCreateConfig: device %u; there is one, number 0",
         devices[i]);
    return false;
  }
  return true;
}

bool check_types(uint64_t types) {
  if (types != 0 && (types & ~Profile::kAll) == 0) return true;
  fail(ACL_ERROR_INVALID_PROFILING_CONFIG,
       "aclprofCreateConfig: 0x%llx is no sum of the ACL_PROF_ types of acl_prof.h",
       static_cast<unsigned long long>(types));
  return false;
}

aclError with_config(const aclprofConfig* config, aclError (Profile::*call)(uint64_t)) {
  uint64_t types = 0;
  const aclError known = ask(profile_configs(), config, [&](aclprofConfig& found) -> aclError {
    types = found.types;
    return ACL_SUCCESS;
  });
  return known ? known : (profile().*call)(types);
}

aclError change_stamp(const void* stamp, const std::function<void(Stamp&)>& change) {
  return ask(stamps(), stamp, [&](Stamp& found) -> aclError {
    change(found);
    return ACL_SUCCESS;
  });
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclprofInit(const char* path, size_t length) {
  if (!path || length == 0 || std::strlen(path) != length)
    return fail(ACL_ERROR_INVALID_PARAM, "aclprofInit wants a path and its length, not %zu",
                length);
  const Lock lock;
  if (subscriptions().any())
    return fail(ACL_ERROR_PROF_ALREADY_RUN,
                "aclprofInit while models are subscribed; call aclprofModelUnSubscribe first");
  return profile().begin(path);
}

OPKIT_ACL_EXPORT aclError aclprofFinalize(void) { return profile().end(); }

OPKIT_ACL_EXPORT aclprofConfig* aclprofCreateConfig(uint32_t* devices, uint32_t count,
                                                    aclprofAicoreMetrics,
                                                    const aclprofAicoreEvents* events,
                                                    uint64_t types) {
  if (events) fail(ACL_ERROR_INVALID_PARAM, "aclprofCreateConfig: aicoreEvents must be NULL");
  if (events || !check_devices(devices, count) || !check_types(types)) return nullptr;
  return make(profile_configs(), aclprofConfig{types});
}

OPKIT_ACL_EXPORT aclError aclprofDestroyConfig(const aclprofConfig* config) {
  return destroy(profile_configs(), config);
}

OPKIT_ACL_EXPORT aclError aclprofStart(const aclprofConfig* config) {
  return with_config(config, &Profile::start);
}

OPKIT_ACL_EXPORT aclError aclprofStop(const aclprofConfig* config) {
  return with_config(config, &Profile::stop);
}

OPKIT_ACL_EXPORT void* aclprofCreateStamp(void) { return make(stamps(), Stamp{}); }

OPKIT_ACL_EXPORT void aclprofDestroyStamp(void* stamp) { destroy(stamps(), stamp); }

OPKIT_ACL_EXPORT aclError aclprofSetStampTraceMessage(void* stamp, const char* message,
                                                      uint32_t length) {
  if (!message) return fail(ACL_ERROR_INVALID_PARAM, "aclprofSetStampTraceMessage without a text");
  return change_stamp(
      stamp, [&](Stamp& found) { found.message.assign(message, strnlen(message, length)); });
}

OPKIT_ACL_EXPORT aclError aclprofSetCategoryName(uint32_t category, const char* name) {
  if (!name) return fail(ACL_ERROR_INVALID_PARAM, "aclprofSetCategoryName without a name");
  profile().name_category(category, name);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclprofSetStampCategory(void* stamp, uint32_t category) {
  return change_stamp(stamp, [&](Stamp& found) { found.category = category; });
}

OPKIT_ACL_EXPORT aclError aclprofMark(void* handle) {
  Stamp stamp;
  if (!find_stamp(handle, stamp)) return no_stamp(handle);
  profile().add_mark(stamp);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclprofPush(void* handle) {
  Stamp stamp;
  if (!find_stamp(handle, stamp)) return no_stamp(handle);
  profile().push(stamp);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclprofPop(void) { return profile().pop(); }

OPKIT_ACL_EXPORT aclError aclprofRangeStart(void* handle, uint32_t* id) {
  Stamp stamp;
  if (!id) return fail(ACL_ERROR_INVALID_PARAM, "aclprofRangeStart wants a place for the range");
  if (!find_stamp(handle, stamp)) return no_stamp(handle);
  *id = profile().open_range(stamp);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclprofRangeStop(uint32_t id) { return profile().close_range(id); }

OPKIT_ACL_EXPORT aclError aclprofMarkEx(const char* message, size_t length, aclrtStream stream) {
  if (!message || length == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "aclprofMarkEx wants a text and its length");
  return submit(stream, [&](Task& task) -> aclError {
    task.work = [stamp = Stamp{{message, strnlen(message, length)}, 0}]() -> aclError {
      profile().add_mark(stamp);
      return ACL_SUCCESS;
    };
    return ACL_SUCCESS;
  });
}
