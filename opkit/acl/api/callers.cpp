#include "opkit/acl/api/callers.h"

#include <algorithm>
#include <cstdio>

#include "opkit/acl/base/lock.h"

namespace opkit::acl {

void Callers::make(const Calls& calls) {
  for (const auto& call : calls) {
    if (const aclError code = call())
      std::fprintf(stderr, "opkit: a function that aclInit or aclFinalize calls gave %d\n", code);
  }
}

template <typename Function>
aclError Callers::keep(std::vector<Caller<Function>>& all, const Caller<Function>& one) {
  if (!one.function)
    return fail(ACL_ERROR_INVALID_PARAM, "no function to call; hand in the address of one");
  all.push_back(one);
  return ACL_SUCCESS;
}

template <typename Function>
aclError Callers::drop(std::vector<Caller<Function>>& all, aclRegisterCallbackType type,
                       Function function) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Caller<Function>& one) {
    return one.type == type && one.function == function;
  });
  if (found == all.end())
    return fail(ACL_ERROR_INVALID_PARAM,
                "the function was not registered for type %d; pass what was registered, once",
                static_cast<int>(type));
  all.erase(found);
  return ACL_SUCCESS;
}

std::function<aclError()> Callers::call_of(const Caller<aclInitCallbackFunc>& one) const {
  return
      [one, config = config_] { return one.function(config->c_str(), config->size(), one.data); };
}

Callers::Calls Callers::begin(std::string config) {
  config_ = std::make_shared<const std::string>(std::move(config));
  Calls calls;
  for (const Caller<aclInitCallbackFunc>& one : beginners_) calls.push_back(call_of(one));
  return calls;
}

Callers::Calls Callers::end() const {
  Calls calls;
  for (const Caller<aclFinalizeCallbackFunc>& one : enders_)
    calls.push_back([one] { return one.function(one.data); });
  return calls;
}

aclError Callers::add(aclRegisterCallbackType type, aclInitCallbackFunc function, void* data,
                      Calls& calls) {
  const Caller<aclInitCallbackFunc> one{type, function, data};
  if (const aclError code = keep(beginners_, one)) return code;
  if (config_) calls.push_back(call_of(one));
  return ACL_SUCCESS;
}

aclError Callers::add(aclRegisterCallbackType type, aclFinalizeCallbackFunc function, void* data) {
  return keep(enders_, Caller<aclFinalizeCallbackFunc>{type, function, data});
}

aclError Callers::remove(aclRegisterCallbackType type, aclInitCallbackFunc function) {
  return drop(beginners_, type, function);
}

aclError Callers::remove(aclRegisterCallbackType type, aclFinalizeCallbackFunc function) {
  return drop(enders_, type, function);
}

Callers& callers() {
  static Callers& own = *new Callers;
  return own;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclInitCallbackRegister(aclRegisterCallbackType type,
                                                  aclInitCallbackFunc function, void* data) {
  Callers::Calls calls;
  {
    const Lock lock;
    if (const aclError code = callers().add(type, function, data, calls)) return code;
  }
  Callers::make(calls);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclInitCallbackUnRegister(aclRegisterCallbackType type,
                                                    aclInitCallbackFunc function) {
  const Lock lock;
  return callers().remove(type, function);
}

OPKIT_ACL_EXPORT aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type,
                                                      aclFinalizeCallbackFunc function,
                                                      void* data) {
  const Lock lock;
  return callers().add(type, function, data);
}

OPKIT_ACL_EXPORT aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                                        aclFinalizeCallbackFunc function) {
  const Lock lock;
  return callers().remove(type, function);
}
