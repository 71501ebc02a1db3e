#include "opkit/acl/device/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "opkit/acl/base/program.h"
#include "opkit/acl/device/kernel_crash.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/base/large_pages.h"
#include "opkit/call/plan/aicpu.h"

namespace opkit::acl {
namespace {

thread_local bool took_too_long = false;

// "x" of "x,y,tiling"; "argument 2" when it has no name.
std::string argument_name(std::string_view names, size_t i) {
  for (size_t skip = i; skip > 0 && !names.empty(); --skip)
    names.remove_prefix(std::min(names.find(','), names.size() - 1) + 1);
  const std::string name(names.substr(0, names.find(',')));
  return name.empty() ? "argument " + std::to_string(i + 1) : name;
}

// Memory is called by the arguments that point into it. The names live in `names`.
void name_by_argument(const KernelArguments& arguments, std::deque<std::string>& names,
                      std::vector<core::GmRange>& ranges) {
  const std::vector<const void*>& pointers = arguments.pointers;
  for (core::GmRange& range : ranges) {
    std::string name;
    for (size_t i = 0; i < pointers.size(); ++i) {
      const auto* p = static_cast<const uint8_t*>(pointers[i]);
      if (p < range.base || p >= range.base + range.bytes) continue;
      name += (name.empty() ? "" : " and ") + argument_name(arguments.names, i);
    }
    if (!name.empty()) range.name = names.emplace_back(std::move(name)).c_str();
  }
}

}  // namespace

EmulatedDevice::EmulatedDevice(const opk_soc_v1& soc)
    : soc_(soc), memory_(soc.memory_size[OPK_MEM_GM], soc.name) {}

Stream* EmulatedDevice::find(aclrtStream stream) {
  return stream ? streams_.find(stream) : &default_stream_;
}

std::unique_ptr<EmulatedDevice::Engine> EmulatedDevice::take_engine() {
  const std::lock_guard<std::mutex> lock(engines_mutex_);
  const auto widest = std::max_element(
      engines_.begin(), engines_.end(),
      [](const auto& a, const auto& b) { return a->machine.threads() < b->machine.threads(); });
  if (widest == engines_.end())
    return std::make_unique<Engine>(soc_, std::exchange(threads_taken_, true) ? 1 : 0);
  std::unique_ptr<Engine> engine = std::move(*widest);
  engines_.erase(widest);
  return engine;
}

void EmulatedDevice::give_back(std::unique_ptr<Engine> engine) {
  const std::lock_guard<std::mutex> lock(engines_mutex_);
  engines_.push_back(std::move(engine));
}

ProgramMode& EmulatedDevice::mode() {
  const std::lock_guard<std::mutex> lock(mode_mutex_);
  if (!mode_) mode_ = std::make_unique<ProgramMode>(soc_.name);
  return *mode_;
}

EmulatedDevice::Engine::~Engine() { free_pages(system_workspace); }

uint8_t* EmulatedDevice::system_workspace(Engine& engine) {
  constexpr uint64_t kAlignment = 512;  // bytes
  const uint64_t bytes = soc_.lib_api_workspace;
  uint8_t*& memory = engine.system_workspace;
  if (memory || bytes == 0) return memory;
  memory = static_cast<uint8_t*>(allocate_pages(bytes, kAlignment));
  if (memory) std::memset(memory, 0, bytes);
  return memory;
}

std::vector<core::GmRange> EmulatedDevice::gm_ranges(const Engine& engine) const {
  std::vector<core::GmRange> ranges;
  for (const auto& [base, piece] : memory_.pieces()) {
    ranges.push_back(
        {reinterpret_cast<const uint8_t*>(base), piece.bytes, "device memory", true, true});
    ranges.back().asked = piece.asked;
  }
  if (engine.system_workspace) {
    ranges.push_back(
        {engine.system_workspace, soc_.lib_api_workspace, "system workspace", true, true});
  }
  return ranges;
}

bool EmulatedDevice::run(const opk_kernel_v1& kernel, uint32_t blocks,
                         const KernelArguments& arguments, uint64_t tiling_key) {
  return run(kernel.name, [&](Engine& engine, ProgramMode& mode) {
    void* const args[] = {arguments.block};
    core::LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = blocks;
    request.tiling_key = tiling_key;
    request.args = args;
    request.system_workspace = system_workspace(engine);
    std::vector<core::GmRange> ranges = gm_ranges(engine);
    std::deque<std::string> names;
    name_by_argument(arguments, names, ranges);
    request.gm = ranges.data();
    request.gm_count = static_cast<uint32_t>(ranges.size());
    request.observer = mode.observer();
    request.schedule_seed = mode.schedule_seed();
    return engine.machine.launch(request);
  });
}

bool EmulatedDevice::run(PlacedCall& call) {
  if (is_aicpu(call.plan())) return run_unwatched(call);
  return run(call.plan().contract->op, [&](Engine& engine, ProgramMode& mode) {
    return call.launch(engine.machine, {mode.observer(), mode.schedule_seed()});
  });
}

// A CpuKernel has no instructions.
bool EmulatedDevice::run_unwatched(PlacedCall& call) {
  const Timing timing(profile(), Profile::kTasks, [&] { return call.plan().contract->op; });
  ProgramMode& mode = this->mode();
  std::unique_ptr<Engine> engine = take_engine();
  const core::LaunchReport report = call.launch(engine->machine);
  give_back(std::move(engine));
  const std::lock_guard<std::mutex> alone(mode_mutex_);
  took_too_long = false;
  return mode.judge_unwatched(report, call.plan().contract->op);
}

bool EmulatedDevice::run(const std::string& kernel, const Launch& launch) {
  watch_kernels();
  const Timing timing(profile(), Profile::kTasks, [&] { return kernel; });
  ProgramMode& mode = this->mode();
  std::unique_lock<std::mutex> alone(mode_mutex_, std::defer_lock);
  if (mode.observer()) alone.lock();
  std::unique_ptr<Engine> engine = take_engine();
  core::LaunchReport report = launch(*engine, mode);
  give_back(std::move(engine));
  if (!alone) alone.lock();
  return judge(std::move(report), kernel);
}

bool EmulatedDevice::judge(core::LaunchReport report, const std::string& kernel) {
  std::fwrite(report.printed.data(), 1, report.printed.size(), stdout);
  if (!report.printed.empty()) std::fflush(stdout);
  took_too_long = false;
  return mode_->judge(std::move(report), kernel) && in_time(kernel);
}

bool EmulatedDevice::in_time(const std::string& kernel) const {
  const std::chrono::nanoseconds allowed = allowed_;
  const std::chrono::nanoseconds taken(mode_->nanoseconds());
  took_too_long = allowed.count() != 0 && taken > allowed;
  if (!took_too_long) return true;
  std::fprintf(stderr,
               "opkit: kernel %s: its modelled time of %.3f us is more than the %.3f us that "
               "aclrtSetOpExecuteTimeOut allows\n",
               kernel.c_str(), static_cast<double>(taken.count()) / 1e3,
               static_cast<double>(allowed.count()) / 1e3);
  return false;
}

bool EmulatedDevice::take_lateness() { return std::exchange(took_too_long, false); }

EmulatedDevice& the_device() {
  static EmulatedDevice& own = *new EmulatedDevice(program_soc());
  return own;
}

}  // namespace opkit::acl
