// The logging and checking macros that op_host sources use (OP_LOGE, OP_CHECK_IF, ...). The first
// argument names the op: text, a std::string or a context. Sources that define some of them before
// they include a header of the registration keep their own: the order of parameters may differ.
#ifndef OPKIT_HOST_LOG_H_
#define OPKIT_HOST_LOG_H_

#include <string>

#include "graph/ge_error_codes.h"
#include "opkit_host/report.h"
#include "securec.h"

namespace opkit_host {

inline std::string log_name(const char* name) { return name != nullptr ? name : ""; }
inline std::string log_name(const std::string& name) { return name; }
inline std::string log_name(std::nullptr_t) { return {}; }
template <typename Context>
auto log_name(Context* context) -> decltype(std::string(context->GetNodeName())) {
  return context != nullptr ? log_name(context->GetNodeName()) : std::string();
}
template <typename Text>
auto log_name(const Text& text) -> decltype(std::string(text.GetString())) {
  return log_name(text.GetString());
}

// printf form; `name` goes in front.
__attribute__((format(printf, 3, 4))) OPKIT_HOST_LOCAL inline void log(int severity,
                                                                       const std::string& name,
                                                                       const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  const std::string line = format_list(text, arguments);
  va_end(arguments);
  report(severity, nullptr, name.empty() ? line : name + ": " + line);
}

// "invalid <what>: a, b, c" as an error.
template <typename... Words>
void refuse(const char* what, const std::string& name, const Words&... words) {
  std::string line;
  for (const std::string& word : {std::string(words)...}) line += (line.empty() ? "" : ", ") + word;
  log(kError, name, "invalid %s: %s", what, line.c_str());
}

}  // namespace opkit_host

#define OPKIT_HOST_REFUSE(what, name, ...) \
  ::opkit_host::refuse(what, ::opkit_host::log_name(name), __VA_ARGS__)
#define OPKIT_HOST_LOG(severity, name, ...) \
  ::opkit_host::log(severity, ::opkit_host::log_name(name), __VA_ARGS__)

#ifndef OP_LOGE
#define OP_LOGE(name, ...) OPKIT_HOST_LOG(::opkit_host::kError, name, __VA_ARGS__)
#endif
#ifndef OP_LOGW
#define OP_LOGW(name, ...) OPKIT_HOST_LOG(::opkit_host::kWarning, name, __VA_ARGS__)
#endif
#ifndef OP_LOGI
#define OP_LOGI(name, ...) OPKIT_HOST_LOG(::opkit_host::kInfo, name, __VA_ARGS__)
#endif
#ifndef OP_LOGD
#define OP_LOGD(name, ...) OPKIT_HOST_LOG(::opkit_host::kDebug, name, __VA_ARGS__)
#endif
#ifndef OP_LOGV
#define OP_LOGV(name, ...) OPKIT_HOST_LOG(::opkit_host::kDebug, name, __VA_ARGS__)
#endif
#ifndef OP_EVENT
#define OP_EVENT(name, ...) OPKIT_HOST_LOG(::opkit_host::kInfo, name, __VA_ARGS__)
#endif

#ifndef OPS_LOG_E
#define OPS_LOG_E(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_W
#define OPS_LOG_W(name, ...) OP_LOGW(name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_I
#define OPS_LOG_I(name, ...) OP_LOGI(name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_D
#define OPS_LOG_D(name, ...) OP_LOGD(name, __VA_ARGS__)
#endif
#ifndef D_OP_LOGE
#define D_OP_LOGE(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
#ifndef VECTOR_INNER_ERR_REPORT_TILIING
#define VECTOR_INNER_ERR_REPORT_TILIING(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
#ifndef OPS_REPORT_VECTOR_INNER_ERR
#define OPS_REPORT_VECTOR_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
#ifndef OPS_REPORT_CUBE_INNER_ERR
#define OPS_REPORT_CUBE_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
#ifndef VECTOR_INFER_SHAPE_INNER_ERR_REPORT
#define VECTOR_INFER_SHAPE_INNER_ERR_REPORT(name, text) \
  OP_LOGE(name, "%s", std::string(text).c_str())
#endif
#ifndef CUBE_INNER_ERR_REPORT
#define CUBE_INNER_ERR_REPORT(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif

// Refusals in words: the parameter, what it was, and what is right or why it is wrong.
#ifndef OP_LOGE_FOR_INVALID_DTYPE
#define OP_LOGE_FOR_INVALID_DTYPE(name, ...) OPKIT_HOST_REFUSE("dtype", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("dtype", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("dtype", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_FORMAT
#define OP_LOGE_FOR_INVALID_FORMAT(name, ...) OPKIT_HOST_REFUSE("format", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON
#define OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("format", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPE
#define OP_LOGE_FOR_INVALID_SHAPE(name, ...) OPKIT_HOST_REFUSE("shape", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("shape", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("shape", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPEDIM
#define OP_LOGE_FOR_INVALID_SHAPEDIM(name, ...) \
  OPKIT_HOST_REFUSE("number of dims", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("number of dims", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("number of dims", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPESIZE
#define OP_LOGE_FOR_INVALID_SHAPESIZE(name, ...) \
  OPKIT_HOST_REFUSE("number of elements", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("number of elements", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("number of elements", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_TENSORNUM
#define OP_LOGE_FOR_INVALID_TENSORNUM(name, ...) \
  OPKIT_HOST_REFUSE("number of tensors", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_TENSORNUM_WITH_REASON
#define OP_LOGE_FOR_INVALID_TENSORNUM_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("number of tensors", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_TENSORNUMS_WITH_REASON
#define OP_LOGE_FOR_INVALID_TENSORNUMS_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("number of tensors", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_VALUE
#define OP_LOGE_FOR_INVALID_VALUE(name, ...) OPKIT_HOST_REFUSE("value", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_VALUE_WITH_REASON
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("value", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_FOR_INVALID_VALUES_WITH_REASON
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(name, ...) \
  OPKIT_HOST_REFUSE("value", name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_WITHOUT_REPORT
#define OP_LOGE_WITHOUT_REPORT(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif

// When `condition` holds: runs `action` (a log statement), then `leave` (a return statement).
#define OPKIT_HOST_CHECK(condition, action, leave) \
  do {                                             \
    if (condition) {                               \
      action;                                      \
      leave;                                       \
    }                                              \
  } while (0)

#ifndef OP_CHECK
#define OP_CHECK(condition, action, leave) OPKIT_HOST_CHECK(condition, action, leave)
#endif
#ifndef OP_CHECK_IF
#define OP_CHECK_IF(condition, action, leave) OPKIT_HOST_CHECK(condition, action, leave)
#endif
#ifndef OP_TILING_CHECK
#define OP_TILING_CHECK(condition, action, leave) OPKIT_HOST_CHECK(condition, action, leave)
#endif
#ifndef OPS_ERR_IF
#define OPS_ERR_IF(condition, action, leave) OPKIT_HOST_CHECK(condition, action, leave)
#endif
#ifndef OPS_CHECK
#define OPS_CHECK(condition, action, leave) OPKIT_HOST_CHECK(condition, action, leave)
#endif
#ifndef OPS_LOG_E_IF
#define OPS_LOG_E_IF(condition, name, leave, ...) \
  OPKIT_HOST_CHECK(condition, OPKIT_HOST_LOG(::opkit_host::kError, name, __VA_ARGS__), leave)
#endif
#ifndef OPS_LOG_E_IF_NULL
#define OPS_LOG_E_IF_NULL(name, pointer, leave) \
  OPS_LOG_E_IF((pointer) == nullptr, name, leave, "%s is a null pointer", #pointer)
#endif
#ifndef OP_LOGE_IF
#define OP_LOGE_IF(condition, value, name, ...) \
  OPKIT_HOST_CHECK(condition, OP_LOGE(name, __VA_ARGS__), return value)
#endif
#ifndef OP_LOGE_WITH_INVALID_INPUT
#define OP_LOGE_WITH_INVALID_INPUT(name, input) \
  OP_LOGE(name, "input '%s' is not valid", std::string(input).c_str())
#endif

// Leaves the function with GRAPH_FAILED when `pointer` is null.
#ifndef OP_CHECK_NULL_WITH_CONTEXT
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer)                                   \
  OPKIT_HOST_CHECK(                                                                    \
      (pointer) == nullptr,                                                            \
      OPKIT_HOST_LOG(::opkit_host::kError, context, "%s is a null pointer", #pointer), \
      return ::ge::GRAPH_FAILED)
#endif
#ifndef OPS_CHECK_NULL_WITH_CONTEXT
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT(context, pointer)
#endif
#ifndef OP_CHECK_NULL_WITH_CONTEXT_RET
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value)                        \
  OPKIT_HOST_CHECK(                                                                    \
      (pointer) == nullptr,                                                            \
      OPKIT_HOST_LOG(::opkit_host::kError, context, "%s is a null pointer", #pointer), \
      return value)
#endif
#ifndef OPS_CHECK_NULL_WITH_CONTEXT_RET
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value) \
  OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value)
#endif
#ifndef OPS_CHECK_NULL
#define OPS_CHECK_NULL(pointer)                                                        \
  OPKIT_HOST_CHECK(                                                                    \
      (pointer) == nullptr,                                                            \
      OPKIT_HOST_LOG(::opkit_host::kError, nullptr, "%s is a null pointer", #pointer), \
      return ::ge::GRAPH_FAILED)
#endif

#endif  // OPKIT_HOST_LOG_H_
