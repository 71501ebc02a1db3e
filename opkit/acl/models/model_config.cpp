#include "opkit/acl/models/model_config.h"

#include <cstring>

#include "opkit/acl/base/ask.h"

namespace opkit::acl {
namespace {

// The program's value of one option.
struct OptionValue {
  aclmdlConfigAttr option;
  const void* value;
  size_t bytes;
};

template <typename T>
aclError read(const OptionValue& given, T& to) {
  if (given.bytes != sizeof to)
    return fail(ACL_ERROR_INVALID_PARAM, "option %d of loading a model has %zu bytes, not %zu",
                static_cast<int>(given.option), sizeof to, given.bytes);
  std::memcpy(&to, given.value, sizeof to);
  return ACL_SUCCESS;
}

aclError not_there(const char* what, const char* instead) {
  return fail(ACL_ERROR_API_NOT_SUPPORT, "%s: %s", what, instead);
}

// Kept nowhere: the steps of models are not ordered by it on this host.
aclError read_priority(const OptionValue& given) {
  int32_t priority = 0;
  if (const aclError code = read(given, priority)) return code;
  if (priority >= 0 && priority <= 7) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "priority %d of a model; 0 to 7 are possible", priority);
}

aclError read_type(const OptionValue& given, size_t& to) {
  size_t type = 0;
  if (const aclError code = read(given, type)) return code;
  if (type == ACL_MDL_LOAD_FROM_FILE_WITH_Q || type == ACL_MDL_LOAD_FROM_MEM_WITH_Q)
    return not_there("a model cannot be loaded with queues",
                     "choose another ACL_MDL_LOAD_TYPE_SIZET, and execute it");
  if (type < ACL_MDL_LOAD_FROM_FILE || type > ACL_MDL_LOAD_FROM_MEM_WITH_MEM)
    return fail(ACL_ERROR_INVALID_PARAM, "ACL_MDL_LOAD_TYPE_SIZET is %zu; 1 to 4 are possible",
                type);
  to = type;
  return ACL_SUCCESS;
}

aclError read_path(const OptionValue& given, std::optional<std::string>& to) {
  const char* path = nullptr;
  if (const aclError code = read(given, path)) return code;
  if (!path) return fail(ACL_ERROR_INVALID_PARAM, "ACL_MDL_PATH_PTR points to a null path");
  to = path;
  return ACL_SUCCESS;
}

aclError read_optimize(const OptionValue& given) {
  size_t on = 0;
  if (const aclError code = read(given, on)) return code;
  if (on == 0) return ACL_SUCCESS;
  return not_there("work memory without inputs and outputs (ACL_MDL_WORKSPACE_MEM_OPTIMIZE)",
                   "set it to 0; aclmdlQuerySize says what work memory has");
}

aclError set(aclmdlConfigHandle& config, const OptionValue& given) {
  switch (given.option) {
    case ACL_MDL_PRIORITY_INT32: return read_priority(given);
    case ACL_MDL_LOAD_TYPE_SIZET: return read_type(given, config.type);
    case ACL_MDL_PATH_PTR: return read_path(given, config.path);
    case ACL_MDL_MEM_ADDR_PTR: return read(given, config.model);
    case ACL_MDL_MEM_SIZET: return read(given, config.model_bytes);
    case ACL_MDL_WEIGHT_ADDR_PTR: return read(given, config.lent.weights);
    case ACL_MDL_WEIGHT_SIZET: return read(given, config.lent.weight_bytes);
    case ACL_MDL_WORKSPACE_ADDR_PTR: return read(given, config.lent.work);
    case ACL_MDL_WORKSPACE_SIZET: return read(given, config.lent.work_bytes);
    case ACL_MDL_WORKSPACE_MEM_OPTIMIZE: return read_optimize(given);
    case ACL_MDL_INPUTQ_NUM_SIZET:
    case ACL_MDL_INPUTQ_ADDR_PTR:
    case ACL_MDL_OUTPUTQ_NUM_SIZET:
    case ACL_MDL_OUTPUTQ_ADDR_PTR:
      return not_there("a model has no queues", "leave the options of queues out");
    case ACL_MDL_WEIGHT_PATH_PTR:
      return not_there("models hold their weights (ACL_MDL_WEIGHT_PATH_PTR)", "leave it out");
  }
  return not_there("an option of loading a model that is not known",
                   "options 0 to 8 and ACL_MDL_WORKSPACE_MEM_OPTIMIZE are possible");
}

bool of_file(const aclmdlConfigHandle& config) {
  return config.type == ACL_MDL_LOAD_FROM_FILE || config.type == ACL_MDL_LOAD_FROM_FILE_WITH_MEM;
}

aclError missing(const char* option) {
  return fail(ACL_ERROR_INVALID_PARAM, "%s was not set; call aclmdlSetConfigOpt with it", option);
}

aclError check_whole(const aclmdlConfigHandle& config) {
  if (config.type == 0) return missing("ACL_MDL_LOAD_TYPE_SIZET");
  if (of_file(config) && !config.path) return missing("ACL_MDL_PATH_PTR");
  if (!of_file(config) && !config.model) return missing("ACL_MDL_MEM_ADDR_PTR");
  if (!of_file(config) && config.model_bytes == 0) return missing("ACL_MDL_MEM_SIZET");
  const bool lends = config.lent.work || config.lent.weights;
  const bool takes = config.type == ACL_MDL_LOAD_FROM_FILE_WITH_MEM ||
                     config.type == ACL_MDL_LOAD_FROM_MEM_WITH_MEM;
  if (!lends || takes) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "memory is lent to a model of load type %zu, which takes its own; choose "
              "ACL_MDL_LOAD_FROM_%s_WITH_MEM",
              config.type, of_file(config) ? "FILE" : "MEM");
}

}  // namespace

HandleTable<aclmdlConfigHandle>& model_configs() {
  static HandleTable<aclmdlConfigHandle>& all =
      *new HandleTable<aclmdlConfigHandle>("aclmdlConfigHandle");
  return all;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclmdlConfigHandle* aclmdlCreateConfigHandle(void) {
  return make(model_configs(), aclmdlConfigHandle{});
}

OPKIT_ACL_EXPORT aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle) {
  return destroy(model_configs(), handle);
}

OPKIT_ACL_EXPORT aclError aclmdlSetConfigOpt(aclmdlConfigHandle* handle, aclmdlConfigAttr attr,
                                             const void* value, size_t bytes) {
  if (!value) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlSetConfigOpt without a value");
  return ask(model_configs(), handle, [&](aclmdlConfigHandle& config) {
    return set(config, {attr, value, bytes});
  });
}

OPKIT_ACL_EXPORT aclError aclmdlLoadWithConfig(const aclmdlConfigHandle* handle, uint32_t* id) {
  return ask(model_configs(), handle, [&](const aclmdlConfigHandle& config) -> aclError {
    if (const aclError code = check_whole(config)) return code;
    const ProgramMemory& lent = config.lent;
    if (of_file(config))
      return aclmdlLoadFromFileWithMem(config.path->c_str(), id, lent.work, lent.work_bytes,
                                       lent.weights, lent.weight_bytes);
    return aclmdlLoadFromMemWithMem(config.model, config.model_bytes, id, lent.work,
                                    lent.work_bytes, lent.weights, lent.weight_bytes);
  });
}
