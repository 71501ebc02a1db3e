// What candidates cost on their chip: lower bounds at once, modelled times when they are asked for.
#ifndef OPKIT_ATC_COMPILE_COSTS_H_
#define OPKIT_ATC_COMPILE_COSTS_H_

#include <filesystem>
#include <map>
#include <string>

#include "opkit/atc/compile/candidate.h"
#include "opkit/atc/compile/plugin_failures.h"
#include "opkit/core/modes/timed.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// What a node costs that no AI core takes: more than any kernel. An op for the AICPU is the last
// choice but one, the interpreter the last, node by node, so that neither takes what a kernel
// could.
inline constexpr uint64_t kAicpuNanoseconds = 1'000'000'000;
inline constexpr uint64_t kHostNanoseconds = 2 * kAicpuNanoseconds;

class Costs {
 public:
  // Returns costs that keep modelled times in the folder `cache`, by the version of the model of
  // time and the chip's figures (a folder each), plugin digest and call; empty: none is kept.
  // Error: trace::rates_of's.
  static Result<Costs> of(const std::string& soc, std::filesystem::path cache);

  // No launch of the candidate takes less: every byte that it reads and writes at the rate of the
  // chip's memory, its multiply-adds at the cube unit's peak, one launch.
  uint64_t bound(const graph::Graph& graph, const Candidate& candidate) const;
  // Leaves out the conversions to and from the candidate's formats, which its neighbours may save.
  uint64_t bound_apart_from_turns(const graph::Graph& graph, const Candidate& candidate) const;
  // Returns what a kernel takes that uses one core and does one thing after the other: reads,
  // multiplies, visits every result of every node with the scalar unit, writes. At least the bound,
  // less than the AICPU.
  uint64_t slow(const graph::Graph& graph, const Candidate& candidate) const;
  // Sets nanoseconds and kind, and why there is no modelled time. Times beyond the launch:
  // conversions to and from its formats.
  void model(const graph::Graph& graph, Candidate& candidate);

  // Returns the time of turning a dense tensor into the layout's format, or back: of a launch on as
  // many vector cores as pay, which copy at their own rate and at that of the chip's memory. A
  // dense layout costs nothing.
  uint64_t turn(const StorageLayout& layout) const;
  // Returns the time of turning a tensor that takes so many bytes in its format.
  uint64_t turn_bytes(uint64_t stored) const;

  size_t modelled() const { return modelled_; }  // counts runs of the model of time
  size_t from_cache() const { return from_cache_; }
  const PluginFailures& failures() const { return failures_; }

 private:
  struct Time {
    uint64_t nanoseconds = 0;
    CostKind kind = CostKind::kAssumed;
    std::string not_modelled;
  };
  Costs(core::TimingRates rates, std::filesystem::path cache)
      : rates_(rates), cache_(std::move(cache)) {}
  Time time_of(const Candidate& candidate);
  Time ask(const Candidate& candidate);
  Time run_model(const Candidate& candidate);
  uint64_t conversions(const Candidate& candidate) const;
  uint64_t nanoseconds(double cycles) const;

  core::TimingRates rates_;
  std::filesystem::path cache_;
  std::map<std::string, Time> known_;
  size_t modelled_ = 0, from_cache_ = 0;
  PluginFailures failures_;
};

// Counts the bytes of all tensors as they are stored.
uint64_t bytes_of(const std::vector<PortLayouts>& ports);

// Multiply-adds that the node cannot do without; 0 where that is not known. REQUIRES: shapes are.
double products_of(const graph::Graph& graph, const graph::Node& node);

// Names everything that a call's modelled time depends on.
std::string key_of(const Candidate& candidate);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_COSTS_H_
