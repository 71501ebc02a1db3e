#include "opkit/cli/terminal/interruption.h"

#include <csignal>
#include <ctime>

namespace opkit::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t received = 0;  // the signal

void interrupt(int signal) {
  static std::timespec first;  // belongs to signal handlers alone
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double since = static_cast<double>(now.tv_sec - first.tv_sec) +
                       static_cast<double>(now.tv_nsec - first.tv_nsec) / 1e9;
  if (received == 0) {
    first = now;
    received = signal;
  } else if (since > 0.5) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

Interruption::Interruption() {
  for (const int signal : kSignals) std::signal(signal, interrupt);
}

Interruption::~Interruption() {
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
}

bool Interruption::happened() { return received != 0; }

int Interruption::exit_code() { return 128 + received; }

}  // namespace opkit::cli
