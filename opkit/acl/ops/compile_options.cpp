// Installed ops are compiled, so that an option is taken where what they do is what it asks for,
// and refused where it asks for anything else.
#include "opkit/acl/ops/compile_options.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "opkit/acl/base/lock.h"
#include "opkit/base/suggest.h"

namespace opkit::acl {
namespace {

struct Option {
  aclCompileOpt number;
  const char* name;
  std::vector<std::string> values;  // that are taken; none: the option is refused
  const char* because;
};

const std::vector<Option>& options() {
  constexpr const char* kBuilt = "ops are compiled by opkit build";
  constexpr const char* kOne = "an installed op has one implementation";
  constexpr const char* kTypes = "an op computes in the types of its tensors";
  static const std::vector<Option> all = {
      {ACL_PRECISION_MODE, "ACL_PRECISION_MODE", {"must_keep_origin_dtype"}, kTypes},
      {ACL_AICORE_NUM, "ACL_AICORE_NUM", {}, "an op's tiling chooses its cores"},
      {ACL_AUTO_TUNE_MODE, "ACL_AUTO_TUNE_MODE", {}, kBuilt},
      {ACL_OP_SELECT_IMPL_MODE, "ACL_OP_SELECT_IMPL_MODE", {}, kOne},
      {ACL_OPTYPELIST_FOR_IMPLMODE, "ACL_OPTYPELIST_FOR_IMPLMODE", {}, kOne},
      {ACL_OP_DEBUG_LEVEL, "ACL_OP_DEBUG_LEVEL", {"0"}, kBuilt},
      {ACL_DEBUG_DIR, "ACL_DEBUG_DIR", {}, kBuilt},
      {ACL_OP_COMPILER_CACHE_MODE, "ACL_OP_COMPILER_CACHE_MODE", {"disable"}, kBuilt},
      {ACL_OP_COMPILER_CACHE_DIR, "ACL_OP_COMPILER_CACHE_DIR", {}, kBuilt},
      {ACL_OP_PERFORMANCE_MODE, "ACL_OP_PERFORMANCE_MODE", {"normal"}, kBuilt},
      {ACL_OP_JIT_COMPILE, "ACL_OP_JIT_COMPILE", {"disable"}, kBuilt},
      // opkit's results are the same bits every time, so that both values are taken.
      {ACL_OP_DETERMINISTIC, "ACL_OP_DETERMINISTIC", {"0", "1"}, ""},
      {ACL_CUSTOMIZE_DTYPES, "ACL_CUSTOMIZE_DTYPES", {}, kTypes},
      {ACL_OP_PRECISION_MODE, "ACL_OP_PRECISION_MODE", {}, kOne},
      // A permission, of which no use is made.
      {ACL_ALLOW_HF32, "ACL_ALLOW_HF32", {"true", "false", "00", "01", "10", "11"}, ""},
      {ACL_PRECISION_MODE_V2, "ACL_PRECISION_MODE_V2", {"origin"}, kTypes},
      {ACL_OP_DEBUG_OPTION, "ACL_OP_DEBUG_OPTION", {}, "OPKIT_MODE=checked watches kernels"},
  };
  return all;
}

aclError find_option(aclCompileOpt number, const Option*& option) {
  const auto found = std::find_if(options().begin(), options().end(),
                                  [&](const Option& one) { return one.number == number; });
  option = found == options().end() ? nullptr : &*found;
  if (option) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "no option of compiling has the number %d; 0 to 16 are known",
              static_cast<int>(number));
}

aclError refuse(const Option& option, const char* value) {
  if (option.values.empty())
    return fail(ACL_ERROR_API_NOT_SUPPORT, "%s: %s; leave the option out", option.name,
                option.because);
  return fail(ACL_ERROR_API_NOT_SUPPORT, "%s '%s': %s%s%s", option.name, value, option.because,
              *option.because ? "; " : "", suggest(value, option.values).c_str());
}

const std::string& value_of(aclCompileOpt option) { return compile_options()[option]; }

}  // namespace

std::map<aclCompileOpt, std::string>& compile_options() {
  static auto& own = *new std::map<aclCompileOpt, std::string>;
  return own;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclSetCompileopt(aclCompileOpt number, const char* value) {
  const Option* option = nullptr;
  if (const aclError code = find_option(number, option)) return code;
  if (!value) return fail(ACL_ERROR_INVALID_PARAM, "%s without a value", option->name);
  if (std::find(option->values.begin(), option->values.end(), value) == option->values.end())
    return refuse(*option, value);
  const Lock lock;
  compile_options()[number] = value;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT size_t aclGetCompileoptSize(aclCompileOpt number) {
  const Option* option = nullptr;
  if (find_option(number, option) != ACL_SUCCESS) return 0;
  const Lock lock;
  return value_of(number).size() + 1;
}

OPKIT_ACL_EXPORT aclError aclGetCompileopt(aclCompileOpt number, char* value, size_t length) {
  const Option* option = nullptr;
  if (const aclError code = find_option(number, option)) return code;
  const Lock lock;
  const std::string& set = value_of(number);
  if (!value || length <= set.size())
    return fail(ACL_ERROR_INVALID_PARAM,
                "%s has %zu bytes, there is room for %zu; ask "
                "aclGetCompileoptSize",
                option->name, set.size() + 1, value ? length : 0);
  std::memcpy(value, set.c_str(), set.size() + 1);
  return ACL_SUCCESS;
}
