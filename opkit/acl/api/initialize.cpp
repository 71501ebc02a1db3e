// The beginning and the end of a program's use of the uses().
#include <cstdio>

#include "aclnn/aclnn_base.h"
#include "opkit/acl/api/callers.h"
#include "opkit/acl/base/environment.h"
#include "opkit/acl/base/leaks.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/memory_pool.h"
#include "opkit/acl/device/virtual_memory.h"
#include "opkit/acl/models/aipp.h"
#include "opkit/acl/models/model.h"
#include "opkit/acl/models/model_config.h"
#include "opkit/acl/models/model_dataset.h"
#include "opkit/acl/models/model_desc.h"
#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/ops/op_attr.h"
#include "opkit/acl/ops/op_handle.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/profile/subscription.h"
#include "opkit/acl/program/binary.h"
#include "opkit/acl/streams/graph.h"
#include "opkit/acl/streams/stream.h"
#include "opkit/acl/tensors/data_buffer.h"
#include "opkit/acl/tensors/tensor_desc.h"
#include "opkit/base/document.h"
#include "opkit/base/file.h"

namespace opkit::acl {
namespace {

struct Uses {
  uint64_t initialized = 0;     // calls of aclInit that count
  bool nn_initialized = false;  // says whether aclnnInit was called and aclnnFinalize not since
  bool nn_met = false;          // one of them was called at some time
};

// REQUIRES: the lock is held.
Uses& uses() {
  static Uses own;
  return own;
}

void report_leaks(const char* kind, const std::map<uintptr_t, Allocation>& pieces) {
  for (const auto& [base, piece] : pieces) {
    std::fprintf(stderr, "opkit: leak: %llu bytes of %s memory at %p were never freed\n",
                 static_cast<unsigned long long>(piece.asked), kind, reinterpret_cast<void*>(base));
  }
}

void report_leaks() {
  report_leaks("device", the_device().memory().pieces());
  report_leaks("host", pinned_memory().pieces());
  report_leaks(virtual_memory().physical());
  report_leaks(the_device().streams());
  report_leaks(events());
  report_leaks(contexts().made());
  report_leaks(graphs());
  report_leaks(executors());
  report_leaks(data_buffers());
  report_leaks(tensor_descs());
  report_leaks(model_descs());
  report_leaks(model_configs());
  report_leaks(aipps());
  report_leaks(datasets());
  report_leaks(op_attrs());
  report_leaks(op_handles());
  report_added_leaks();
  report_leaks(profile_configs());
  report_leaks(subscribe_configs());
  report_leaks(stamps());
  if (models().size() != 0)
    std::fprintf(stderr, "opkit: leak: %zu model(s) never unloaded\n", models().size());
  if (binaries().size() != 0) {
    std::fprintf(stderr, "opkit: leak: %zu kernel binaries never unloaded\n", binaries().size());
  }
}

// Returns what "enable_debug_kernel" of the file says; "off" where it says nothing.
Result<std::string> debug_kernel(const char* path) {
  OPKIT_TRY(const Document document, Document::load(path));
  const Value* const debug = document.root().find("op_debug_config");
  const Value* const kernel = debug ? debug->find("enable_debug_kernel") : nullptr;
  if (!kernel) return std::string("off");
  return kernel->as_string("enable_debug_kernel");
}

aclnnStatus check_config(const char* path) {
  if (!path) return ACLNN_SUCCESS;
  const Result<std::string> word = debug_kernel(path);
  if (!word.ok()) return fail(ACLNN_ERR_PARAM_INVALID, word.error());
  if (*word == "off") return ACLNN_SUCCESS;
  if (*word != "on")
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: enable_debug_kernel is '%s'; write on or off", path,
                word->c_str());
  if (from_environment("OPKIT_MODE") == "checked") return ACLNN_SUCCESS;
  return fail(ACLNN_ERR_PARAM_INVALID,
              "%s: enable_debug_kernel is on; start the program with OPKIT_MODE=checked, which "
              "watches its kernels",
              path);
}

// Reads the file that aclInit was given; its settings are for real devices, callbacks read them. A
// null or empty path names none. (Pages "aclInit" and "aclError".)
aclError read_config(const char* path, std::string& text) {
  constexpr size_t kMostBytes = size_t{10} << 20;
  if (!path || !*path) return ACL_SUCCESS;
  Result<std::string> read = read_file(path, kMostBytes);
  if (!read.ok()) {
    Error error = std::move(read).error();
    error.action = "give aclInit the absolute path of a file that is there, or nullptr for none";
    return fail(ACL_ERROR_INVALID_FILE, error);
  }
  const Result<Document> parsed = Document::parse(*read, path);
  if (!parsed.ok()) return fail(ACL_ERROR_PARSE_FILE, parsed.error());
  if (!parsed->root().is_map())
    return fail(ACL_ERROR_PARSE_FILE, "%s: the file of aclInit holds no members; write {} at least",
                path);
  text = *std::move(read);
  return ACL_SUCCESS;
}

// The last of them: what the program registered is called, and what is left is named.
void end() {
  Callers::Calls calls;
  {
    const Lock lock;
    calls = callers().end();
  }
  Callers::make(calls);
  const Lock lock;
  report_leaks();
  callers().forget_config();
  uses().nn_initialized = false;
}

// all: whatever number of calls of aclInit there was. left: NULL, or how many still count.
aclError end(const char* call, bool all, uint64_t* left) {
  uint64_t count = 0;
  {
    const Lock lock;
    if (uses().initialized == 0)
      return fail(ACL_ERROR_UNINITIALIZE, "%s without aclInit; call aclInit first", call);
    count = uses().initialized = all ? 0 : uses().initialized - 1;
  }
  if (left) *left = count;
  if (count == 0) end();
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

// Every call counts. (Page "aclInit": who calls it again may ignore the code.)
OPKIT_ACL_EXPORT aclError aclInit(const char* path) {
  Callers::Calls calls;
  {
    const Lock lock;
    if (uses().initialized != 0) {
      ++uses().initialized;
      return fail(ACL_ERROR_REPEAT_INITIALIZE,
                  "aclInit was called before; call it once, and aclFinalize at the end, or "
                  "aclFinalizeReference as often as aclInit");
    }
    std::string config;
    if (const aclError code = read_config(path, config)) return code;
    uses().initialized = 1;
    uses().nn_met = true;
    calls = callers().begin(std::move(config));
  }
  Callers::make(calls);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclFinalize(void) { return end("aclFinalize", true, nullptr); }

OPKIT_ACL_EXPORT aclError aclFinalizeReference(uint64_t* count) {
  return end("aclFinalizeReference", false, count);
}

OPKIT_ACL_EXPORT aclnnStatus aclnnInit(const char* config) {
  const Lock lock;
  if (uses().nn_initialized)
    return fail(ACL_ERROR_REPEAT_INITIALIZE,
                "aclnnInit was called before; call it once, and aclnnFinalize at the end");
  if (const aclnnStatus code = check_config(config)) return code;
  uses().nn_initialized = uses().nn_met = true;
  return ACLNN_SUCCESS;
}

// Does nothing behind aclFinalize, or where aclInit was all there was, it has nothing left to do.
OPKIT_ACL_EXPORT aclnnStatus aclnnFinalize(void) {
  const Lock lock;
  if (!uses().nn_met)
    return fail(ACL_ERROR_UNINITIALIZE,
                "aclnnFinalize without aclnnInit or aclInit; call one of them first");
  if (uses().nn_initialized && uses().initialized == 0) report_leaks();
  uses().nn_initialized = false;
  return ACLNN_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  if (!major || !minor || !patch)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetVersion wants three places");
  *major = ACL_MAJOR_VERSION;
  *minor = ACL_MINOR_VERSION;
  *patch = ACL_PATCH_VERSION;
  return ACL_SUCCESS;
}
