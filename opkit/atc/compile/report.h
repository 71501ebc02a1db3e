// What a compilation came to, for people and programs.
#ifndef OPKIT_ATC_COMPILE_REPORT_H_
#define OPKIT_ATC_COMPILE_REPORT_H_

#include <string>

#include "opkit/atc/compile/compile.h"

namespace opkit {
class Json;
}

namespace opkit::compile {

// Nodes, kernels, host steps by name, cover, modelled time, memory.
std::string summary_text(const Compiled& compiled);
Json summary_json(const Compiled& compiled);

// Per node: who took it, at which cost, who could have, and who declined and why.
std::string explain_text(const Compiled& compiled);
Json explain_json(const Compiled& compiled);

// Returns the vendor's fusion_result.json: per op of several nodes how often it matched and was
// chosen.
Json fusion_result(const Compiled& compiled);

// Graphviz: the graph as it was imported, and as it was covered, with fused regions and the bytes
// of each value.
std::string picture_before(const Compiled& compiled);
std::string picture_after(const Compiled& compiled);
// SVG: the same, with names, dims, types and modelled times in the boxes; a fused region is one.
std::string svg_before(const Compiled& compiled);
std::string svg_after(const Compiled& compiled);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_REPORT_H_
