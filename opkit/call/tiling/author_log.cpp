#include "opkit/call/tiling/author_log.h"

#include <fmt/format.h>

namespace opkit {
namespace {

void receive(void* host, int32_t severity, const char* code, const char* text) {
  auto& lines = *static_cast<std::vector<AuthorLog::Line>*>(host);
  if (lines.size() >= AuthorLog::kMaxLines) return;
  lines.push_back({severity, code ? code : "", text ? text : ""});
}

// "text (code)".
std::string said(const AuthorLog::Line& line) {
  return line.code.empty() ? line.text : fmt::format("{} ({})", line.text, line.code);
}

// Returns the last error of the log that opkit's own side of the plugin wrote.
const AuthorLog::Line* last_coded(const AuthorLog& log) {
  for (auto line = log.lines().rbegin(); line != log.lines().rend(); ++line) {
    if (!line->code.empty()) return &*line;
  }
  return nullptr;
}

}  // namespace

AuthorLog::AuthorLog() {
  report_.struct_size = sizeof report_;
  report_.host = &lines_;
  report_.report = receive;
}

Error AuthorLog::attach_to(Error error) const {
  for (const Line& line : lines_) {
    if (line.severity < 2 || error.message == said(line)) continue;
    error.trail.push_back(
        fmt::format("the function's log: {}{}", line.severity == 2 ? "warning: " : "", said(line)));
  }
  return error;
}

Error author_error(int32_t code, const std::string& op, const std::string& function,
                   const AuthorLog& log) {
  const AuthorLog::Line* cause = last_coded(log);
  const std::string words = cause ? said(*cause) : fmt::format("{} failed", function);
  switch (code) {
    case OPK_E_FAILED:
      return log.attach_to(
          Error("OPK-TILE-003", words, fmt::format("read the log lines of {}", function)).of(op));
    case OPK_E_EXCEPTION:
      return log.attach_to(
          Error("OPK-TILE-004", words, "catch it and return ge::GRAPH_FAILED with a log line")
              .of(op));
    case OPK_E_CAPACITY:
      return log.attach_to(
          Error("OPK-TILE-005", words, "raise the maximum: .Tiling(function, max_bytes)").of(op));
    case OPK_E_UNSUPPORTED:
      return Error("OPK-TILE-002", fmt::format("the plugin was built without {}", function),
                   "register one in op_host")
          .of(op);
    default:
      return log.attach_to(
          Error("OPK-TILE-003", fmt::format("{} answered with the unknown code {}", function, code),
                "build the plugin anew with this opkit")
              .of(op));
  }
}

}  // namespace opkit
