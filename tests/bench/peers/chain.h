// oneDNN primitives one after the other. Activations and results are float; where the case is one
// of half, which oneDNN does not compute on CPUs, they are converted in front and behind, as a user
// of the library would have to.
#ifndef TESTS_BENCH_PEERS_CHAIN_H_
#define TESTS_BENCH_PEERS_CHAIN_H_

#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/bench/peers/contest.h"

namespace opkit::peers {

using Memory = dnnl::memory;
using Desc = dnnl::memory::desc;
using Arguments = std::unordered_map<int, Memory>;

Desc dense(const Dims& dims);  // float, row by row
Desc any(const Dims& dims);    // float, as the primitive likes it

class Chain {
 public:
  explicit Chain(bool half) : half_(half) {}

  const dnnl::engine& engine() const { return engine_; }
  Memory room(const Desc& desc) { return Memory(desc, engine_); }
  // Views numbers under another description.
  Memory view(const Memory& of, const Desc& as);
  // Weights: laid out once.
  Memory constant(const Floats& values, const Dims& dims, const Desc& as);
  // Laid out once; of half: converted in every run.
  Memory activation(const Floats& values, const Dims& dims, const Desc& as);
  void add(const dnnl::primitive& primitive, Arguments arguments);
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }
  // Eltwise in place.
  void bend(dnnl::algorithm algorithm, const Memory& values, float alpha = 0, float beta = 0);
  void combine(dnnl::algorithm algorithm, const Memory& a, const Memory& b, const Memory& to);
  // The last call: what the case computes, one behind the other. `dims` are the dense results'.
  Entrant entrant(const std::string& name, std::vector<std::pair<Memory, Dims>> results);

 private:
  void run();
  Floats read(const Memory& memory, const Dims& dims);

  bool half_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<std::function<void()>> steps_;
  std::vector<Memory> viewed_;  // a view owns nothing
};

// So many threads compute from now on.
void set_threads(unsigned threads);

void to_floats(const uint16_t* from, float* to, int64_t count);
void to_halves(const float* from, uint16_t* to, int64_t count);

}  // namespace opkit::peers

#endif  // TESTS_BENCH_PEERS_CHAIN_H_
