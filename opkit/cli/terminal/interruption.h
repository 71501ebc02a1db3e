// Interruption: while one lives, Ctrl-C and SIGTERM are remembered, so that a long command can
// finish what runs and report.
#ifndef OPKIT_CLI_TERMINAL_INTERRUPTION_H_
#define OPKIT_CLI_TERMINAL_INTERRUPTION_H_

namespace opkit::cli {

class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // A second signal ends the process at once. What comes within half a second is the first one
  // still: whoever signals a process and its group, as timeout does, reaches it twice.
  static bool happened();
  // Returns what a shell reports of a process that the signal ended: 130 for Ctrl-C, 143 for
  // SIGTERM. REQUIRES: happened().
  static int exit_code();
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_INTERRUPTION_H_
