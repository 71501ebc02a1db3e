// Matches in another form of a graph, as a quantised model's in whole numbers, as matches in the
// graph that is covered. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_WRITTEN_FORM_H_
#define OPKIT_ATC_COMPILE_WRITTEN_FORM_H_

#include <optional>
#include <set>
#include <string>

#include "opkit/rewrite/match/match.h"

namespace opkit::compile {

class WrittenForm {
 public:
  // Finds matches in `form` for the graph of `covered`. REQUIRES: both graphs outlive this, and a
  // name means equal values in both.
  WrittenForm(const graph::Graph& form, const match::Matcher& covered)
      : matcher_(form), covered_(covered) {}

  // Returns what the op takes there and not in the covered graph, with the covered graph's nodes.
  // Constants that it reads may be missing there. Near misses, of which some say little, are at
  // nodes of the covered graph.
  match::Found find(const OpContract& contract) const;
  const graph::Graph& graph() const { return matcher_.graph(); }

 private:
  bool is_news(const match::Match& match) const;
  bool has_its_inputs(const match::Match& match) const;
  // Nodes of the covered graph between a match's inputs and outputs; or what keeps the op out.
  struct Region {
    std::vector<size_t> nodes;
    std::optional<match::Refusal> refusal;
  };
  Region region_of(const match::Match& match) const;
  bool grow(const std::string& value, const std::set<std::string>& given,
            std::set<size_t>& nodes) const;
  std::optional<match::Refusal> check(const match::Match& match,
                                      const std::vector<size_t>& nodes) const;
  size_t place_of(size_t node) const;

  match::Matcher matcher_;
  const match::Matcher& covered_;
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_WRITTEN_FORM_H_
