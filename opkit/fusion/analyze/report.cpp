#include <fmt/format.h>

#include "opkit/base/json.h"
#include "opkit/base/shell_word.h"
#include "opkit/fusion/analyze/analysis.h"

namespace opkit::analyze {
namespace {

double us(uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }

std::string next_step(const ChainKind& pattern, const std::string& file) {
  if (pattern.fitness.effort == WritingEffort::kWritten)
    return fmt::format("opkit new {} --from-model {} --nodes {}", pattern.op, shell_word(file),
                       shell_word(fmt::format("{}", fmt::join(pattern.nodes, ","))));
  if (pattern.fitness.template_name.empty()) return "no template begins with it; see ops/fused";
  return fmt::format("opkit new {} --template {}", pattern.op, pattern.fitness.template_name);
}

std::string pattern_text(size_t place, const ChainKind& pattern, const std::string& file) {
  const Gain& gain = pattern.gain;
  std::string text = fmt::format(
      "{}. {}: {} times, {} kernels become {}\n"
      "   {:.1f} us of {:.1f} us saved, {:.0f} % less traffic ({} of {} bytes); effort {}\n",
      place, pattern.operators, pattern.chains.size(), gain.kernels, pattern.chains.size(),
      us(gain.saved_ns()), us(gain.now_ns), 100 * gain.saved_traffic(),
      gain.now_bytes - gain.then_bytes, gain.now_bytes, name_of(pattern.fitness.effort));
  if (gain.on_host > 0)
    text += fmt::format(
        "   {} of the kernels are steps on the host today: what they cost there is not counted\n",
        gain.on_host);
  for (const FitnessCheck& check : pattern.fitness.checks)
    text += fmt::format("   [{}] {}\n", check.green ? "green" : "red", check.text);
  text += fmt::format("   nodes: {}\n   {}\n", fmt::join(pattern.nodes, ", "),
                      next_step(pattern, file));
  return text;
}

Json pattern_json(const ChainKind& pattern) {
  Json checks = Json::array();
  for (const FitnessCheck& check : pattern.fitness.checks)
    checks.push_back({{"green", check.green}, {"text", check.text}});
  return {{"operators", pattern.operators},
          {"op", pattern.op},
          {"times", pattern.chains.size()},
          {"kernels", pattern.gain.kernels},
          {"on_host", pattern.gain.on_host},
          {"now_ns", pattern.gain.now_ns},
          {"then_ns", pattern.gain.then_ns},
          {"now_bytes", pattern.gain.now_bytes},
          {"then_bytes", pattern.gain.then_bytes},
          {"effort", static_cast<int>(pattern.fitness.effort)},
          {"written_by_opkit", pattern.fitness.effort == WritingEffort::kWritten},
          {"template", pattern.fitness.template_name},
          {"ub_bytes_per_element", pattern.fitness.bytes_per_element},
          {"green", pattern.fitness.green()},
          {"checks", checks},
          {"nodes", pattern.nodes}};
}

}  // namespace

std::string analysis_text(const Analysis& analysis, const std::string& file, size_t most) {
  std::string text = fmt::format("{} on {}: {:.1f} us modelled\n", analysis.model, analysis.soc,
                                 us(analysis.now_ns));
  if (analysis.patterns.empty())
    return text +
           "no chain is worth an op of its own: nothing that kernels hand on could stay on "
           "the chip\n";
  if (!analysis.measured_chip)
    text += fmt::format("nothing was measured on {}: trust the order, not the microseconds\n",
                        analysis.soc);
  for (size_t i = 0; i < std::min(most, analysis.patterns.size()); ++i)
    text += pattern_text(i + 1, analysis.patterns[i], file);
  if (analysis.patterns.size() > most)
    text += fmt::format("{} more with --top {}\n", analysis.patterns.size() - most,
                        analysis.patterns.size());
  return text;
}

Json analysis_json(const Analysis& analysis) {
  Json patterns = Json::array();
  for (const ChainKind& pattern : analysis.patterns) patterns.push_back(pattern_json(pattern));
  return {{"model", analysis.model},
          {"soc", analysis.soc},
          {"now_ns", analysis.now_ns},
          {"chip_is_measured", analysis.measured_chip},
          {"patterns", patterns}};
}

}  // namespace opkit::analyze
