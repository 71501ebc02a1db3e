// Equal dims: shapes at which a kernel that takes one dim, or one axis, for another one cannot be
// told from the right one by sizes alone, and goes wrong only where it asks "is this dim that
// one?".
#ifndef OPKIT_VERIFY_PROBLEM_EQUAL_DIMS_H_
#define OPKIT_VERIFY_PROBLEM_EQUAL_DIMS_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {

// Returns the dims of inputs that may be 1 in place of their symbol: "bias:0".
std::vector<std::string> collapsible_dims(const OpContract& contract);

// Every pair of a contract's symbols equal in turn, under every broadcast form: dims that may
// collapse, lists that broadcast to each other. Then the same with 1 in place of the size.
class EqualDims {
 public:
  explicit EqualDims(const OpContract& contract);

  // Values for the next ones that are legal with these attributes; nothing when all were met.
  std::optional<SymbolValues> next(const Domain& domain, const AttrValues& attrs, Draws& draws);
  // Returns any of the equal dims; nothing when it is not legal.
  std::optional<SymbolValues> any(const Domain& domain, const AttrValues& attrs,
                                  Draws& draws) const;

 private:
  // Dims and lists that take the size; in a list 0 stands for it, 1 for itself.
  struct Tie {
    std::vector<std::string> dims;
    std::vector<std::pair<std::string, std::vector<int64_t>>> lists;
    std::set<std::string> collapsed;
    bool ones = false;
  };

  void tie_dims(const std::set<std::string>& collapsed, bool ones);
  void tie_lists(bool ones);
  std::optional<SymbolValues> solved(const Tie& tie, const Domain& domain, const AttrValues& attrs,
                                     Draws& draws) const;
  int64_t fitting(const Tie& tie, int64_t size, const Domain& domain) const;

  const OpContract& contract_;
  std::vector<std::string> dims_, lists_;
  std::vector<Tie> ties_;
  size_t next_ = 0;
  mutable int searches_left_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_EQUAL_DIMS_H_
