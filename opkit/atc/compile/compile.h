// The emulated ATC: a model and a chip to an offline model.
#ifndef OPKIT_ATC_COMPILE_COMPILE_H_
#define OPKIT_ATC_COMPILE_COMPILE_H_

#include "opkit/atc/compile/compiled.h"

namespace opkit::compile {

// Does what compile does first, for those who cover a model in several variants. Errors: those of
// prepare and of the steps.
Result<Coverable> coverable(graph::Graph graph, const InstalledOps& ops, const Options& options);
// Sets candidates and cover, of which nothing is set before. Errors: those of find_candidates and
// cover.
Status cover_form(Coverable& form, const InstalledOps& ops, const Options& options);

// The graph is one that a front end made. Errors: those of prepare, find_candidates, cover and
// schedule.
Result<Compiled> compile(graph::Graph graph, const InstalledOps& ops, const Options& options);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_COMPILE_H_
