// Matches in the graph before operators were folded into the weights of a Conv, as matches in the
// graph that is covered. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_UNFOLDED_H_
#define OPKIT_ATC_COMPILE_UNFOLDED_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/rewrite/match/match.h"

namespace opkit::compile {

class Unfolded {
 public:
  // Values of one name are equal in both graphs, which outlive this.
  Unfolded(const graph::Graph& unfolded, const match::Matcher& covered)
      : matcher_(unfolded), covered_(covered) {}

  // Returns what the op takes there and not in the covered graph, with the covered graph's nodes.
  // Constants that it reads may be missing there.
  match::Found find(const OpContract& contract) const;
  const graph::Graph& graph() const { return matcher_.graph(); }

 private:
  bool has_folded_operators(const OpContract& contract) const;
  std::optional<match::Match> translated(match::Match match) const;
  std::vector<size_t> left_of(const std::vector<size_t>& nodes) const;
  bool has_its_inputs(const match::Match& match) const;
  bool is_closed(const match::Match& match) const;
  bool keeps_to_itself(const match::Match& match) const;

  match::Matcher matcher_;
  const match::Matcher& covered_;
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_UNFOLDED_H_
