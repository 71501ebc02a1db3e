#include "opkit/acl/device/mode.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "opkit/acl/base/environment.h"
#include "opkit/call/trace/rates.h"
#include "opkit/call/trace/report.h"

namespace opkit::acl {
namespace {

opkit::Mode chosen_mode() {
  const std::string word = from_environment("OPKIT_MODE");
  const auto mode = mode_from_name(word.empty() ? "fast" : word);
  if (mode) return *mode;
  end_process(
      Error("OPK-LAUNCH-009", "OPKIT_MODE is '" + word + "'", "set it to fast, checked or timed"));
}

uint64_t chosen_schedule_seed() {
  const std::string word = from_environment("OPKIT_SCHEDULE_SEED");
  uint64_t seed = 0;
  const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (word.empty() || (failure == std::errc() && stop == word.data() + word.size())) return seed;
  end_process(Error("OPK-LAUNCH-011", "OPKIT_SCHEDULE_SEED is '" + word + "'",
                    "set it to a number, 1 for everything as late as possible"));
}

// OPKIT_WARM: runs of every launch before the one that counts.
uint32_t warm_runs() {
  const std::string word = from_environment("OPKIT_WARM");
  uint32_t runs = 0;
  const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), runs);
  const bool whole = failure == std::errc() && stop == word.data() + word.size() && runs <= 100;
  if (word.empty() || whole) return runs;
  end_process(
      Error("OPK-LAUNCH-013", "OPKIT_WARM is '" + word + "'", "set it to a number from 0 to 100"));
}

Watch chosen_watch(opkit::Mode mode, const std::string& soc, bool spans) {
  WatchOptions options;
  options.mode = mode;
  options.timed.spans = spans;
  if (mode == opkit::Mode::kChecked) {
    options.checked.numerics = switched_on("OPKIT_NUMERICS");
    options.checked.automatic_order = !switched_on("OPKIT_NO_IMPLIED_ORDER");
  }
  SocSpec spec;  // only times depend on it
  if (mode == opkit::Mode::kTimed) {
    const auto match = find_soc(soc);
    if (!match.ok()) end_process(match.error());
    spec = *match->spec;
    options.timed.warm_runs = warm_runs();
  }
  auto watch = Watch::make(options, spec);
  if (watch.ok()) return std::move(watch).value();
  if (!watch.error().is(Cause::kNoFigures)) end_process(watch.error());
  end_process(Error(
      "OPK-LAUNCH-010",
      "there are no measured timing figures for " + soc + ", but for " + trace::measured_chips(),
      "build the program with opkit cc --soc Ascend910B1"));
}

std::string place(const core::Fault& fault) {
  std::string text = "block " + std::to_string(fault.block);
  if (fault.sub_block >= 0) text += ", vector core " + std::to_string(fault.sub_block);
  return text;
}

void show_one(const core::Fault& fault, const std::string& kernel, debug::SourceLines& lines) {
  const std::string at = lines.text(fault.pc);
  std::fprintf(stderr, "%s%s%s %s: kernel %s, %s: %s\n", at.c_str(), at.empty() ? "" : ": ",
               fault.warning ? "warning" : "error", fault.code.c_str(), kernel.c_str(),
               place(fault).c_str(), fault.message.c_str());
  if (!fault.action.empty()) std::fprintf(stderr, "  try: %s\n", fault.action.c_str());
}

bool any_error(const core::Faults& faults) {
  return std::any_of(faults.begin(), faults.end(),
                     [](const auto& fault) { return !fault.warning; });
}

bool refused(const std::string& sentence) {
  std::fprintf(stderr, "opkit: %s\n", sentence.c_str());
  return false;
}

}  // namespace

ProgramMode::ProgramMode(const std::string& soc)
    : soc_(soc),
      folder_(from_environment("OPKIT_PROFILE")),
      times_(from_environment("OPKIT_TIMES")),
      schedule_seed_(chosen_schedule_seed()),
      mode_(chosen_mode()),
      watch_(chosen_watch(mode_, soc, !folder_.empty())) {}

bool ProgramMode::judge(core::LaunchReport report, const std::string& kernel) {
  const Watched watched = watch_.take(std::move(report));
  nanoseconds_ = watched.timed ? static_cast<uint64_t>(watched.timed->task_ns) : 0;
  if (mode_ == opkit::Mode::kChecked)
    return show(watched.checked, kernel) && !any_error(watched.report.faults);
  show(watched.report.faults, kernel);
  show(watched.report.warnings, kernel);
  const bool right = !any_error(watched.report.faults);
  if (!right || !watched.timed) return right;
  return tell(*watched.timed, kernel) && write(*watched.timed, kernel);
}

bool ProgramMode::judge_unwatched(const core::LaunchReport& report, const std::string& kernel) {
  show(report.faults, kernel);
  return !any_error(report.faults);
}

void ProgramMode::show(const core::Faults& faults, const std::string& kernel) {
  constexpr size_t kShown = 16;
  for (size_t i = 0; i < faults.size() && i < kShown; ++i) show_one(faults[i], kernel, lines_);
  if (faults.size() > kShown) {
    std::fprintf(stderr, "  and %zu more of kernel %s\n", faults.size() - kShown, kernel.c_str());
  }
}

// False: one of them is an error.
bool ProgramMode::show(const core::CheckedReport& found, const std::string& kernel) {
  if (found.findings.empty()) return true;
  const std::string text = core::to_text(found, [&](const void* pc) { return lines_.text(pc); });
  std::fprintf(stderr, "kernel %s:\n%s", kernel.c_str(), text.c_str());
  return found.errors() == 0;
}

bool ProgramMode::tell(const core::TimedResult& result, const std::string& kernel) const {
  const auto ns = static_cast<unsigned long long>(result.task_ns);
  const auto cycles = static_cast<unsigned long long>(result.cycles);
  if (times_.empty()) {
    std::fprintf(stderr, "timed: kernel %s: %.3f us, %llu cycles, %u blocks\n", kernel.c_str(),
                 static_cast<double>(result.task_ns) / 1e3, cycles, result.block_dim);
    return true;
  }
  std::FILE* file = std::fopen(times_.c_str(), "a");
  if (!file) return refused("cannot write the file that OPKIT_TIMES names: " + times_);
  std::fprintf(file, "%s %llu %llu %u\n", kernel.c_str(), ns, cycles, result.block_dim);
  return std::fclose(file) == 0 || refused("cannot write to " + times_);
}

bool ProgramMode::write(const core::TimedResult& result, const std::string& kernel) {
  if (folder_.empty()) return true;
  const std::string name = std::to_string(++launches_) + "_" + kernel;
  const Status written = trace::write_profile(folder_ + "/" + name, result, kernel, soc_,
                                              [&](const void* pc) { return lines_.text(pc); });
  return written.ok() || refused(written.error().to_string());
}

}  // namespace opkit::acl
