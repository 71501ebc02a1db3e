// opkit-worker: the process in which one plugin's code runs. Started by opkit, never by hand.
#include <unistd.h>

#include <cstdio>

#include "opkit/isolation/serve.h"

// The exit() that plugins find in place of the C library's: other threads of the worker may be
// inside the plugin, whose static objects must not be destroyed under them. The worker's own return
// from main does not come here.
extern "C" [[noreturn]] void exit(int code) noexcept {
  std::fflush(nullptr);  // what the plugin printed
  _exit(code);
}

int main(int argc, char** argv) { return opkit::isolation::serve(argc, argv); }
