// ChainOp: what a chain is as an op: its name, which says what it is made of, and its sources.
#ifndef OPKIT_FUSION_GENERATE_CHAIN_OP_H_
#define OPKIT_FUSION_GENERATE_CHAIN_OP_H_

#include <functional>
#include <map>
#include <string>

#include "opkit/base/dtype.h"
#include "opkit/build/project/sdk.h"
#include "opkit/build/project/template_copy.h"
#include "opkit/fusion/author/op_files.h"

namespace opkit::generate {

struct ChainOp {
  project::TemplateNames names;
  std::string operators;                     // "Add, Mul"
  std::map<std::string, std::string> files;  // is keyed by path in the project
};

// Digests everything a kernel of this kit is made of: the kit's version, its headers, the parts
// that ops share. Error: of a file that cannot be read.
Result<std::string> digest_of_kit(const project::Sdk& sdk);

// Chains of the same operators, wired alike, are one op, whatever their dims: these count in so far
// as an input has those of the result. Another chip or kit gives it another name. Error:
// names_for's.
Result<ChainOp> op_of(const author::ElementwiseRegion& region, DType dtype, const std::string& soc,
                      const std::string& kit);

// Who writes a chain's op: op_of, unless a test wants another one.
using ChainWriter =
    std::function<Result<ChainOp>(const author::ElementwiseRegion& region, DType dtype,
                                  const std::string& soc, const std::string& kit)>;

}  // namespace opkit::generate

#endif  // OPKIT_FUSION_GENERATE_CHAIN_OP_H_
