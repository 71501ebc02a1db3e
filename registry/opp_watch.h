// OppWatch: what readers know of the installers of an OPP. They take no lock while all is well; who
// finds something amiss looks again while no installer is at work.
#ifndef OPKIT_REGISTRY_OPP_WATCH_H_
#define OPKIT_REGISTRY_OPP_WATCH_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace opkit::registry {

// Rises with every installer that ends, in the file of the lock behind the name of its holder.
// REQUIRES: the descriptor is the lock's.
std::optional<uint64_t> generation_in(int lock_file);
void raise_generation(int lock_file);

class OppWatch {
 public:
  explicit OppWatch(std::filesystem::path opp) : opp_(std::move(opp)) {}
  OppWatch(const OppWatch&) = delete;
  ~OppWatch();

  // Returns nothing while no installer has worked there.
  std::optional<uint64_t> generation();
  // Calls `read` while installers wait. False, and no call: none has worked there, or one is at it
  // for longer than `timeout`.
  bool in_quiet(const std::function<void()>& read, std::chrono::milliseconds timeout) const;

 private:
  std::filesystem::path opp_;
  int file_ = -1;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_OPP_WATCH_H_
