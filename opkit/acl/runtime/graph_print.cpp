// What was captured, as lines and as a trace.
#include <cstdio>
#include <string>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/streams/graph.h"

namespace opkit::acl {
namespace {

const char* name_of(CapturedStepKind kind) {
  switch (kind) {
    case CapturedStepKind::kKernel: return "kernel";
    case CapturedStepKind::kOperator: return "operator";
    case CapturedStepKind::kRecord: return "event record";
    case CapturedStepKind::kWait: return "event wait";
    case CapturedStepKind::kOther: break;
  }
  return "copy, set or model";
}

std::string line_of(const CapturedStep& step, size_t task) {
  std::string line = "device 0, stream " + std::to_string(step.stream) + ", task " +
                     std::to_string(task) + ": " + name_of(step.kind);
  if (step.after != CapturedStep::kNone) line += ", after task " + std::to_string(step.after);
  return line + "\n";
}

// A microsecond each, in the order of the calls.
std::string event_of(const CapturedStep& step, size_t task) {
  const std::string number = std::to_string(task);
  std::string event = "{\"ph\":\"X\",\"name\":\"" + std::string(name_of(step.kind)) +
                      "\",\"pid\":0,\"tid\":" + std::to_string(step.stream) + ",\"ts\":" + number +
                      ",\"dur\":1,\"args\":{\"task_id\":" + number;
  if (step.after != CapturedStep::kNone) event += ",\"after\":" + std::to_string(step.after);
  return event + "}}";
}

std::string rows_of(size_t streams) {
  std::string rows;
  for (size_t i = 0; i < streams; ++i) {
    const std::string number = std::to_string(i);
    rows += "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":" + number +
            ",\"args\":{\"name\":\"stream " + number + "\"}},\n";
  }
  return rows;
}

std::string trace_of(const CapturedGraph& graph) {
  std::string text =
      "{\"traceEvents\":[\n" + rows_of(graph.streams) +
      "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"device "
      "0\"}}";
  for (size_t i = 0; i < graph.steps.size(); ++i) text += ",\n" + event_of(graph.steps[i], i);
  return text + "\n]}\n";
}

aclError write(const char* path, const std::string& text) {
  std::FILE* const file = std::fopen(path, "w");
  if (!file) return fail(ACL_ERROR_RT_PARAM_INVALID, "cannot write %s", path);
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && whole) return ACL_SUCCESS;
  std::remove(path);
  return fail(ACL_ERROR_RT_PARAM_INVALID, "cannot write all of %s", path);
}

aclError check_flags(uint32_t flags) {
  if (flags == ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY) return ACL_SUCCESS;
  if (flags == ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE)
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "arguments of captured kernels are not kept; call aclmdlRIDebugJsonPrint with "
                "ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY");
  return fail(ACL_ERROR_RT_PARAM_INVALID, "aclmdlRIDebugJsonPrint: flags are %u, not 0", flags);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  const Lock lock;
  CapturedGraph* graph = nullptr;
  if (const aclError code = find_graph(modelRI, graph)) return code;
  for (size_t i = 0; i < graph->steps.size(); ++i)
    std::fputs(line_of(graph->steps[i], i).c_str(), stdout);
  std::fflush(stdout);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path,
                                                 uint32_t flags) {
  if (!path) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlRIDebugJsonPrint without a path");
  if (const aclError code = check_flags(flags)) return code;
  const Lock lock;
  CapturedGraph* graph = nullptr;
  if (const aclError code = find_graph(modelRI, graph)) return code;
  return write(path, trace_of(*graph));
}
