// Models of single operators (atc --singleop). Calls by type run the installed ops; what is loaded
// here is judged, so that a program hears of a wrong file where it loads it.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "acl/acl_op.h"
#include "opkit/acl/base/error.h"
#include "opkit/model/file/om_file.h"

namespace opkit::acl {
namespace {

aclError judge(const char* call, const Result<model::OfflineModel>& model) {
  if (!model.ok()) return fail(ACL_ERROR_OP_LOAD_FAILED, model.error());
  const auto kernels = std::ranges::count_if(
      model->steps, [](const model::Step& step) { return model::asks_plugin(step.kind); });
  if (kernels == 1) return ACL_SUCCESS;
  return fail(ACL_ERROR_OP_LOAD_FAILED,
              "%s: the model '%s' has %zu kernels; one of a single operator is made by atc "
              "--singleop",
              call, model->name.c_str(), static_cast<size_t>(kernels));
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit;
using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclopSetModelDir(const char* folder) {
  if (!folder) return fail(ACL_ERROR_INVALID_PARAM, "aclopSetModelDir without a folder");
  std::error_code code;
  if (!std::filesystem::is_directory(folder, code))
    return fail(ACL_ERROR_INVALID_FILE, "aclopSetModelDir: %s is no folder", folder);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code))
    if (entry.path().extension() == ".om") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    if (const aclError wrong = judge("aclopSetModelDir", model::load(file))) return wrong;
  }
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclopLoad(const void* bytes, size_t size) {
  if (!bytes || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "aclopLoad of %zu bytes at %p", size, bytes);
  return judge("aclopLoad", model::decode({static_cast<const char*>(bytes), size}));
}
