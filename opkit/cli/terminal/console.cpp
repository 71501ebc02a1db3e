#include "opkit/cli/terminal/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "opkit/cli/terminal/plain_text.h"
#include "opkit/isolation/open_op.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

void write(FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

// Error::to_string with its code and action in colour.
std::string painted(const Error& error, const Palette& palette) {
  std::string text = plain_text(error.to_string());
  const Style style = error.severity == Severity::kError     ? Style::kRed
                      : error.severity == Severity::kWarning ? Style::kYellow
                                                             : Style::kCyan;
  const std::string head = error.severity == Severity::kError     ? "error " + error.code
                           : error.severity == Severity::kWarning ? "warning " + error.code
                                                                  : "note " + error.code;
  const size_t at = text.find(head);
  if (at != std::string::npos) text.replace(at, head.size(), palette.paint(style, head));
  const size_t action = text.rfind("\n  try: ");
  if (!error.action.empty() && action != std::string::npos) {
    text.replace(action + 3, 4, palette.paint(Style::kGreen, "try:"));
  }
  return text + "\n";
}

}  // namespace

Console::Console(Setup setup)
    : setup_(setup),
      terminal_(isatty(STDERR_FILENO) != 0),
      out_(wants_color(STDOUT_FILENO, setup.color)),
      err_(wants_color(STDERR_FILENO, setup.color)) {}

void Console::print(std::string_view text) {
  if (!setup_.json) write(stdout, plain_text(text, out_));
}

void Console::emit(const Json& document) {
  if (!setup_.json) return;
  Json whole = document;
  if (lacks_) whole["confinement"] = confinement_json(*lacks_);
  write(stdout, whole.dump(2) + "\n");
}

void Console::show(const Json& document, std::string_view text) {
  emit(document);
  print(text);
}

void Console::raw(std::string_view text) { write(stdout, text); }

void Console::note(const Error& error) {
  const std::string text = painted(error, err_);
  if (error.severity == Severity::kError || noted_.insert(text).second) write(stderr, text);
}

void Console::say(std::string_view text) { write(stderr, plain_text(text)); }

void Console::redraw(std::string_view line) { write(stderr, "\r\033[K" + plain_text(line)); }

void Console::confined(const std::string& lacks) {
  const bool known = lacks_ && !lacks_->empty();
  if (known || (lacks_ && lacks.empty())) return;
  lacks_ = lacks;
  if (!lacks.empty()) note(less_confined(lacks));
}

void Console::fail(const Error& error, Json extra) {
  if (!setup_.json) {
    std::fflush(stdout);
    note(error);
    return;
  }
  Json document{{"error", to_json(error)}};
  document.update(extra);
  emit(document);
}

bool Console::flush() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

Json to_json(const Error& error) { return registry::to_json(error); }

Json to_json(const Errors& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.push_back(to_json(error));
  return list;
}

}  // namespace opkit::cli
