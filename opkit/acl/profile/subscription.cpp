#include "opkit/acl/profile/subscription.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <thread>

#include "opkit/acl/base/error.h"

namespace opkit::acl {
namespace {

constexpr size_t kMostWaiting = 100'000;  // records, 51 MB

template <size_t kRoom>
void keep_text(std::string_view text, char (&room)[kRoom]) {
  std::memcpy(room, text.data(), std::min(text.size(), kRoom - 1));
}

template <size_t kRoom>
bool ends(const char (&room)[kRoom]) {
  return std::memchr(room, 0, kRoom) != nullptr;
}

// A reader that is gone must not end the program: its SIGPIPE is taken away.
bool write_record(int fd, const OpRecord& record) {
  sigset_t broken, before;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  ssize_t written;
  do written = ::write(fd, &record, sizeof record);
  while (written < 0 && errno == EINTR);
  const timespec at_once = {};
  if (written < 0 && errno == EPIPE) sigtimedwait(&broken, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return written == static_cast<ssize_t>(sizeof record);
}

}  // namespace

OpRecord::OpRecord(uint32_t id, std::string_view op_type, std::string_view op_name) : model(id) {
  keep_text(op_type, type);
  keep_text(op_name, name);
}

aclError count_records(const char* call, const void* data, size_t bytes, uint32_t& count) {
  if (!data || bytes == 0 || bytes % sizeof(OpRecord) != 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "%s: %zu bytes at %p are no whole records; read multiples of the size that "
                "aclprofGetOpDescSize tells",
                call, bytes, data);
  count = static_cast<uint32_t>(bytes / sizeof(OpRecord));
  return ACL_SUCCESS;
}

aclError read_record(const char* call, const void* data, size_t bytes, uint32_t index,
                     OpRecord& record) {
  uint32_t count = 0;
  if (const aclError code = count_records(call, data, bytes, count)) return code;
  if (index >= count)
    return fail(ACL_ERROR_INVALID_PARAM, "%s: index %u of %u records; aclprofGetOpNum counts them",
                call, index, count);
  OpRecord read;
  std::memcpy(&read, static_cast<const char*>(data) + index * sizeof read, sizeof read);
  if (read.mark != OpRecord::kMark || !ends(read.type) || !ends(read.name))
    return fail(ACL_ERROR_INVALID_PARAM,
                "%s: record %u was not written by a subscription; hand in what was read from its "
                "pipe, unchanged",
                call, index);
  record = read;
  return ACL_SUCCESS;
}

struct RecordPipe::State {
  explicit State(int end) : fd(end) {}
  const int fd;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<OpRecord> waiting;
  uint64_t lost = 0;
  bool over = false, broken = false;
};

RecordPipe::RecordPipe(int fd) : state_(std::make_shared<State>(fd)) {
  std::thread([state = state_] { write_out(state); }).detach();
}

RecordPipe::~RecordPipe() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->over = true;
  state_->changed.notify_all();
}

int RecordPipe::fd() const { return state_->fd; }

uint64_t RecordPipe::lost() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->lost;
}

void RecordPipe::send(const std::vector<OpRecord>& records) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->broken || state_->waiting.size() + records.size() > kMostWaiting) {
    state_->lost += records.size();
    return;
  }
  state_->waiting.insert(state_->waiting.end(), records.begin(), records.end());
  state_->changed.notify_all();
}

void RecordPipe::write_out(const std::shared_ptr<State>& state) {
  std::unique_lock<std::mutex> lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&] { return state->over || !state->waiting.empty(); });
    if (state->waiting.empty()) break;
    const OpRecord record = state->waiting.front();
    state->waiting.pop_front();
    lock.unlock();
    const bool written = write_record(state->fd, record);
    lock.lock();
    if (written) continue;
    state->broken = true;
    state->lost += 1 + state->waiting.size();
    state->waiting.clear();
  }
  ::close(state->fd);
}

std::shared_ptr<RecordPipe> Subscriptions::pipe_for(int fd) const {
  for (const auto& [model, subscription] : models_) {
    if (subscription.pipe->fd() == fd) return subscription.pipe;
  }
  return std::make_shared<RecordPipe>(fd);
}

aclError Subscriptions::add(uint32_t model, const aclprofSubscribeConfig& config) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (models_.count(model) != 0)
    return fail(ACL_ERROR_PROF_ALREADY_RUN,
                "aclprofModelSubscribe: model %u is subscribed already; call "
                "aclprofModelUnSubscribe first",
                model);
  models_.emplace(model, Subscription{pipe_for(config.fd), config.times});
  count_ = models_.size();
  return ACL_SUCCESS;
}

aclError Subscriptions::remove(uint32_t model) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = models_.find(model);
  if (found == models_.end())
    return fail(ACL_ERROR_PROF_NOT_RUN,
                "aclprofModelUnSubscribe: nobody subscribed to model %u; call "
                "aclprofModelSubscribe first",
                model);
  const uint64_t lost = found->second.pipe->lost();
  models_.erase(found);
  count_ = models_.size();
  if (lost == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_WRITE_FILE,
              "aclprofModelUnSubscribe: %llu records did not get into the pipe; a thread of the "
              "program must read it until the subscription ends",
              static_cast<unsigned long long>(lost));
}

void Subscriptions::forget(uint32_t model) {
  const std::lock_guard<std::mutex> lock(mutex_);
  models_.erase(model);
  count_ = models_.size();
}

bool Subscriptions::wants(uint32_t model) const {
  if (!any()) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = models_.find(model);
  return found != models_.end() && found->second.times;
}

void Subscriptions::tell(uint32_t model, const std::vector<OpRecord>& records) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = models_.find(model);
  if (found != models_.end()) found->second.pipe->send(records);
}

Subscriptions& subscriptions() {
  static Subscriptions& own = *new Subscriptions;
  return own;
}

HandleTable<aclprofSubscribeConfig>& subscribe_configs() {
  static HandleTable<aclprofSubscribeConfig>& all =
      *new HandleTable<aclprofSubscribeConfig>("aclprofSubscribeConfig");
  return all;
}

}  // namespace opkit::acl
