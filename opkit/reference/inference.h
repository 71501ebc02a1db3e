// Types and shapes of results, as the operators of several families infer them.
//
// A function sees an OperatorCall whose inputs have dtype and shape; `call.known(i)` tells whether
// input i has values, too. Shapes that depend on values which are not known are no error: they are
// absent.
#ifndef OPKIT_REFERENCE_INFERENCE_H_
#define OPKIT_REFERENCE_INFERENCE_H_

#include <optional>
#include <vector>

#include "opkit/reference/call.h"

namespace opkit::reference {

// One per output that the operator may have; more than the node asks for are fine.
using DTypes = std::vector<DType>;
using Shapes = std::optional<std::vector<Shape>>;

Result<DTypes> first_type(const OperatorCall& call);   // is the type of input 0, whatever it is
Result<DTypes> same_type(const OperatorCall& call);    // one dtype for all inputs and the result
Result<DTypes> number_type(const OperatorCall& call);  // is same_type's, but not bool
Result<DTypes> float_type(const OperatorCall& call);   // is input 0's type, a float
Result<DTypes> same_float_type(const OperatorCall& call);  // one float type for all
Result<DTypes> first_type_at_integers(
    const OperatorCall& call);                                // inputs behind it must be integers
Result<DTypes> signed_type(const OperatorCall& call);         // is input 0's: float or integer
Result<DTypes> truth_of_same_type(const OperatorCall& call);  // bool from operands of one dtype

Result<Shapes> first_shape(const OperatorCall& call);
Result<Shapes> broadcast_all(const OperatorCall& call);

// Shapes with one result.
Result<Shapes> one(Shape shape);
// Like one(), after OperatorCall::check_size.
Result<Shapes> checked(const OperatorCall& call, Shape shape);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_INFERENCE_H_
