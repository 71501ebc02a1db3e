// Questions and what only their answers hold, member by member, for wire.h.
#ifndef OPKIT_ISOLATION_QUESTION_FIELDS_H_
#define OPKIT_ISOLATION_QUESTION_FIELDS_H_

#include "opkit/call/execute/question.h"
#include "opkit/isolation/engine_fields.h"

namespace opkit::wire {

template <typename A>
void fields(A& a, DryQuestion& v) {
  a(v.watch);
}

template <typename A>
void fields(A& a, InPlace& v) {
  a(v.output, v.input);
}

template <typename A>
void fields(A& a, InPlaceQuestion& v) {
  a(v.pair);
}

template <typename A>
void fields(A& a, CostOptions& v) {
  a(v.most_instructions, v.of_unmeasured_chips);
}

template <typename A>
void fields(A& a, CostQuestion& v) {
  a(v.options);
}

template <typename A>
void fields(A& a, CoverQuestion& v) {
  a.choice(v.kind, 3);
  a.choice(v.computed, 3);
}

template <typename A>
void fields(A& a, WritersQuestion& v) {
  a(v.port, v.tensor, v.element);
}

}  // namespace opkit::wire

#endif  // OPKIT_ISOLATION_QUESTION_FIELDS_H_
