// OneDnnModel: a canonical graph of convolutions, ReLU, sums, pools and a linear end, as oneDNN
// runs it on the host: layouts by its own choice, weights laid out once, ReLU and residual sums
// fused into the convolutions. The peer of whole models.
#ifndef OPKIT_TESTS_BENCH_ONEDNN_MODEL_H_
#define OPKIT_TESTS_BENCH_ONEDNN_MODEL_H_

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>

#include "opkit/graph/graph.h"

namespace opkit::bench {

class OneDnnModel {
 public:
  // Computes in `type`, f32 or bf16; inputs and outputs are float. Throws
  // std::invalid_argument for a graph with other operators.
  OneDnnModel(const graph::Graph& graph, dnnl::memory::data_type type);

  // As many elements as the graph's only input and output have.
  void run(const float* x, float* y);

 private:
  using Arguments = std::unordered_map<int, dnnl::memory>;
  struct Step {
    dnnl::primitive primitive;
    Arguments arguments;
  };
  // What is computed behind a convolution in the same primitive.
  struct Tail {
    std::string value, summand;  // the result; empty: no sum
    bool relu = false;
  };

  void lower(const graph::Node& node);
  void convolution(const graph::Node& node);
  void pool(const graph::Node& node);
  void linear(const graph::Node& node);
  Tail tail_of(const graph::Node& node);
  const graph::Node* only_reader(const std::string& value) const;
  bool is_last_use(const std::string& value, const graph::Node& reader) const;
  dnnl::memory constant(const std::string& name, const dnnl::memory::dims& dims,
                        dnnl::memory::format_tag tag, dnnl::memory::data_type type,
                        const dnnl::memory::desc& wanted);
  dnnl::memory in_layout(const dnnl::memory& from, const dnnl::memory::desc& wanted);
  dnnl::memory::dims dims_of(const std::string& value) const;
  void finish(const std::string& output);

  const graph::Graph& graph_;  // while it is lowered
  dnnl::memory::data_type type_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::memory input_, output_;
  std::map<std::string, dnnl::memory> values_;
  std::set<const graph::Node*> taken_;  // lowered, or in the primitive of an earlier node
  std::vector<Step> steps_;
};

}  // namespace opkit::bench

#endif  // OPKIT_TESTS_BENCH_ONEDNN_MODEL_H_
