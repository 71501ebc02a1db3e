// Requests, member by member, for wire.h.
#ifndef OPKIT_ISOLATION_REQUEST_FIELDS_H_
#define OPKIT_ISOLATION_REQUEST_FIELDS_H_

#include "opkit/isolation/engine_fields.h"
#include "opkit/isolation/requests.h"

namespace opkit::wire {

template <typename A>
void fields(A& a, isolation::Slot& v) {
  a(v.pages_at, v.pages_bytes, v.at, v.bytes, v.room, v.writable);
}

template <typename A>
void fields(A& a, isolation::Placement& v) {
  a(v.inputs, v.outputs, v.tiling, v.defined);
}

template <typename A>
void fields(A& a, isolation::OnMachine& v) {
  a(v.plan, v.threads, v.room, v.schedule_seed);
}

template <typename A>
void fields(A& a, isolation::LaunchAsked& v) {
  a(v.on, v.at, v.watch, v.keep_workspace);
}

template <typename A>
void fields(A& a, CostOptions& v) {
  a(v.most_instructions, v.of_unmeasured_chips);
}

template <typename A>
void fields(A& a, isolation::CostAsked& v) {
  a(v.on, v.options);
}

template <typename A>
void fields(A& a, isolation::DryAsked& v) {
  a(v.on, v.watch);
}

template <typename A>
void fields(A& a, InPlace& v) {
  a(v.output, v.input);
}

template <typename A>
void fields(A& a, isolation::InPlaceAsked& v) {
  a(v.on, v.pair);
}

template <typename A>
void fields(A& a, isolation::CoverAsked& v) {
  a(v.on, v.real, v.at);
  a.choice(v.answer, 3);
}

template <typename A>
void fields(A& a, isolation::WritersAsked& v) {
  a(v.on, v.at, v.port, v.tensor, v.element);
}

}  // namespace opkit::wire

#endif  // OPKIT_ISOLATION_REQUEST_FIELDS_H_
