// What programs include of installed ops. aclnn_<op>.h: the two calls of an op, as C functions.
#ifndef OPKIT_BUILD_PROJECT_NN_HEADER_H_
#define OPKIT_BUILD_PROJECT_NN_HEADER_H_

#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"
#include "registry/registry.h"

namespace opkit::project {

struct NnHeader {
  std::string name;  // "aclnn_add_relu.h"
  std::string text;
};

// Names and order of parameters follow the vendor's rules for generated calls: inputs, attributes,
// outputs; <name>Optional, <name>Ref for an input that an output replaces, out or <name>Out; arrays
// for value-dependent inputs. Error: OPK-CC-012, an attribute that no parameter can be.
Result<NnHeader> nn_header(const OpContract& contract);
// Ops whose names differ in case alone, as GEMM and Gemm, have one header: the vendor's spelling of
// its name is the same.
void add_header(NnHeader header, std::vector<NnHeader>& all);

// Calls of every op that vendors have installed. Ops of the built-in part have none: the vendor's
// own calls of that name take other arguments. Ops without a header are left out, each with the
// error. op_proto.h has classes for the built-in part's, too.
struct OpHeaders {
  std::vector<NnHeader> calls;
  Errors left_out;
  std::string op_proto;
};
OpHeaders op_headers(const registry::Registry& registry);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_NN_HEADER_H_
