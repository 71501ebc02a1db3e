#include "opkit/isolation/run_delay.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>

namespace opkit::isolation {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::optional<nanoseconds> RunDelay::parse(std::string_view line) {
  const size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const char* const begin = line.data() + space + 1;
  const char* const end = line.data() + line.size();
  int64_t waited = 0;
  const auto [stop, failure] = std::from_chars(begin, end, waited);
  if (failure != std::errc() || stop == end || *stop != ' ' || waited < 0) return std::nullopt;
  return nanoseconds(waited);
}

RunDelay::Delays RunDelay::delays_of(pid_t process) {
  Delays delays;
  std::error_code failure;
  std::filesystem::directory_iterator tasks(fmt::format("/proc/{}/task", process), failure);
  for (; !failure && tasks != std::filesystem::directory_iterator(); tasks.increment(failure)) {
    std::ifstream file(tasks->path() / "schedstat");
    std::string line;
    if (!std::getline(file, line)) continue;
    const auto waited = parse(line);
    if (waited) delays[static_cast<pid_t>(std::stol(tasks->path().filename()))] = *waited;
  }
  return delays;
}

milliseconds RunDelay::longest(const Delays& before, const Delays& now) {
  nanoseconds most{0};
  for (const auto& [thread, waited] : now) {
    const auto earlier = before.find(thread);
    most = std::max(most, waited - (earlier == before.end() ? nanoseconds{0} : earlier->second));
  }
  return duration_cast<milliseconds>(most);
}

milliseconds RunDelay::lost(pid_t process) const {
  return before_ ? longest(*before_, delays_of(process)) : milliseconds{0};
}

}  // namespace opkit::isolation
