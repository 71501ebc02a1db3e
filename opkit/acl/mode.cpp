#include "opkit/acl/mode.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/trace/rates.h"
#include "opkit/trace/report.h"

namespace opkit::acl {
namespace {

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
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
  for (const core::Fault& fault : faults) {
    if (!fault.warning) return true;
  }
  return false;
}

class Fast : public Mode {
 public:
  core::Observer* observer() override { return nullptr; }
  bool judge(const core::LaunchReport& report, const std::string& kernel) override {
    show(report.faults, kernel);
    show(report.warnings, kernel);
    return !any_error(report.faults);
  }
};

[[noreturn]] void end(const Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

// A variable that is 1, or 0, empty or not there.
bool switched_on(const char* name) {
  const std::string word = from_environment(name);
  if (word.empty() || word == "0") return false;
  if (word == "1") return true;
  end(Error("OPK-LAUNCH-012", std::string(name) + " is '" + word + "'", "set it to 1 or 0"));
}

core::CheckedOptions checked_options() {
  core::CheckedOptions options;
  options.numerics = switched_on("OPKIT_NUMERICS");
  options.automatic_order = !switched_on("OPKIT_NO_IMPLIED_ORDER");
  return options;
}

class CheckedMode : public Mode {
 public:
  core::Observer* observer() override { return &checked_; }
  bool judge(const core::LaunchReport& report, const std::string& kernel) override {
    const core::CheckedReport found = checked_.take_report(report);
    if (!found.findings.empty()) {
      const std::string text =
          core::to_text(found, [&](const void* pc) { return lines_.text(pc); });
      std::fprintf(stderr, "kernel %s:\n%s", kernel.c_str(), text.c_str());
    }
    return found.errors() == 0 && !any_error(report.faults);
  }

 private:
  core::Checked checked_{checked_options()};
  debug::SourceLines lines_;
};

// OPKIT_WARM: runs of every launch before the one that counts.
uint32_t warm_runs() {
  const std::string word = from_environment("OPKIT_WARM");
  uint32_t runs = 0;
  const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), runs);
  const bool whole = failure == std::errc() && stop == word.data() + word.size() && runs <= 100;
  if (word.empty() || whole) return runs;
  end(Error("OPK-LAUNCH-013", "OPKIT_WARM is '" + word + "'", "set it to a number from 0 to 100"));
}

core::TimedOptions timed_options(const std::string& folder) {
  core::TimedOptions options;
  options.warm_runs = warm_runs();
  options.spans = !folder.empty();
  return options;
}

class TimedMode : public Mode {
 public:
  TimedMode(const core::TimingRates& rates, std::string soc)
      : soc_(std::move(soc)),
        folder_(from_environment("OPKIT_PROFILE")),
        times_(from_environment("OPKIT_TIMES")),
        timed_(rates, timed_options(folder_)) {}

  core::Observer* observer() override { return &timed_; }
  bool judge(const core::LaunchReport& report, const std::string& kernel) override {
    show(report.faults, kernel);
    show(report.warnings, kernel);
    if (any_error(report.faults)) return false;
    return tell(kernel) && write(kernel);
  }

 private:
  bool tell(const std::string& kernel) const {
    const core::TimedResult& result = timed_.result();
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

  bool write(const std::string& kernel) {
    if (folder_.empty()) return true;
    const std::string name = std::to_string(++launches_) + "_" + kernel;
    const Status written = trace::write_profile(folder_ + "/" + name, timed_.result(), kernel, soc_,
                                                [&](const void* pc) { return lines_.text(pc); });
    return written.ok() || refused(written.error().to_string());
  }

  static bool refused(const std::string& sentence) {
    std::fprintf(stderr, "opkit: %s\n", sentence.c_str());
    return false;
  }

  std::string soc_, folder_, times_;
  core::Timed timed_;
  debug::SourceLines lines_;
  unsigned launches_ = 0;
};

std::unique_ptr<Mode> timed_mode(const std::string& soc) {
  const auto match = find_soc(soc);
  if (!match.ok()) end(match.error());
  if (!match->spec->timing_is_measured()) {
    end(Error(
        "OPK-LAUNCH-010",
        "there are no measured timing figures for " + soc + ", but for " + trace::measured_chips(),
        "build the program with opkit cc --soc Ascend910B1"));
  }
  const auto rates = trace::rates_of(*match->spec);
  if (!rates.ok()) end(rates.error());
  return std::make_unique<TimedMode>(*rates, soc);
}

}  // namespace

void show(const core::Faults& faults, const std::string& kernel) {
  if (faults.empty()) return;
  constexpr size_t kShown = 16;
  debug::SourceLines lines;
  for (size_t i = 0; i < faults.size() && i < kShown; ++i) show_one(faults[i], kernel, lines);
  if (faults.size() > kShown) {
    std::fprintf(stderr, "  and %zu more of kernel %s\n", faults.size() - kShown, kernel.c_str());
  }
}

uint64_t chosen_schedule_seed() {
  const std::string word = from_environment("OPKIT_SCHEDULE_SEED");
  uint64_t seed = 0;
  const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (word.empty() || (failure == std::errc() && stop == word.data() + word.size())) return seed;
  end(Error("OPK-LAUNCH-011", "OPKIT_SCHEDULE_SEED is '" + word + "'",
            "set it to a number, 1 for "
            "everything as late as possible"));
}

std::unique_ptr<Mode> chosen_mode(const std::string& soc) {
  const std::string word = from_environment("OPKIT_MODE");
  if (word.empty() || word == "fast") return std::make_unique<Fast>();
  if (word == "checked") return std::make_unique<CheckedMode>();
  if (word == "timed") return timed_mode(soc);
  end(Error("OPK-LAUNCH-009", "OPKIT_MODE is '" + word + "'", "set it to fast, checked or timed"));
}

}  // namespace opkit::acl
