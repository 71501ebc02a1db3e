#include "opkit/build/project/parallel_steps.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace opkit::project {
namespace {

class Crew {
 public:
  Crew(const std::vector<std::vector<std::string>>& commands,
       const std::function<void(size_t which, size_t ended)>& done)
      : commands_(commands), done_(done), results_(commands.size()) {}

  void work() {
    for (size_t mine; (mine = take()) < commands_.size();) {
      auto result = run_program(commands_[mine]);
      const std::lock_guard<std::mutex> lock(mutex_);
      failed_ = failed_ || !result.ok() || !result->ok();
      results_[mine] = std::move(result);
      done_(mine, ++ended_);
    }
  }

  // Commands start in order: those that never did lie behind the one that failed.
  Result<std::vector<ChildResult>> results() {
    std::vector<ChildResult> all;
    for (auto& result : results_) {
      if (!result) break;
      if (!result->ok()) return result->error();
      all.push_back(std::move(**result));
    }
    return all;
  }

 private:
  size_t take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return failed_ ? commands_.size() : next_++;
  }

  const std::vector<std::vector<std::string>>& commands_;
  const std::function<void(size_t which, size_t ended)>& done_;
  std::vector<std::optional<Result<ChildResult>>> results_;
  std::mutex mutex_;
  size_t next_ = 0, ended_ = 0;
  bool failed_ = false;
};

}  // namespace

Result<std::vector<ChildResult>> run_side_by_side(
    const std::vector<std::vector<std::string>>& commands,
    const std::function<void(size_t which, size_t ended)>& done) {
  Crew crew(commands, done);
  const size_t count =
      std::min<size_t>(commands.size(), std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < count; ++i) others.emplace_back([&crew] { crew.work(); });
  } catch (const std::system_error&) {  // the host has no more threads to give
  }
  crew.work();
  for (std::thread& other : others) other.join();
  return crew.results();
}

}  // namespace opkit::project
