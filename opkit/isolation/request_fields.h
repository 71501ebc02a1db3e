// Requests, member by member, for wire.h.
#ifndef OPKIT_ISOLATION_REQUEST_FIELDS_H_
#define OPKIT_ISOLATION_REQUEST_FIELDS_H_

#include "opkit/isolation/engine_fields.h"
#include "opkit/isolation/question_fields.h"
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
void fields(A& a, isolation::QuestionAsked& v) {
  a(v.on, v.at, v.question);
}

}  // namespace opkit::wire

#endif  // OPKIT_ISOLATION_REQUEST_FIELDS_H_
