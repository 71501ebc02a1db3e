// Precision modes: which nodes of a model compute in another element type than the model says, and
// the casts around them.
#ifndef OPKIT_ATC_COMPILE_PRECISION_H_
#define OPKIT_ATC_COMPILE_PRECISION_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

enum class PrecisionMode : uint8_t {
  kOrigin,      // the model's types
  kHalf,        // float16 wherever an op has it
  kSingle,      // float32 wherever an op has it
  kAllowHalf,   // float16 in products, and where no op has float32
  kAllowBrain,  // bfloat16 where no op has float32
  kMixedHalf,   // float16 in products, and behind them
  kMixedBrain,  // bfloat16 in products, and behind them
};

struct PrecisionOptions {
  PrecisionMode mode = PrecisionMode::kOrigin;
  std::set<std::string> keep_nodes, keep_types;  // what computes in the model's types
};

// --precision_mode and --precision_mode_v2. Error: E10001 another mode, or one that is not there.
Result<PrecisionMode> parse_precision_mode(std::string_view text);
Result<PrecisionMode> parse_precision_mode_v2(std::string_view text);

// Reads --keep_dtype: a line for each name of a node, or OpType::Softmax for every node of a type.
// Error: E10001 with the line that names nothing in the graph.
Status read_kept(std::string_view text, const std::string& file, const graph::Graph& graph,
                 PrecisionOptions& options);

// The code of warnings of values that a type cannot hold.
inline constexpr const char* kOverflows = "OPK-ATC-003";

// What a node computed before, and where its results are now.
struct Converted {
  std::string node, op_type;
  DType to = DType::kUndefined;
  std::vector<std::string> values;  // its operands and results before
  bool as_written = false;          // the model itself says the type
};

// What a mode came to.
struct PrecisionChanges {
  std::vector<Converted> converted;
  // Nodes, by operator, that the mode means and that no contract covers in its type. The modes
  // that allow a type mean none.
  std::map<std::string, size_t> unserved;
};

// Returns what the mode asks for. REQUIRES: not kOrigin.
DType type_of(PrecisionMode mode);

// Lets nodes compute in the type that the mode says where the reference of some contract covers
// them in that type, with a Cast where types meet; constants are converted. Inputs and outputs of
// the graph keep their types. Matching alone is asked: a plan may still refuse. Does the same to
// `unfolded`, the graph before anything was folded into weights, which has no nodes where nothing
// was. REQUIRES: the graph is canonical.
Result<PrecisionChanges> set_precision(graph::Graph& graph, graph::Graph& unfolded,
                                       const std::vector<const OpContract*>& contracts,
                                       const PrecisionOptions& options);

// Returns the nodes whose results the graph itself has in 16 bits, each with these results.
std::vector<Converted> written_in_16_bits(const graph::Graph& graph);

// Calibration: values of `before`, the graph in front of set_precision, for one set of inputs, that
// a converted node's type cannot hold. Warnings OPK-ATC-003, one per node; constants are judged
// without inputs, too.
Result<Errors> find_overflows(const graph::Graph& before, const std::vector<Converted>& converted,
                              const std::map<std::string, graph::RefTensor>& inputs);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_PRECISION_H_
