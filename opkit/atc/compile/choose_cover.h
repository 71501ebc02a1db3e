// The cover of a model at least modelled cost, with the formats of what lies between ops. Private
// to this folder.
#ifndef OPKIT_ATC_COMPILE_CHOOSE_COVER_H_
#define OPKIT_ATC_COMPILE_CHOOSE_COVER_H_

#include "opkit/atc/compile/compiled.h"

namespace opkit::compile {

// Sets the cover and what is known of costs. The chosen candidates' times are without the turning
// that they save. Errors: those of Costs::of and cover.
Status choose_cover(Compiled& compiled, const Options& options);

// "optimal"; where formats could not be chosen with it, that, too.
std::string cover_statement(const Compiled& compiled);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_CHOOSE_COVER_H_
