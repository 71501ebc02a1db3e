// Expr: the integer expression language of contracts. The grammar is in docs/contract.md.
//
// An expression is parsed once, with positions, and evaluated against a Scope. Known operands give
// exact 64-bit results (overflow is an error); unknown and ranged operands give a Range that holds
// every possible result, and thereby three-valued truth.
#ifndef OPKIT_CONTRACT_EXPR_H_
#define OPKIT_CONTRACT_EXPR_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/contract/expr_type.h"
#include "opkit/contract/range.h"

namespace opkit {

// The value of a list: the dims of a prefix such as B.., a list attribute, the dims that a symbol
// takes over the tensors of a dynamic input.
struct ListValue {
  bool known_length = false;
  std::vector<Range> items;  // valid when known_length

  static ListValue of(const std::vector<int64_t>& values);
  bool is_known() const;
  bool operator==(const ListValue&) const = default;
};

// What names mean during evaluation.
struct Scope {
  std::map<std::string, Range> numbers;  // dims, int attributes; bool attributes as 0 and 1
  std::map<std::string, ListValue> lists;
  std::map<std::string, std::string> texts;  // string attributes
  std::map<std::string, Range> counts;       // tensors of each port: present(x), count(x)
  int instance = -1;                         // which tensor of a dynamic port N[] speaks of
  bool quiet = false;  // errors have their code alone: a search reads no more of them
};

class ExprNode;

class Expr {
 public:
  using Type = ExprType;
  // How a name is used.
  enum class Use { kNumber, kTruth, kList, kText, kPort };
  struct Name {
    std::string name;
    Use use;
    Location where;
  };

  // Parses one number or truth value. `where` is the position of the text's first character.
  static Result<Expr> parse(std::string_view text, const Location& where);
  // Parses a truth value; a bare name is a bool attribute.
  static Result<Expr> parse_condition(std::string_view text, const Location& where);
  // Parses a shape: items separated by commas, each a number or a list. Empty text is a scalar's
  // shape.
  static Result<std::vector<Expr>> parse_shape(std::string_view text, const Location& where);
  static Expr constant(int64_t value);

  Type type() const;
  const Location& where() const { return where_; }
  // Returns every name, in order of appearance.
  const std::vector<Name>& names() const { return names_; }
  // Canonical text: equal expressions up to blanks and needless parentheses print equally.
  std::string to_string() const;

  // Returns the symbol when the whole expression is a bare name ("N"), a prefix ("B.."), a
  // collapsible dim ("N|1") or a per-tensor dim ("N[]"); else empty.
  std::string bare_name() const;
  bool is_collapsible() const;  // N|1
  bool is_per_tensor() const;   // N[]
  bool is_constant() const;     // no names
  // Returns the conjuncts of "a and b and ..."; of a chained comparison its links. Itself
  // otherwise.
  std::vector<Expr> conjuncts() const;
  // When this is one comparison between a bare name and something, what it says about the name:
  // the range that the other side (evaluated in scope) leaves for it. Sets name.
  Range limit(const Scope& scope, std::string& name) const;

  // The list A and the other side when this is "rank(A) == side"; nothing else says a rank.
  struct StatedRank;
  std::optional<StatedRank> stated_rank() const;

  // REQUIRES: type() is kNumber or kTruth.
  Result<Range> evaluate(const Scope& scope) const;
  // REQUIRES: type() is kList.
  Result<ListValue> evaluate_list(const Scope& scope) const;

  explicit Expr(std::shared_ptr<const ExprNode> node, Location where);

 private:
  std::shared_ptr<const ExprNode> node_;
  Location where_;
  std::vector<Name> names_;
};

struct Expr::StatedRank {
  std::string list;
  Expr rank;
};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_H_
