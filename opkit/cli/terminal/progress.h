// What a long job is doing, on stderr: one line that changes on a terminal, a line per step
// elsewhere, nothing with --quiet.
#ifndef OPKIT_CLI_TERMINAL_PROGRESS_H_
#define OPKIT_CLI_TERMINAL_PROGRESS_H_

#include <chrono>
#include <string>

#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

class ProgressLine {
 public:
  // `what` is the job: "test AddRelu".
  ProgressLine(Console& console, std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // A new step without a known length: "configure".
  void step(const std::string& text);
  // done of total; shown at most ten times a second on a terminal, every two seconds
  // elsewhere.
  void advance(size_t done, size_t total, const std::string& text = {});
  // Removes the changing line; what was printed elsewhere stays.
  void finish();

 private:
  void draw(const std::string& text);

  Console& console_;
  std::string what_;
  std::chrono::steady_clock::time_point drawn_;
  bool line_open_ = false;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_PROGRESS_H_
