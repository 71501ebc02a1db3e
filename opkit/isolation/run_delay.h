// RunDelay: how long a process stood ready and was given no processor. What it lost that way is no
// sign of a hang.
#ifndef OPKIT_ISOLATION_RUN_DELAY_H_
#define OPKIT_ISOLATION_RUN_DELAY_H_

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string_view>

namespace opkit::isolation {

class RunDelay {
 public:
  using Delays = std::map<pid_t, std::chrono::nanoseconds>;  // holds delays by thread

  // From now on.
  void begin(pid_t process) { before_ = delays_of(process); }
  void forget() { before_.reset(); }
  bool begun() const { return before_.has_value(); }
  // Returns what the thread that waited longest has lost since then; 0 where the kernel does not
  // tell.
  std::chrono::milliseconds lost(pid_t process) const;

  // Reads the delays of every thread so far, by /proc.
  static Delays delays_of(pid_t process);
  // Returns the second number of a schedstat line: "123 456 7". Nothing when it has another form.
  static std::optional<std::chrono::nanoseconds> parse(std::string_view line);
  static std::chrono::milliseconds longest(const Delays& before, const Delays& now);

 private:
  std::optional<Delays> before_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_RUN_DELAY_H_
