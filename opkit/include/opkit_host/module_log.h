// Writes log lines of a module by number, as sources of public repositories do that check the level
// themselves. Their words go where those of OP_LOGE go.
#ifndef OPKIT_HOST_MODULE_LOG_H_
#define OPKIT_HOST_MODULE_LOG_H_

#include <cstdarg>
#include <cstdint>
#include <string>

#include "opkit_host/report.h"

enum : int32_t { DLOG_DEBUG = 0, DLOG_INFO = 1, DLOG_WARN = 2, DLOG_ERROR = 3 };

// Names the module of operators.
enum : int32_t { OP = 63 };

// Returns 1 where lines of `level` (DLOG_DEBUG to DLOG_ERROR) have a reader, else 0.
OPKIT_HOST_LOCAL inline int32_t CheckLogLevel(int32_t /*module*/, int32_t level) {
  const opk_report_v1* to = opkit_host::current_report();
  const bool read = to != nullptr && to->report != nullptr;
  return read || level >= DLOG_WARN ? 1 : 0;
}

// Writes one line in printf form.
__attribute__((format(printf, 3, 4))) OPKIT_HOST_LOCAL inline void DlogRecord(int32_t /*module*/,
                                                                              int32_t level,
                                                                              const char* text,
                                                                              ...) {
  va_list arguments;
  va_start(arguments, text);
  const std::string line = opkit_host::format_list(text, arguments);
  va_end(arguments);
  opkit_host::report(level, nullptr, line);
}

#endif  // OPKIT_HOST_MODULE_LOG_H_
