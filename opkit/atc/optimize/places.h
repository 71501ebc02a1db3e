// Where variants can be applied in a graph, alike places together: the layers of a network repeat,
// and what pays in one pays in all. Private to this folder.
#ifndef OPKIT_ATC_OPTIMIZE_PLACES_H_
#define OPKIT_ATC_OPTIMIZE_PLACES_H_

#include <string>
#include <vector>

#include "opkit/rewrite/variants/variant.h"

namespace opkit::optimize {

struct AlikePlaces {
  const variants::Variant* variant = nullptr;
  std::vector<std::string> places;  // follow the order of nodes
  std::string key;                  // variant, operators and dims around each place
};

// Lists them in the order of variants, then of first places.
std::vector<AlikePlaces> alike_places(const graph::Graph& graph,
                                      const std::vector<variants::Variant>& variants);

}  // namespace opkit::optimize

#endif  // OPKIT_ATC_OPTIMIZE_PLACES_H_
