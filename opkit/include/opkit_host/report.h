// Where the words of host code go: to the caller's opk_report_v1 while a function of the plugin
// runs on its behalf, else (a standalone program) to stderr.
#ifndef OPKIT_HOST_REPORT_H_
#define OPKIT_HOST_REPORT_H_

#include <cstdarg>
#include <cstdio>
#include <string>

#include "opkit/abi/plugin.h"

// State of one plugin must not be shared with another one in the same process.
#define OPKIT_HOST_LOCAL __attribute__((visibility("hidden")))

namespace opkit_host {

enum Severity { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3 };

OPKIT_HOST_LOCAL inline const opk_report_v1*& current_report() {
  static thread_local const opk_report_v1* report = nullptr;
  return report;
}

// Directs words to `report` for the lifetime of the scope, on this thread.
class OPKIT_HOST_LOCAL ReportScope {
 public:
  explicit ReportScope(const opk_report_v1* report) : previous_(current_report()) {
    current_report() = report;
  }
  ~ReportScope() { current_report() = previous_; }
  ReportScope(const ReportScope&) = delete;
  ReportScope& operator=(const ReportScope&) = delete;

 private:
  const opk_report_v1* previous_;
};

// `code` may be nullptr. Without a receiver only warnings and errors are printed.
OPKIT_HOST_LOCAL inline void report(int severity, const char* code, const std::string& text) {
  const opk_report_v1* to = current_report();
  if (to != nullptr && to->report != nullptr) {
    to->report(to->host, severity, code, text.c_str());
  } else if (severity >= kWarning) {
    std::fprintf(stderr, "%s: %s%s%s\n", severity == kError ? "error" : "warning", code ? code : "",
                 code ? ": " : "", text.c_str());
  }
}

OPKIT_HOST_LOCAL inline std::string format_list(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  if (length > 0) std::vsnprintf(&text[0], text.size() + 1, format, again);
  va_end(again);
  return text;
}

__attribute__((format(printf, 1, 2))) OPKIT_HOST_LOCAL inline std::string format(const char* text,
                                                                                 ...) {
  va_list arguments;
  va_start(arguments, text);
  std::string result = format_list(text, arguments);
  va_end(arguments);
  return result;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_REPORT_H_
