// Loading and unloading of models, and how much memory they want.
#include <filesystem>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/models/dump.h"
#include "opkit/acl/models/model.h"
#include "opkit/acl/models/model_file.h"
#include "opkit/acl/profile/subscription.h"

namespace opkit::acl {
namespace {

// Returns what a call was given a model as.
Result<model::OfflineModel> read(const char* path) { return model::load(path); }
Result<model::OfflineModel> read(std::string_view bytes) { return model::decode(bytes); }
std::string file_name(const char* path) { return std::filesystem::path(path).stem().string(); }
std::string file_name(std::string_view) { return {}; }

template <typename Source>
aclError load(Source source, uint32_t* id, const ProgramMemory& lent) {
  if (!id) return fail(ACL_ERROR_INVALID_PARAM, "no place for the model's number");
  const Lock lock;
  if (!has_context())
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "a model is loaded without a device; call aclrtSetDevice first");
  auto offline = read(source);
  if (!offline.ok()) return fail(code_of(offline.error()), offline.error());
  std::optional<ModelDump> dump;
  if (const aclError code = dumps().choose(*offline, file_name(source), dump)) return code;
  std::shared_ptr<Model> model;
  if (const aclError code = Model::load(the_device(), std::move(*offline), lent, model))
    return code;
  model->dump = std::move(dump);
  model->context = contexts().current();
  *id = models().add(std::move(model));
  return ACL_SUCCESS;
}

template <typename Source>
aclError query(Source source, size_t* work, size_t* weights) {
  if (!work || !weights)
    return fail(ACL_ERROR_INVALID_PARAM, "aclmdlQuerySize wants places for two sizes");
  const auto offline = read(source);
  if (!offline.ok()) return fail(code_of(offline.error()), offline.error());
  const model_run::ModelMemory wanted = model_run::memory_of(*offline);
  *work = wanted.work;
  *weights = wanted.weights;
  return ACL_SUCCESS;
}

aclError check_path(const char* path) {
  return path ? ACL_SUCCESS : fail(ACL_ERROR_INVALID_PARAM, "a model without a path");
}

aclError check_bytes(const void* model, size_t size) {
  if (model && size != 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "a model of %zu bytes at %p", size, model);
}

std::string_view bytes_of(const void* model, size_t size) {
  return {static_cast<const char*>(model), size};
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlQuerySize(const char* path, size_t* work, size_t* weights) {
  if (const aclError code = check_path(path)) return code;
  return query(path, work, weights);
}

OPKIT_ACL_EXPORT aclError aclmdlQuerySizeFromMem(const void* model, size_t size, size_t* work,
                                                 size_t* weights) {
  if (const aclError code = check_bytes(model, size)) return code;
  return query(bytes_of(model, size), work, weights);
}

OPKIT_ACL_EXPORT aclError aclmdlLoadFromFile(const char* path, uint32_t* id) {
  return aclmdlLoadFromFileWithMem(path, id, nullptr, 0, nullptr, 0);
}

OPKIT_ACL_EXPORT aclError aclmdlLoadFromMem(const void* model, size_t size, uint32_t* id) {
  return aclmdlLoadFromMemWithMem(model, size, id, nullptr, 0, nullptr, 0);
}

OPKIT_ACL_EXPORT aclError aclmdlLoadFromFileWithMem(const char* path, uint32_t* id, void* work,
                                                    size_t workBytes, void* weights,
                                                    size_t weightBytes) {
  if (const aclError code = check_path(path)) return code;
  return load(path, id, {work, workBytes, weights, weightBytes});
}

OPKIT_ACL_EXPORT aclError aclmdlLoadFromMemWithMem(const void* model, size_t size, uint32_t* id,
                                                   void* work, size_t workBytes, void* weights,
                                                   size_t weightBytes) {
  if (const aclError code = check_bytes(model, size)) return code;
  return load(bytes_of(model, size), id, {work, workBytes, weights, weightBytes});
}

OPKIT_ACL_EXPORT aclError aclmdlUnload(uint32_t id) {
  const Lock lock;
  subscriptions().forget(id);
  return models().remove(id) ? ACL_SUCCESS : no_model(id);
}

OPKIT_ACL_EXPORT aclError aclmdlGetDesc(aclmdlDesc* desc, uint32_t id) {
  return ask(model_descs(), desc, [&](aclmdlDesc& d) -> aclError {
    const std::shared_ptr<Model> model = models().find(id);
    if (!model) return no_model(id);
    d.ends = model->ends;
    return ACL_SUCCESS;
  });
}
