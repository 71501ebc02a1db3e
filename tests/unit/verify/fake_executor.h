// An executor whose "kernel" is a C++ function, right or wrong: tests of the verifier need no chip.
#ifndef OPKIT_TESTS_UNIT_VERIFY_FAKE_EXECUTOR_H_
#define OPKIT_TESTS_UNIT_VERIFY_FAKE_EXECUTOR_H_

#include <cstring>
#include <functional>

#include "opkit/call/execute/executor.h"
#include "opkit/call/infer/infer.h"

namespace opkit::verify {

struct FakeCall {
  Ports& inputs;
  Ports& outputs;
  const AttrValues& attrs;
  unsigned threads;

  // As a kernel gets it: the waist hands floats over as float32.
  double attr(const std::string& name) const {
    return static_cast<double>(static_cast<float>(std::get<double>(attrs.at(name))));
  }
  Tensor& in(size_t port) { return inputs[port][0]; }
  Tensor& out(size_t port = 0) { return outputs[port][0]; }
};

class FakeExecutor : public Executor {
 public:
  using Kernel = std::function<void(FakeCall&)>;
  explicit FakeExecutor(Kernel kernel) : kernel_(std::move(kernel)) {}

  Result<Execution> run(Invocation invocation) override {
    ++runs;
    std::vector<PortFacts> facts;
    for (const auto& port : invocation.inputs) {
      PortFacts tensors;
      for (const Tensor& tensor : port) tensors.push_back({tensor.desc(), {}, std::nullopt});
      facts.push_back(std::move(tensors));
    }
    OPKIT_TRY(const Binding binding, bind_facts(*invocation.contract, facts, invocation.attrs));
    OPKIT_TRY(const std::vector<PortFacts> inferred, infer(*invocation.contract, binding));
    Execution execution;
    execution.inputs = std::move(invocation.inputs);
    for (const PortFacts& port : inferred) {
      std::vector<Tensor> tensors;
      for (const TensorFacts& known : port) {
        tensors.emplace_back(known.desc.dtype, known.desc.shape, known.desc.name);
        std::memset(tensors.back().data(), 0xff, tensors.back().size_bytes());
      }
      execution.outputs.push_back(std::move(tensors));
    }
    execution.column = binding.column;
    execution.block_dim = blocks;
    FakeCall call{execution.inputs, execution.outputs, binding.attrs, invocation.threads};
    kernel_(call);
    return execution;
  }
  std::string digest() const override { return "fake"; }

  int runs = 0;
  uint32_t blocks = 2;

 private:
  Kernel kernel_;
};

}  // namespace opkit::verify

#endif  // OPKIT_TESTS_UNIT_VERIFY_FAKE_EXECUTOR_H_
