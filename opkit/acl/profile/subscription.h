// Subscriptions: what aclprofModelSubscribe asks for: after each run of a model a record per step
// goes into the program's pipe.
#ifndef OPKIT_ACL_PROFILE_SUBSCRIPTION_H_
#define OPKIT_ACL_PROFILE_SUBSCRIPTION_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "acl/acl_prof.h"
#include "opkit/acl/base/handle_table.h"

struct aclprofSubscribeConfig {
  int fd = -1;  // the pipe's end for writing
  bool times = false;
};

namespace opkit::acl {

// One step of a run, as it goes through the pipe. A pipe takes it whole, or not at all.
struct OpRecord {
  static constexpr uint32_t kMark = 0x5044504f;
  uint32_t mark = kMark;
  uint32_t model = 0;
  uint64_t start = 0, end = 0;  // nanoseconds of this host's steady clock
  char type[104] = {};          // texts end with 0; longer ones are cut
  char name[384] = {};

  OpRecord() = default;
  OpRecord(uint32_t id, std::string_view op_type, std::string_view op_name);
};
static_assert(sizeof(OpRecord) == 512);

// Checks what a program read from its pipe, of which nothing is trusted. ACL_SUCCESS, or a code
// whose text names the call.
aclError count_records(const char* call, const void* data, size_t bytes, uint32_t& count);
aclError read_record(const char* call, const void* data, size_t bytes, uint32_t index,
                     OpRecord& record);

// A pipe of the program. Records leave by a thread of their own, so that no run waits for the
// reader; the pipe is closed when the last of them has left.
class RecordPipe {
 public:
  explicit RecordPipe(int fd);
  ~RecordPipe();
  RecordPipe(const RecordPipe&) = delete;
  RecordPipe& operator=(const RecordPipe&) = delete;

  void send(const std::vector<OpRecord>& records);
  int fd() const;
  // Records that could not be written, because the reader is gone or is far behind.
  uint64_t lost() const;

 private:
  struct State;
  static void write_out(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;
};

// Threads may call everything at any time.
class Subscriptions {
 public:
  aclError add(uint32_t model, const aclprofSubscribeConfig& config);
  aclError remove(uint32_t model);
  // The model is gone. Nothing happens when nobody subscribed to it.
  void forget(uint32_t model);
  bool any() const { return count_.load(std::memory_order_relaxed) != 0; }
  // Tells whether somebody wants records of the model.
  bool wants(uint32_t model) const;
  void tell(uint32_t model, const std::vector<OpRecord>& records);

 private:
  struct Subscription {
    std::shared_ptr<RecordPipe> pipe;
    bool times = false;
  };
  // Models of one pipe share it. REQUIRES: the lock is held.
  std::shared_ptr<RecordPipe> pipe_for(int fd) const;

  mutable std::mutex mutex_;
  std::map<uint32_t, Subscription> models_;
  std::atomic<size_t> count_{0};
};

// Returns the program's, made on first use and never destroyed. Threads may call it at any time.
Subscriptions& subscriptions();
// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclprofSubscribeConfig>& subscribe_configs();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_PROFILE_SUBSCRIPTION_H_
