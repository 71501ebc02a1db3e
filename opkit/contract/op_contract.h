// OpContract: everything an op_contract.yaml says, parsed and checked. The law is docs/contract.md.
//
// An OpContract that parse() or load() returned satisfies every rule of the law; whoever reads one
// may rely on it: names resolve, the reference is a DAG in file order that defines every output,
// columns have equal length, defaults lie in their ranges, every case meets every constraint.
#ifndef OPKIT_CONTRACT_OP_CONTRACT_H_
#define OPKIT_CONTRACT_OP_CONTRACT_H_

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/base/tensor.h"
#include "opkit/contract/attr.h"
#include "opkit/contract/expr.h"

namespace opkit {

enum class Presence { kRequired, kOptional, kDynamic };
std::string_view name_of(Presence presence);

// The shape of a port: dims and lists. Opaque: of an output, only the author's InferShape knows it,
// or it is that of the input whose memory it takes; of a dynamic input, each tensor has its own.
struct ShapeSpec {
  std::string text;
  std::vector<Expr> items;
  bool opaque = false;
  Location where;
};

// One end of the range of an input's element values: a number or an expression over symbols.
using ValueBound = std::variant<double, Expr>;

// An input or output.
struct Port {
  std::string name;
  Presence presence = Presence::kRequired;
  bool is_output = false;
  std::string dtype_text;       // is as written: "T" or "float16"
  std::string format_text;      // is as written: "ND", "F", "[ND, NC1HWC0]"
  std::vector<DType> dtypes;    // one per column
  std::vector<Format> formats;  // one per column
  ShapeSpec shape;
  std::string inplace;        // names the input whose memory an output takes
  bool value_depend = false;  // says whether the host knows an input's values
  bool written = false;  // says whether the kernel writes into an input; what it leaves is a result
  std::optional<Expr> count;  // counts the tensors of a dynamic output
  std::optional<std::pair<ValueBound, ValueBound>> values;  // element values, both ends included
  Elements elements = Elements::kAny;  // tells how an input's values along the last axis depend
  std::string doc;
  Location where;
};

// A where constraint.
struct Constraint {
  std::string label;  // "C1"
  Expr rule;
  std::string text;  // is as written
  std::string why;   // the author's reason, or empty
  Location where;
};

// A name that the inputs' shapes bind.
struct Symbol {
  enum class Kind {
    kDim,        // M
    kList,       // B..: any number of dims
    kPerTensor,  // N[]: one dim for each tensor of a dynamic input
  };
  std::string name;
  Kind kind = Kind::kDim;
  std::string port;                 // the input that binds it first
  Range bounds = Range::any_dim();  // what the constraints leave for it; of each dim of a list
  Location where;
};

// An operand of a reference node.
struct Operand {
  enum class Kind {
    kTensor,    // name: an input of the op or the output of an earlier node
    kConstant,  // {const: 0.5}: a scalar (or a 1-D list) with the dtype of the node's first tensor
    kAttr,      // $name: the attribute as a scalar or a 1-D tensor
    kShape,     // {shape: "prod(B), N"}: a 1-D int64 tensor
    kAbsent,    // "": an optional operand that is left out
  };
  Kind kind = Kind::kTensor;
  std::string name;              // names a kTensor or kAttr
  std::vector<double> constant;  // holds the values of a kConstant
  bool is_scalar = true;         // says of a kConstant that it has no dims
  std::optional<DType> dtype;    // is set where a kConstant states it
  std::vector<Expr> shape;       // holds the dims of a kShape
  Location where;
};

// The value of a reference node's attribute: a literal, or the contract's attribute of that name.
struct NodeAttr {
  std::optional<AttrValue> literal;
  std::string attr;  // "$alpha" without the dollar; empty for a literal
  Location where;
};

// One ONNX operator of the reference.
struct ReferenceNode {
  std::string op;
  std::vector<Operand> in;
  std::vector<std::string> out;
  std::map<std::string, NodeAttr> attrs;
  // When present and false for a call, the node is skipped; its output is the tensor `otherwise`,
  // or without one absent, as an optional input may be.
  std::optional<Expr> when;
  std::string otherwise;
  // The results are rounded to this type, as a kernel does that keeps them in memory: one dtype per
  // column, empty when nothing is stated.
  std::string store_text;  // is what the contract says
  std::vector<DType> store;
  Location where;
};

// Other operators that mean the same as the reference: exporters write one computation in several
// ways. A pattern beside the reference, never the oracle.
struct Spelling {
  std::string name;
  AttrValues attrs;  // it stands for the calls that have these; for every call when there are none
  std::vector<ReferenceNode> reference;  // holds nodes in evaluation order
  Location where;
};

struct NumericPolicy {
  enum class Overflow { kInf, kSaturate };
  enum class Nan { kPropagate, kIgnore, kUnspecified };
  enum class Order { kAny, kFixed };
  std::optional<DType> accumulate;  // absent: the dtype of the data
  Overflow overflow = Overflow::kInf;
  std::string rounding = "rint";  // rint, floor, ceil, round, trunc, odd
  Nan nan = Nan::kPropagate;
  Order order = Order::kAny;
};

// A tolerance that replaces the derived one: a result may differ from the exact one by
// absolute + value * |exact| before it is rounded to its type. The reason is shown wherever it is
// used.
struct Tolerance {
  double value = 0;  // relative
  double absolute = 0;
  std::string reason;
  std::string types;          // the columns as written, "T=float16"; empty: every one
  std::vector<bool> columns;  // whether it holds there, one per column
  Location where;
};

struct KernelInfo {
  std::string entry;      // name of the kernel function
  std::string task_type;  // aiv_only, aic_only, mix_1_1, mix_1_2, mix_aic_1_0, mix_aiv_1_0
  std::vector<int64_t> tiling_keys;  // every key that tiling may choose; empty: not stated
  Location where;
};

// Values for the free symbols of a contract: what makes a problem's shapes.
struct SymbolValues {
  std::map<std::string, int64_t> dims;
  std::map<std::string, std::vector<int64_t>> lists;  // kList and kPerTensor symbols
  std::map<std::string, int64_t> counts;  // tensors of a dynamic input (else: length of its lists)
  std::set<std::string> absent;           // optional inputs that are left out
  std::set<std::string> collapsed;        // "bias:0": axis 0 of bias, written N|1, is 1

  bool operator==(const SymbolValues&) const = default;
};

// A test or benchmark case.
struct Case {
  SymbolValues symbols;
  AttrValues attrs;  // others take their defaults
  Location where;
};

class OpContract {
 public:
  OpContract();
  OpContract(const OpContract&);
  OpContract(OpContract&&) noexcept;
  OpContract& operator=(const OpContract&);
  OpContract& operator=(OpContract&&) noexcept;
  ~OpContract();

  static Result<OpContract> load(const std::filesystem::path& path);
  // The first error, if there is any.
  static Result<OpContract> parse(std::string_view text, std::string name);
  struct Checked;
  // Every error and warning.
  static Checked check(std::string_view text, std::string name);

  std::string op;       // CamelCase type
  std::string version;  // "1.2.0"
  std::string doc;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<Attr> attrs;
  std::vector<Constraint> where;
  std::vector<Symbol> symbols;  // holds symbols in order of first appearance
  // Columns: the value of each dtype and format variable, column by column.
  std::map<std::string, std::vector<DType>> types;
  std::map<std::string, std::vector<Format>> formats;
  std::vector<ReferenceNode> reference;  // holds nodes in evaluation order
  std::vector<Spelling> spellings;
  std::string no_reference;         // why there is none; empty when there is one
  std::vector<std::string> golden;  // beside `none`: .npz files of calls and their results
  NumericPolicy numeric;
  std::vector<Tolerance> tolerances;
  std::vector<std::string> soc;  // full or short names; empty: every SoC
  std::optional<KernelInfo> kernel;
  std::vector<Case> tests;
  std::vector<std::string> test_values;  // data classes that the tests must include
  std::vector<Case> bench;
  Location location;  // tells where `op:` stands
  std::string text;   // the source

  const Port* input(std::string_view name) const;
  const Port* output(std::string_view name) const;
  const Attr* attr(std::string_view name) const;
  const Symbol* symbol(std::string_view name) const;
  const Constraint* constraint(std::string_view label) const;
  bool has_dynamic_inputs() const;
  // Returns the first tolerance that holds in the column; null: the bound is derived.
  const Tolerance* tolerance_of(size_t column) const;

  size_t column_count() const { return columns_; }
  // "T=float16, F=ND"; "" for a contract without variables.
  std::string column_name(size_t column) const;
  // Returns the column whose input dtypes are these, one per input port, kUndefined for an absent
  // input; for a dynamic input the dtype of its tensors. The error lists the nearest legal rows.
  Result<size_t> column_for(std::span<const DType> dtypes) const;
  // Finds the column by dtypes and formats; only this one is unambiguous where columns share
  // dtypes.
  Result<size_t> column_for(std::span<const DType> dtypes, std::span<const Format> formats) const;

  // Defaults filled in, every value checked; unknown and missing attributes are errors.
  Result<AttrValues> complete(const AttrValues& given) const;
  // Returns an Error that points into this contract.
  Error error(std::string code, std::string message, std::string action = {}) const;

 private:
  friend class ContractReader;
  bool same_results(size_t a, size_t b) const;

  size_t columns_ = 1;
};

struct OpContract::Checked {
  std::optional<OpContract> contract;  // absent when there is an error
  Errors messages;                     // errors and warnings, in file order

  bool ok() const { return contract.has_value(); }
};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_OP_CONTRACT_H_
