// Shape and dtype inference from a contract: pure functions on the contract and facts.
#ifndef OPKIT_CALL_INFER_INFER_H_
#define OPKIT_CALL_INFER_INFER_H_

#include <span>
#include <string>
#include <vector>

#include "opkit/call/infer/binding.h"

namespace opkit {

class Json;

// Returns the outputs, one entry per output port: one tensor each, or as many as a dynamic output's
// count. Dims that the facts leave open are -1 with their range; an unknown number of dims, and an
// opaque shape, is the unknown rank.
Result<std::vector<PortFacts>> infer(const OpContract& contract, const Binding& binding);
Result<std::vector<PortFacts>> infer(const OpContract& contract, std::span<const PortFacts> inputs,
                                     const AttrValues& attrs);

// Infers the common case: static inputs in order, all outputs in order.
Result<std::vector<TensorDesc>> infer(const OpContract& contract,
                                      std::span<const TensorDesc> inputs,
                                      const AttrValues& attrs = {});

// Shapes made from symbol values, the way from a test case to tensors. Absent ports have none.
struct ConcreteShapes {
  std::vector<std::vector<Shape>> inputs;   // one entry per input port
  std::vector<std::vector<Shape>> outputs;  // one entry per output port; opaque: the unknown rank
};
// Every symbol of a present input needs a value. Constraints are not checked: a verifier asks for
// shapes that break them, too (see judge_constraints and check_constraints).
Result<ConcreteShapes> shapes_from_symbols(const OpContract& contract, const SymbolValues& values,
                                           const AttrValues& attrs);

// Returns the range of an input's element values ('values' in the contract) for known symbols;
// nullopt when the contract states none.
Result<std::optional<std::pair<double, double>>> value_range(const Port& input, const Scope& scope);

// Returns what `opkit infer` prints.
std::string infer_text(const OpContract& contract, std::span<const PortFacts> inputs,
                       const Binding& binding, std::span<const PortFacts> outputs);
Json infer_json(const OpContract& contract, std::span<const PortFacts> inputs,
                const Binding& binding, std::span<const PortFacts> outputs);

}  // namespace opkit

#endif  // OPKIT_CALL_INFER_INFER_H_
