// In the worker: what the plugin may ask of the kernel.
#ifndef OPKIT_ISOLATION_CONFINEMENT_H_
#define OPKIT_ISOLATION_CONFINEMENT_H_

#include <string>

namespace opkit::isolation {

// From now on this process writes no file, reaches no network, starts no program and no process,
// signals and traces nobody but itself, and leaves no core dump. Cannot be undone. Returns what the
// host's kernel does not offer, as a sentence, or nothing. Memory and time are the host's to watch.
std::string confine();

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_CONFINEMENT_H_
