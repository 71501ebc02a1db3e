// A build's steps and notes on the console.
#ifndef OPKIT_CLI_OPTIONS_BUILD_PROGRESS_H_
#define OPKIT_CLI_OPTIONS_BUILD_PROGRESS_H_

#include <string>

#include "opkit/build/project/build_events.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/progress.h"

namespace opkit::cli {

class BuildProgress : public project::BuildEvents {
 public:
  // `what` is the job: "build my_fused".
  BuildProgress(Console& console, std::string what)
      : console_(console), progress_(console, std::move(what)) {}

  void step(const std::string& text) override { progress_.step(text); }
  void advance(size_t done, size_t total, const std::string& what) override {
    progress_.advance(done, total, what);
  }
  void note(const Error& note) override { console_.note(note); }
  void finish() { progress_.finish(); }

 private:
  Console& console_;
  ProgressLine progress_;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_BUILD_PROGRESS_H_
