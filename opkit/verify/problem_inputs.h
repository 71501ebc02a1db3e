// The input tensors of a problem, and whether it can have any.
#ifndef OPKIT_VERIFY_PROBLEM_INPUTS_H_
#define OPKIT_VERIFY_PROBLEM_INPUTS_H_

#include <functional>
#include <optional>
#include <string>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Filled; dense, as the model's author sees them, whatever their format.
Result<Ports> make_inputs(const OpContract& contract, const Problem& problem);
// Holds inputs as addresses alone (Tensor::reserved), and what fills them where they get memory;
// inputs that the host reads have their values.
struct BlankInputs {
  Ports inputs;
  // Gives values as Invocation's `fill` does.
  std::function<void(size_t port, size_t tensor, Tensor& blank)> fill;
};
Result<BlankInputs> make_blanks(const OpContract& contract, const Problem& problem);
// The problem's call as one plans it: with the values of inputs that the host reads, without the
// others' elements. The facts borrow the values.
struct ProblemFacts {
  Ports values;
  CallFacts facts;
};
Result<ProblemFacts> make_facts(const OpContract& contract, const Problem& problem);

// Checks whether the contract allows the call: shapes, attributes, constraints that are decided
// without data. Error: why it does not.
Status check_legal(const OpContract& contract, const Problem& problem);

// Why this combination of chip, column and shapes cannot be tested: the chip lacks a dtype, or a
// tensor has no layout in its format. Empty when it can. A problem without symbols is asked about
// chip and dtypes alone.
std::string not_on_chip(const OpContract& contract, const Problem& problem);

// Elements of all tensors together as they are stored, padding included; nothing when there are no
// shapes, or no layouts for them.
std::optional<int64_t> stored_elements(const OpContract& contract, const Problem& problem);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_INPUTS_H_
