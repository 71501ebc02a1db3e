#include "opkit/model/profile/timeline_trace.h"

#include "opkit/base/json.h"

namespace opkit::model_profile {
namespace {

double microseconds(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

Json row_name(TimelineRow row) {
  return {{"ph", "M"},
          {"name", "thread_name"},
          {"pid", 0},
          {"tid", static_cast<int>(row)},
          {"args", {{"name", name_of(row)}}}};
}

Json event(const Piece& piece) {
  Json args{{"op", piece.op}};
  if (piece.row == TimelineRow::kStream) {
    args["busy_us"] = microseconds(piece.busy_ns);
    args["hbm_bytes"] = piece.hbm_bytes;
    args["block_dim"] = piece.block_dim;
    args["memory_bound"] = piece.memory_bound;
  }
  return {{"ph", "X"},
          {"name", piece.name},
          {"cat", piece.op},
          {"pid", 0},
          {"tid", static_cast<int>(piece.row)},
          {"ts", microseconds(piece.start_ns)},
          {"dur", microseconds(piece.ns)},
          {"args", std::move(args)}};
}

// Returns a point of the curve of memory.
Json memory(const Piece& piece) {
  return {{"ph", "C"},
          {"name", "device memory"},
          {"pid", 0},
          {"ts", microseconds(piece.start_ns)},
          {"args", {{"bytes", piece.memory}}}};
}

}  // namespace

std::string timeline_trace(const ModelProfile& profile) {
  Json events = Json::array();
  events.push_back({{"ph", "M"},
                    {"name", "process_name"},
                    {"pid", 0},
                    {"args", {{"name", profile.model + " on " + profile.soc}}}});
  for (const TimelineRow row : {TimelineRow::kCopies, TimelineRow::kStream, TimelineRow::kHost})
    events.push_back(row_name(row));
  for (const Piece& piece : profile.pieces) {
    events.push_back(event(piece));
    events.push_back(memory(piece));
  }
  return Json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump(1) + "\n";
}

}  // namespace opkit::model_profile
