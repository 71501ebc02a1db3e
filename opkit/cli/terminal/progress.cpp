#include "opkit/cli/terminal/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace opkit::cli {
namespace {

constexpr std::chrono::milliseconds kTerminalPause{100}, kLogPause{2000};

size_t terminal_width() {
  winsize size{};
  constexpr size_t kUsual = 80;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

ProgressLine::ProgressLine(Console& console, std::string what)
    : console_(console), what_(std::move(what)) {}

ProgressLine::~ProgressLine() { finish(); }

void ProgressLine::draw(const std::string& text) {
  drawn_ = std::chrono::steady_clock::now();
  if (!console_.is_terminal()) {
    console_.say(fmt::format("{}: {}\n", what_, text));
    return;
  }
  std::string line = fmt::format("{}: {}", what_, text);
  const size_t width = terminal_width();
  if (line.size() >= width) line.resize(width - 1);
  console_.redraw(line);
  line_open_ = true;
}

void ProgressLine::step(const std::string& text) {
  if (!console_.progress()) return;
  draw(text);
}

void ProgressLine::advance(size_t done, size_t total, const std::string& text) {
  if (!console_.progress() || total == 0) return;
  const auto since = std::chrono::steady_clock::now() - drawn_;
  const bool due = since >= (console_.is_terminal() ? kTerminalPause : kLogPause);
  if (!due && !(console_.is_terminal() && done == total)) return;
  draw(fmt::format("{}/{} ({} %){}{}", done, total, done * 100 / total, text.empty() ? "" : " ",
                   text));
}

void ProgressLine::finish() {
  if (line_open_) console_.redraw("");
  line_open_ = false;
}

}  // namespace opkit::cli
