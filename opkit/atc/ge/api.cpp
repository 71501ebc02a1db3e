// The calls of ge/ge_ir_build.h.
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "ge/ge_ir_build.h"
#include "opkit/atc/ge/build.h"
#include "opkit/base/file.h"
#include "opkit/model/file/om_file.h"

namespace opkit::ge_frontend {
namespace {

thread_local std::string last_text;

ge::graphStatus fail(ge::graphStatus code, const Error& error) {
  last_text = error.to_string();
  return code;
}

ge::graphStatus fail(const Error& error) {
  return fail(error.is(Cause::kGraphProgram) ? ge::GRAPH_PARAM_INVALID : ge::GRAPH_FAILED, error);
}

// Exists between aclgrphBuildInitialize and aclgrphBuildFinalize.
class Process {
 public:
  static Process& instance() {
    static Process process;
    return process;
  }
  ge::graphStatus start(BuildOptions options) {
    const Status checked = check_options(options, true);
    if (!checked.ok()) return fail(checked.error());
    const std::lock_guard<std::mutex> lock(mutex_);
    if (options_) return ge::GRAPH_SUCCESS;  // stays as it was
    options_ = std::move(options);
    return ge::GRAPH_SUCCESS;
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    options_.reset();
  }
  std::optional<BuildOptions> options() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return options_;
  }

 private:
  std::mutex mutex_;
  std::optional<BuildOptions> options_;  // absent: not started
};

BuildOptions texts_of(const std::map<ge::AscendString, ge::AscendString>& options) {
  BuildOptions texts;
  for (const auto& [name, value] : options) texts[name.GetString()] = value.GetString();
  return texts;
}

ge::graphStatus build(const ge::Graph& graph, BuildOptions options, ge::ModelBufferData& model) {
  auto of_process = Process::instance().options();
  if (!of_process)
    return fail(Error("OPK-GE-005", "a model is built before aclgrphBuildInitialize",
                      "call aclgrphBuildInitialize with the soc_version first"));
  options.merge(*of_process);  // what the model says stays
  const auto bytes = build_model(graph, options);
  if (!bytes.ok()) return fail(bytes.error());
  model.data.reset(new uint8_t[bytes->size()], std::default_delete<uint8_t[]>());
  std::memcpy(model.data.get(), bytes->data(), bytes->size());
  model.length = bytes->size();
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus save(const char* file, const ge::ModelBufferData& model) {
  if (file == nullptr || *file == '\0')
    return fail(Error("OPK-GE-005", "a model is saved without a file's name",
                      "aclgrphSaveModel(\"net\", model) writes net.om"));
  if (!model.data || model.length == 0)
    return fail(Error("OPK-GE-005", "the model that is saved is empty",
                      "save what aclgrphBuildModel gave"));
  const std::string_view bytes(reinterpret_cast<const char*>(model.data.get()), model.length);
  const auto decoded = model::decode(bytes);
  if (!decoded.ok()) return fail(ge::GRAPH_PARAM_INVALID, decoded.error());
  const std::string path = file;
  const Status written = write_file(path.ends_with(".om") ? path : path + ".om", bytes);
  return written.ok() ? ge::GRAPH_SUCCESS : fail(written.error());
}

}  // namespace
}  // namespace opkit::ge_frontend

namespace ge {

using namespace opkit::ge_frontend;

graphStatus aclgrphBuildInitialize(std::map<AscendString, AscendString> global_options) {
  return Process::instance().start(texts_of(global_options));
}

graphStatus aclgrphBuildInitialize(std::map<std::string, std::string> global_options) {
  return Process::instance().start(std::move(global_options));
}

void aclgrphBuildFinalize() { Process::instance().stop(); }

graphStatus aclgrphBuildModel(const Graph& graph,
                              const std::map<AscendString, AscendString>& build_options,
                              ModelBufferData& model) {
  return build(graph, texts_of(build_options), model);
}

graphStatus aclgrphBuildModel(const Graph& graph,
                              const std::map<std::string, std::string>& build_options,
                              ModelBufferData& model) {
  return build(graph, build_options, model);
}

graphStatus aclgrphSaveModel(const char* output_file, const ModelBufferData& model) {
  return save(output_file, model);
}

graphStatus aclgrphSaveModel(const std::string& output_file, const ModelBufferData& model) {
  return save(output_file.c_str(), model);
}

AscendString GEGetErrorMsgV2() { return AscendString(GEGetErrorMsg().c_str()); }

std::string GEGetErrorMsg() { return std::exchange(last_text, {}); }

}  // namespace ge
