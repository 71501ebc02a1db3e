// Profile: what a program's streams and threads did between aclprofStart and aclprofStop, and the
// ranges and marks that it named itself; written as one trace.
#ifndef OPKIT_ACL_PROFILE_PROFILE_H_
#define OPKIT_ACL_PROFILE_PROFILE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl_prof.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/streams/task.h"

struct aclprofConfig {
  uint64_t types = 0;
};

namespace opkit::acl {

struct Stamp {
  std::string message;
  uint32_t category = 0;
};

// Threads may call everything at any time.
class Profile {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr uint64_t kTasks = ACL_PROF_TASK_TIME | ACL_PROF_TASK_TIME_L0;
  static constexpr uint64_t kCopies = ACL_PROF_ACL_API;
  static constexpr uint64_t kOwn = ACL_PROF_MSPROFTX;
  static constexpr uint64_t kNotCollected =
      ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU | ACL_PROF_L2CACHE | ACL_PROF_HCCL_TRACE |
      ACL_PROF_TRAINING_TRACE | ACL_PROF_RUNTIME_API | ACL_PROF_TASK_MEMORY | ACL_PROF_OP_ATTR;
  static constexpr uint64_t kAll = kTasks | kCopies | kOwn | kNotCollected;
  static constexpr size_t kMostEvents = 1'000'000;  // what comes behind is counted

  aclError begin(const std::filesystem::path& folder);
  aclError start(uint64_t types);
  aclError stop(uint64_t types);
  aclError end();
  // Tells whether the profile is between begin() and end().
  bool begun() const;

  // Tells whether one of these types is collected now.
  bool collects(uint64_t types) const { return (types_.load(std::memory_order_relaxed) & types); }
  // In the row of the stream whose task this thread runs, or of the thread. Nothing is kept of
  // types that are not collected.
  void add_span(uint64_t type, std::string name, Time from, Time to);
  void add_mark(const Stamp& stamp);
  void name_category(uint32_t category, std::string name);

  void push(const Stamp& stamp);
  aclError pop();
  uint32_t open_range(const Stamp& stamp);
  aclError close_range(uint32_t id);

 private:
  struct Event {
    uint64_t type = 0;
    std::string name;
    uint32_t category = 0;
    size_t row = 0;
    Time from, to;
    bool mark = false;
  };
  // What a row of the trace is for.
  struct Actor {
    const void* at = nullptr;  // a queue, or what stands for a thread
    bool is_stream = false;
  };
  struct Open {
    Stamp stamp;
    Time since;
    Actor actor;
  };
  void keep(Event event);
  void keep(const Open& open);
  static Actor actor_here();
  static Open opened(const Stamp& stamp);
  size_t row_of(const Actor& actor);
  std::string trace() const;
  aclError write() const;

  std::atomic<uint64_t> types_{0};  // 0: nothing is collected
  mutable std::mutex mutex_;
  bool begun_ = false;
  uint64_t asked_ = 0;  // all types that any aclprofStart named
  std::filesystem::path folder_;
  Time zero_, started_;
  std::vector<Event> events_;
  size_t dropped_ = 0;
  std::vector<std::string> rows_;        // their names
  std::map<const void*, size_t> known_;  // the row of an actor
  size_t streams_ = 0;                   // counts the rows that are streams
  std::map<uint32_t, std::string> categories_;
  std::map<const void*, std::vector<Open>> pushed_;  // holds what each thread has open
  std::map<uint32_t, Open> ranges_;
  uint32_t next_range_ = 1;
};

// A span from here to where this ends.
class Timing {
 public:
  // name: of the span; asked only when it is collected.
  Timing(Profile& profile, uint64_t type, const std::function<std::string()>& name);
  ~Timing();
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

 private:
  Profile& profile_;
  uint64_t type_;  // 0: it is not collected
  std::string name_;
  Profile::Time since_;
};

// "copy host to device, 1024 bytes".
std::string copy_name(bool from_device, bool to_device, size_t bytes);

// Returns the program's, made on first use and never destroyed. Threads may call it at any time.
Profile& profile();
// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclprofConfig>& profile_configs();
// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<Stamp>& stamps();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_PROFILE_PROFILE_H_
