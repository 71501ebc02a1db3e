// What a launch says, member by member, for wire.h. Source positions stay addresses of the worker,
// which only it can name.
#ifndef OPKIT_ISOLATION_ENGINE_FIELDS_H_
#define OPKIT_ISOLATION_ENGINE_FIELDS_H_

#include "opkit/base/debug/source_line.h"
#include "opkit/base/wire.h"
#include "opkit/call/execute/plan_launch.h"
#include "opkit/call/plan/plan_cost.h"
#include "opkit/call/plan/watch.h"

namespace opkit::wire {

template <typename A>
void fields(A& a, Location& v) {
  a(v.file, v.line, v.column);
}

template <typename A>
void fields(A& a, Error& v) {
  a(v.code, v.message, v.where, v.op, v.constraint, v.action, v.trail);
  a.choice(v.severity, 3);
}

template <typename A>
void fields(A& a, debug::SourceLine& v) {
  a(v.file, v.line, v.function);
}

template <typename A>
void fields(A& a, core::Fault& v) {
  a(v.code, v.message, v.instruction, v.action, v.block, v.sub_block, v.pc, v.other_pc, v.warning,
    v.resumable);
}

template <typename A>
void fields(A& a, core::LaunchReport& v) {
  a(v.faults, v.warnings, v.printed);
}

template <typename A>
void fields(A& a, core::FindingPlace& v) {
  a(v.pc, v.instruction, v.operands, v.block, v.sub_block, v.occurrence);
}

template <typename A>
void fields(A& a, core::BufferLine& v) {
  a(v.where, v.what, v.made_pc, v.first_use_pc, v.last_use_pc);
}

template <typename A>
void fields(A& a, core::Finding& v) {
  a(v.code, v.message, v.action, v.warning, v.note, v.at, v.other, v.near, v.count, v.buffers);
}

template <typename A>
void fields(A& a, core::CheckedReport& v) {
  a(v.findings);
}

template <typename A>
void fields(A& a, core::PipeTimes& v) {
  a(v.busy, v.waiting_for, v.waiting_for_cores, v.instructions);
}

template <typename A>
void fields(A& a, core::Traffic& v) {
  a(v.gm_to_ub, v.gm_to_l1, v.ub_to_gm, v.l1_to_gm, v.l0c_to_gm, v.l0c_to_l1, v.l1_to_l0a,
    v.l1_to_l0b, v.l1_to_other, v.ub_to_l1, v.ub_to_ub, v.vector_read, v.vector_write, v.scalar,
    v.l2_read_hits, v.l2_read_misses, v.l2_write_hits, v.l2_write_misses, v.hbm_read, v.hbm_write,
    v.cube_operations, v.vector_operations, v.bank_conflict_cycles);
}

template <typename A>
void fields(A& a, core::TensorTraffic& v) {
  a(v.name, v.read, v.written);
}

template <typename A>
void fields(A& a, core::CoreTimes& v) {
  a(v.block, v.sub_block, v.kind, v.start, v.end, v.pipes, v.traffic);
  for (uint32_t& bytes : v.peak_bytes) a(bytes);
}

template <typename A>
void fields(A& a, core::InstructionTotals& v) {
  a(v.count, v.cycles, v.bytes);
}

template <typename A>
void fields(A& a, core::Span& v) {
  a(v.core, v.pipe, v.start, v.end, v.pc, v.bytes, v.waits_for, v.giver_pc);
  a.name(v.name);
  a.name(v.giver);
}

// Without the chip's figures, which the reader has.
template <typename A>
void fields(A& a, core::TimedResult& v) {
  a(v.block_dim, v.task_type, v.kernel, v.cycles, v.task_ns, v.cores, v.traffic, v.tensors,
    v.instructions, v.spans);
  for (const core::Span& span : v.spans) {
    if (span.core >= v.cores.size() || span.pipe >= core::kTimedPipes) {
      if constexpr (requires { a.refuse(""); }) a.refuse("a span of no core or pipe");
    }
  }
  for (const auto& [what, totals] : v.instructions) {
    if (what.first >= core::kTimedPipes) {
      if constexpr (requires { a.refuse(""); }) a.refuse("an instruction of no pipe");
    }
  }
}

template <typename A>
void fields(A& a, Watched& v) {
  a(v.report, v.checked, v.timed);
}

template <typename A>
void fields(A& a, core::CheckedOptions& v) {
  a(v.automatic_order, v.races, v.initialisation, v.needless_sync, v.poison, v.numerics,
    v.flag_cycles, v.barrier_cycles, v.vector_barrier_cycles, v.capacity_percent);
}

template <typename A>
void fields(A& a, core::TimedOptions& v) {
  a(v.spans, v.warm_runs, v.uncached);
}

template <typename A>
void fields(A& a, WatchOptions& v) {
  a.choice(v.mode, 3);
  a(v.checked, v.timed, v.of_unmeasured_chips, v.weighs);
}

template <typename A>
void fields(A& a, core::DryReport& v) {
  a(v.asked_for_data, v.needs_data, v.cut, v.instructions);
}

template <typename A>
void fields(A& a, DryWatch& v) {
  a(v.dry, v.watched, v.seconds);
}

template <typename A>
void fields(A& a, PlanCost& v) {
  a(v.cycles, v.task_ns, v.instructions, v.exact, v.timed, v.watched_share, v.spread);
}

template <typename A>
void fields(A& a, core::CoverWriter& v) {
  a(v.block, v.lane);
}

template <typename A>
void fields(A& a, core::CoverClash& v) {
  a(v.begin, v.end, v.first, v.second);
}

// Its addresses are the worker's and mean nothing elsewhere.
template <typename A>
void fields(A& a, core::GmRange& v) {
  a(v.bytes, v.writable, v.defined, v.output, v.has_tail, v.scratch);
  a.name(v.name);
}

template <typename A>
void fields(A& a, core::CoverOfRange& v) {
  a(v.range, v.written, v.repeated, v.atomic, v.missing, v.holes, v.clashing, v.clash);
}

template <typename A>
void fields(A& a, core::CoverBuffer& v) {
  a.choice(v.memory, OPK_MEM_COUNT);
  a(v.count, v.bytes);
}

template <typename A>
void fields(A& a, core::CoverReport& v) {
  a(v.ranges, v.peak, v.buffers, v.instructions, v.digest, v.gave_up);
}

template <typename A>
void fields(A& a, CoverLaunch& v) {
  a(v.report, v.dry, v.faults, v.outputs);
}

}  // namespace opkit::wire

#endif  // OPKIT_ISOLATION_ENGINE_FIELDS_H_
