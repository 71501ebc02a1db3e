#include "opkit/fusion/feasible/roofline.h"

#include <algorithm>
#include <cmath>

#include "opkit/call/trace/rates.h"

namespace opkit::feasible {
namespace {

constexpr double kLeastOfACore = 16384;  // bytes: less does not repay the start of a core

// Times of kernels on one chip.
class Model {
 public:
  Model(const Subject& subject, const core::TimingRates& rates) : graph_(subject.graph), r_(rates) {
    for (const DType dtype : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kInt8})
      cube_rate_ = std::max<double>(cube_rate_, r_.cube_products[static_cast<size_t>(dtype)]);
  }

  Arithmetic arithmetic(const Kernel& kernel) const {
    Arithmetic sum;
    for (const size_t n : kernel.nodes) sum += arithmetic_of(graph_, graph_.nodes[n], r_);
    return sum;
  }

  void add(const Kernel& kernel, Times& times, std::string* bound_by = nullptr) const {
    const Arithmetic work = arithmetic(kernel);
    const double cores = cores_of(kernel, work);
    const double start = start_of(kernel, work, cores);
    const double memory = memory_cycles(kernel, cores);
    const double vector = work.vector_cycles / cores;
    const double cube = work.products / std::max(1.0, rate_of(kernel) * r_.cube_cores);
    const double copies = memory + latency();
    const double least = ns(std::max(shared_cycles(kernel), work.products / all_cubes()));
    times.bound += r_.launch_ns + least;
    times.memory += ns(shared_cycles(kernel));
    times.expected += start + ns(std::max({copies, vector, cube}) + least_of(copies, vector, cube));
    times.quickest += start + ns(copies);
    times.slowest += start + ns(copies + vector + cube);
    if (bound_by == nullptr) return;
    *bound_by = ns(std::max({copies, vector, cube})) < start ? "launch"
                : cube >= std::max(copies, vector)           ? "cube"
                : vector >= copies                           ? "vector"
                                                             : "memory";
  }

 private:
  double ns(double cycles) const { return cycles * 1000 / std::max(r_.frequency_mhz, 1u); }
  double all_cubes() const { return std::max(1.0, cube_rate_ * std::max(r_.cube_cores, 1u)); }
  double latency() const { return r_.pipe_start + r_.miss_latency + r_.write_latency; }

  // What is left uncovered while the first tile comes and the last one goes: a part of the others.
  static double least_of(double a, double b, double c) {
    return (a + b + c - std::max({a, b, c})) / 8;
  }

  double rate_of(const Kernel& kernel) const {
    for (const size_t n : kernel.nodes) {
      const graph::Node& node = graph_.nodes[n];
      if (products_of(graph_, node) == 0) continue;
      const auto dtype = static_cast<size_t>(graph_.values.at(node.inputs[0]).dtype);
      if (dtype < r_.cube_products.size() && r_.cube_products[dtype] > 0)
        return r_.cube_products[dtype];
    }
    return std::max(cube_rate_, 1.0);
  }

  double cores_of(const Kernel& kernel, const Arithmetic& work) const {
    const double all = std::max(r_.vector_cores, 1u);
    if (work.products > 0) return all;
    const double bytes = static_cast<double>(std::max(kernel.read / 2, kernel.written));
    return std::clamp(std::ceil(bytes / kLeastOfACore), 1.0, all);
  }

  double start_of(const Kernel&, const Arithmetic& work, double cores) const {
    const double vectors = cores * r_.launch_vector_ns;
    if (work.products == 0) return r_.launch_ns + vectors;
    return r_.launch_ns + std::max<double>(vectors, r_.cube_cores * r_.launch_cube_ns);
  }

  // Reads and writes of all cores together.
  double shared_cycles(const Kernel& kernel) const {
    const double rate = std::max({r_.hbm, r_.l2, 1u});
    return static_cast<double>(std::max(kernel.read, kernel.written)) / rate;
  }

  double memory_cycles(const Kernel& kernel, double cores) const {
    const auto read = static_cast<double>(kernel.read),
               written = static_cast<double>(kernel.written);
    return std::max({read / std::max(r_.hbm, 1u), written / std::max(r_.l2, 1u),
                     read / cores / std::max(r_.gm_read, 1u),
                     written / cores / std::max(r_.gm_write, 1u)});
  }

  const graph::Graph& graph_;
  const core::TimingRates& r_;
  double cube_rate_ = 1;
};

}  // namespace

double ChipGain::least() const {
  return std::min(
      {separate.quickest / fused.quickest, separate.slowest / fused.slowest, expected()});
}

double ChipGain::most() const {
  return std::max(
      {separate.quickest / fused.quickest, separate.slowest / fused.slowest, expected()});
}

Result<ChipGain> gain_of(const Subject& subject, const TensorTotals& traffic, const SocSpec& soc) {
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(soc));
  ChipGain gain;
  gain.soc = soc.name;
  gain.measured = soc.timing_is_measured();
  const Model model(subject, rates);
  for (const Kernel& kernel : traffic.separate) model.add(kernel, gain.separate);
  model.add(traffic.fused, gain.fused, &gain.bound_by);
  gain.arithmetic = model.arithmetic(traffic.fused);
  return gain;
}

}  // namespace opkit::feasible
