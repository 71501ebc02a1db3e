#include "opkit/call/execute/plan_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace opkit {
namespace {

// Returns the report's ranges, dealt out to the tensors that lie there.
std::vector<std::vector<core::CoverOfRange>> take_outputs(
    core::CoverReport& report, const CallPlan& plan,
    const std::vector<std::vector<const void*>>& at) {
  std::vector<std::vector<core::CoverOfRange>> outputs;
  for (size_t p = 0; p < at.size(); ++p) {
    std::vector<core::CoverOfRange>& port = outputs.emplace_back(at[p].size());
    for (size_t t = 0; t < at[p].size(); ++t) {
      for (const core::CoverOfRange& range : report.ranges) {
        if (range.range.base == at[p][t] &&
            range.range.bytes == stored_bytes(plan.output_layouts[p][t]))
          port[t] = range;
      }
    }
  }
  report.ranges.clear();
  return outputs;
}

Result<DryWatch> watch_once(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                            const WatchOptions& options, const DryLaunchOptions& dry) {
  using Clock = std::chrono::steady_clock;
  OPKIT_TRY(Watch watch, Watch::make(options, *plan->soc));
  core::Observer nobody;
  core::Observer* observer = watch.observer() ? watch.observer() : &nobody;
  const Clock::time_point start = Clock::now();
  OPKIT_TRY(DryLaunch launch, launch_dry(plan, machine, *observer, dry));
  DryWatch seen;
  seen.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!launch.dry.needs_data.empty()) return needs_data(*plan, launch.dry.needs_data);
  seen.dry = std::move(launch.dry);
  seen.watched = watch.take(std::move(launch.report));
  return seen;
}

bool tell_the_same(const DryWatch& one, const DryWatch& other) {
  const auto cycles = [](const Watched& seen) { return seen.timed ? seen.timed->cycles : 0; };
  return one.dry.instructions == other.dry.instructions &&
         cycles(one.watched) == cycles(other.watched) &&
         one.watched.checked.findings.size() == other.watched.checked.findings.size() &&
         one.watched.report.faults.size() == other.watched.report.faults.size();
}

}  // namespace

Result<DryWatch> watch_dry_launch(const std::shared_ptr<const CallPlan>& plan,
                                  core::Machine& machine, const WatchOptions& options,
                                  uint64_t schedule_seed) {
  DryLaunchOptions dry;
  dry.schedule_seed = schedule_seed;
  OPKIT_TRY(DryWatch first, watch_once(plan, machine, options, dry));
  for (const core::DryAnswer answer : {core::DryAnswer::kOne, core::DryAnswer::kOnes}) {
    if (!first.dry.asked_for_data) break;
    dry.answer = answer;
    OPKIT_TRY(const DryWatch other, watch_once(plan, machine, options, dry));
    if (!tell_the_same(other, first))
      return needs_data(*plan, "other computed values lead it other ways");
  }
  return first;
}

Result<CoverLaunch> cover_dry_launch(const std::shared_ptr<const CallPlan>& plan,
                                     core::Machine& machine, core::DryAnswer answer) {
  core::Cover observer;
  DryLaunchOptions options;
  options.answer = answer;
  OPKIT_TRY(DryLaunch launch, launch_dry(plan, machine, observer, options));
  CoverLaunch seen;
  seen.faults = std::move(launch.report.faults);
  seen.dry = std::move(launch.dry);
  std::vector<std::vector<const void*>> at;
  for (const auto& port : launch.at.outputs) at.emplace_back(port.begin(), port.end());
  seen.report = observer.take_report();
  seen.outputs = take_outputs(seen.report, *plan, at);
  return seen;
}

CoverLaunch cover_launch(const CallPlan& plan, const std::vector<std::vector<const void*>>& at,
                         const LaunchWith& launch) {
  core::Cover observer;
  CoverLaunch seen;
  seen.faults = launch(&observer).faults;
  seen.report = observer.take_report();
  seen.outputs = take_outputs(seen.report, plan, at);
  return seen;
}

ElementBytes bytes_of_element(const StorageLayout& layout, const void* base, int64_t element) {
  const auto place = static_cast<uint64_t>(layout.place_of(element));
  const auto elements = static_cast<uint64_t>(std::max<int64_t>(layout.storage().elements(), 1));
  const uint64_t size = stored_bytes(layout);
  return {static_cast<const uint8_t*>(base) + size * place / elements,
          std::max<uint64_t>(size / elements, 1)};
}

std::vector<std::string> sentences(const std::vector<WriteEvent>& events,
                                   const std::function<std::string(const void*)>& place) {
  std::vector<std::string> told;
  for (const WriteEvent& event : events) {
    const std::string where = place(event.pc);
    told.push_back(fmt::format("written by block {}{}: {}{}{}", event.block,
                               event.sub_block >= 0 ? fmt::format(".{}", event.sub_block) : "",
                               event.instruction, where.empty() ? "" : " at " + where,
                               fmt::format(", time {} there", event.occurrence)));
  }
  if (told.empty()) told.emplace_back("no instruction wrote it");
  return told;
}

}  // namespace opkit
