// In the worker: what the plugin may ask of the kernel.
#ifndef OPKIT_ISOLATION_CONFINEMENT_H_
#define OPKIT_ISOLATION_CONFINEMENT_H_

#include <filesystem>
#include <string>

namespace opkit::isolation {

// From now on this process reads no file but the package's and the host's libraries (readable.h),
// writes none, reaches no network, starts no program and no process, signals and traces nobody but
// itself, and leaves no core dump. Cannot be undone. Returns what the host's kernel does not offer,
// as a sentence, or nothing. Memory and time are the host's to watch. `folder`: the package's.
std::string confine(const std::filesystem::path& folder = {});

// Returns what confine() would return here, found out in a process of its own.
std::string confinement_here();

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_CONFINEMENT_H_
