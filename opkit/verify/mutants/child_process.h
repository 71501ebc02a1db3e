// Work that may crash or hang, done in a child process.
#ifndef OPKIT_VERIFY_MUTANTS_CHILD_PROCESS_H_
#define OPKIT_VERIFY_MUTANTS_CHILD_PROCESS_H_

#include <functional>
#include <string>
#include <vector>

namespace opkit::verify {

struct ChildResult {
  int exit_code = 0;       // of a child that ended by itself
  int signal = 0;          // that ended it, or 0
  bool timed_out = false;  // it was ended because its time was over
  std::string output;      // what it wrote, at most 64 KiB

  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out; }
};

// Runs words[0] (looked up on PATH), its output captured.
ChildResult run_program(const std::vector<std::string>& words, int timeout_seconds);

// Runs `work` in a fork of this process; its text is the output, its number the exit code.
// REQUIRES: no other thread of this process holds a lock that `work` needs.
ChildResult run_in_child(const std::function<int(std::string& text)>& work, int timeout_seconds);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_CHILD_PROCESS_H_
