#include "opkit/acl/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "opkit/acl/base/error.h"
#include "opkit/acl/streams/on_queue.h"
#include "opkit/base/file.h"
#include "opkit/base/json.h"

namespace opkit::acl {
namespace {

thread_local const char thread_here = 0;  // its address stands for the thread

double microseconds(Profile::Time from, Profile::Time to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

const char* place_of(bool device) { return device ? "device" : "host"; }

constexpr std::pair<uint64_t, const char*> kTypeNames[] = {
    {ACL_PROF_AICORE_METRICS, "ACL_PROF_AICORE_METRICS"},
    {ACL_PROF_AICPU, "ACL_PROF_AICPU"},
    {ACL_PROF_L2CACHE, "ACL_PROF_L2CACHE"},
    {ACL_PROF_HCCL_TRACE, "ACL_PROF_HCCL_TRACE"},
    {ACL_PROF_TRAINING_TRACE, "ACL_PROF_TRAINING_TRACE"},
    {ACL_PROF_RUNTIME_API, "ACL_PROF_RUNTIME_API"},
    {ACL_PROF_TASK_MEMORY, "ACL_PROF_TASK_MEMORY"},
    {ACL_PROF_OP_ATTR, "ACL_PROF_OP_ATTR"}};

Json names_of(uint64_t types) {
  Json names = Json::array();
  for (const auto& [type, name] : kTypeNames) {
    if (types & type) names.push_back(name);
  }
  return names;
}

Json named(const char* what, size_t row, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", 0}, {"tid", row}, {"args", Json{{"name", name}}}};
}

const char* word_of(uint64_t type) {
  if (type & Profile::kTasks) return "task";
  return type & Profile::kCopies ? "copy" : "msproftx";
}

aclError not_begun(const char* call) {
  return fail(ACL_ERROR_PROF_NOT_RUN, "%s: nothing is profiled; call aclprofInit first", call);
}

// Returns the first of PROF_000001, PROF_000002, ... that is not there; empty: none can be made.
std::filesystem::path new_folder(const std::filesystem::path& parent) {
  for (int number = 1; number < 1'000'000; ++number) {
    std::filesystem::path folder = parent / fmt::format("PROF_{:06}", number);
    std::error_code failed;
    if (std::filesystem::create_directory(folder, failed)) return folder;
    if (failed) break;
  }
  return {};
}

}  // namespace

std::string copy_name(bool from_device, bool to_device, size_t bytes) {
  return fmt::format("copy {} to {}, {} bytes", place_of(from_device), place_of(to_device), bytes);
}

Timing::Timing(Profile& profile, uint64_t type, const std::function<std::string()>& name)
    : profile_(profile), type_(profile.collects(type) ? type : 0) {
  if (type_ == 0) return;
  name_ = name();
  since_ = std::chrono::steady_clock::now();
}

Timing::~Timing() {
  if (type_ != 0)
    profile_.add_span(type_, std::move(name_), since_, std::chrono::steady_clock::now());
}

aclError Profile::begin(const std::filesystem::path& folder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (begun_)
    return fail(ACL_ERROR_REPEAT_INITIALIZE, "aclprofInit was called before; call aclprofFinalize");
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return fail(ACL_ERROR_INVALID_FILE, "aclprofInit: %s cannot be made: %s", folder.c_str(),
                failed.message().c_str());
  folder_ = folder;
  zero_ = std::chrono::steady_clock::now();
  begun_ = true;
  return ACL_SUCCESS;
}

aclError Profile::start(uint64_t types) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!begun_) return not_begun("aclprofStart");
  if (types_ != 0)
    return fail(ACL_ERROR_PROF_ALREADY_RUN, "aclprofStart was called before; call aclprofStop");
  asked_ |= types;
  types_ = types;
  started_ = std::chrono::steady_clock::now();
  return ACL_SUCCESS;
}

aclError Profile::stop(uint64_t types) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (types_ == 0)
    return fail(ACL_ERROR_PROF_NOT_RUN,
                "aclprofStop: nothing is collected; call aclprofStart first");
  if (types_ != types)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclprofStop with types 0x%llx, aclprofStart had 0x%llx; give it the same config",
                static_cast<unsigned long long>(types),
                static_cast<unsigned long long>(types_.load()));
  types_ = 0;
  return ACL_SUCCESS;
}

aclError Profile::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!begun_) return not_begun("aclprofFinalize");
  types_ = 0;
  begun_ = false;
  const aclError code = write();
  events_.clear();
  rows_.clear();
  known_.clear();
  asked_ = dropped_ = streams_ = 0;
  return code;
}

Profile::Actor Profile::actor_here() {
  if (OnQueue::here()) return {OnQueue::here(), true};
  return {&thread_here, false};
}

bool Profile::begun() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return begun_;
}

// REQUIRES: the lock is held, as in keep(), trace() and write().
size_t Profile::row_of(const Actor& actor) {
  const auto [found, added] = known_.emplace(actor.at, rows_.size());
  if (added) {
    streams_ += actor.is_stream ? 1 : 0;
    rows_.push_back(actor.is_stream ? fmt::format("stream {}", streams_)
                                    : fmt::format("thread {}", rows_.size() + 1 - streams_));
  }
  return found->second;
}

void Profile::keep(Event event) {
  if (!collects(event.type)) return;
  if (events_.size() == kMostEvents) {
    ++dropped_;
  } else {
    events_.push_back(std::move(event));
  }
}

void Profile::add_span(uint64_t type, std::string name, Time from, Time to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (begun_) keep({type, std::move(name), 0, row_of(actor_here()), from, to, false});
}

void Profile::add_mark(const Stamp& stamp) {
  if (!collects(kOwn)) return;
  const Time now = std::chrono::steady_clock::now();
  const std::lock_guard<std::mutex> lock(mutex_);
  keep({kOwn, stamp.message, stamp.category, row_of(actor_here()), now, now, true});
}

void Profile::name_category(uint32_t category, std::string name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  categories_[category] = std::move(name);
}

Profile::Open Profile::opened(const Stamp& stamp) {
  return {stamp, std::chrono::steady_clock::now(), actor_here()};
}

// A range that began before aclprofStart shows from there on.
void Profile::keep(const Open& open) {
  if (!collects(kOwn)) return;
  keep({kOwn, open.stamp.message, open.stamp.category, row_of(open.actor),
        std::max(open.since, started_), std::chrono::steady_clock::now(), false});
}

void Profile::push(const Stamp& stamp) {
  const std::lock_guard<std::mutex> lock(mutex_);
  pushed_[&thread_here].push_back(opened(stamp));
}

aclError Profile::pop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pushed_.find(&thread_here);
  if (found == pushed_.end())
    return fail(ACL_ERROR_INVALID_PARAM, "aclprofPop: this thread has no range; call aclprofPush");
  keep(found->second.back());
  found->second.pop_back();
  if (found->second.empty()) pushed_.erase(found);
  return ACL_SUCCESS;
}

uint32_t Profile::open_range(const Stamp& stamp) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ranges_.emplace(next_range_, opened(stamp));
  return next_range_++;
}

aclError Profile::close_range(uint32_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = ranges_.find(id);
  if (found == ranges_.end())
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclprofRangeStop: range %u was never started, or it was stopped", id);
  keep(found->second);
  ranges_.erase(found);
  return ACL_SUCCESS;
}

std::string Profile::trace() const {
  Json all = Json::array({named("process_name", 0, "device 0")});
  for (size_t row = 0; row < rows_.size(); ++row)
    all.push_back(named("thread_name", row, rows_[row]));
  for (const Event& event : events_) {
    Json one{{"ph", event.mark ? "i" : "X"},
             {"name", event.name},
             {"cat", word_of(event.type)},
             {"pid", 0},
             {"tid", event.row},
             {"ts", microseconds(zero_, event.from)}};
    if (!event.mark) one["dur"] = microseconds(event.from, event.to);
    const auto category = categories_.find(event.category);
    if (event.type == kOwn && category != categories_.end())
      one["args"] = Json{{"category", category->second}};
    all.push_back(std::move(one));
  }
  return Json{{"traceEvents", std::move(all)},
              {"otherData", Json{{"clock", "host"},
                                 {"not_collected", names_of(asked_ & kNotCollected)},
                                 {"events_left_out", dropped_}}}}
             .dump(0) +
         "\n";
}

aclError Profile::write() const {
  const std::filesystem::path folder = new_folder(folder_);
  if (folder.empty())
    return fail(ACL_ERROR_WRITE_FILE,
                "aclprofFinalize: no folder can be made in %s; give aclprofInit one that can be "
                "written",
                folder_.c_str());
  const Status written = write_file(folder / "msprof.json", trace());
  if (written.ok()) return ACL_SUCCESS;
  std::error_code ignored;
  std::filesystem::remove(folder, ignored);
  return fail(ACL_ERROR_WRITE_FILE, written.error());
}

Profile& profile() {
  static Profile& own = *new Profile;
  return own;
}

HandleTable<aclprofConfig>& profile_configs() {
  static HandleTable<aclprofConfig>& all = *new HandleTable<aclprofConfig>("aclprofConfig");
  return all;
}

HandleTable<Stamp>& stamps() {
  static HandleTable<Stamp>& all = *new HandleTable<Stamp>("stamp");
  return all;
}

}  // namespace opkit::acl
