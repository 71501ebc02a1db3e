// What a timed launch is bound by, and where its cores wait.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/trace/report.h"
#include "opkit/call/trace/waits.h"

namespace opkit::trace {
namespace {

using core::TimedResult;

double share_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string cycles_text(uint64_t cycles) {
  if (cycles >= 10000000) return fmt::format("{:.1f} M cycles", static_cast<double>(cycles) / 1e6);
  if (cycles >= 100000) return fmt::format("{:.1f} k cycles", static_cast<double>(cycles) / 1e3);
  return fmt::format("{} cycles", cycles);
}

struct Busiest {
  size_t pipe = 0;
  double share = 0;
};

Busiest busiest_of(const Totals& totals) {
  Busiest most;
  for (size_t p = 0; p < totals.pipes.size(); ++p) {
    const double busy = share_of(totals.pipes[p].busy, totals.core_cycles);
    if (busy > most.share) most = {p, busy};
  }
  return most;
}

std::string bound_text(const TimedResult& result, const Busiest& busiest) {
  const bool scalar = busiest.pipe == 0;
  std::string text = fmt::format("{} is busy {:.0f} % of the time",
                                 core::timed_pipe_name(busiest.pipe), 100 * busiest.share);
  if (scalar) return text + ": fewer, larger instructions and less arithmetic on scalars help";
  const Roofline roof = roofline(result);
  const bool moves = busiest.pipe >= 4;
  if (moves && roof.memory_bound && roof.reached > 0.7 * roof.roof)
    return text + ": HBM is what bounds it; only fewer bytes help";
  if (moves) return text + ": it moves bytes; larger copies, and fewer of them, help";
  return text + ": it computes; fewer or wider instructions help";
}

// Two pipes that wait for each other over one queue work one after the other.
const WaitSum* answer_to(const WaitSum& wait, const std::vector<WaitSum>& waits) {
  for (const WaitSum& other : waits) {
    if (other.pipe == wait.waits_for && other.waits_for == wait.pipe &&
        other.cycles * 4 > wait.cycles)
      return &other;
  }
  return nullptr;
}

std::string cure_of(const WaitSum& wait, bool turns) {
  if (wait.what == "AllocTensor" || (turns && wait.what == "DeQue"))
    return "; a second buffer (InitBuffer(queue, 2, bytes)) lets them overlap";
  if (wait.what == "WaitFlag") return "; a second buffer with a flag of its own lets them overlap";
  if (wait.what == "SyncAll" || wait.what == "IBWait")
    return "; cores with less work wait for those with more";
  return "";
}

std::string wait_text(const WaitSum& wait, const std::vector<WaitSum>& waits) {
  const WaitSum* answer = answer_to(wait, waits);
  const std::string head =
      answer == nullptr
          ? ""
          : fmt::format("{} and {} take turns: ", core::timed_pipe_name(wait.waits_for),
                        core::timed_pipe_name(wait.pipe));
  return fmt::format("{}{}: {}{}", head, cycles_text(wait.cycles), wait.to_string(),
                     cure_of(wait, answer != nullptr));
}

void add_uneven_cores(const TimedResult& result, std::vector<std::string>& found) {
  if (result.cores.size() < 2) return;
  const auto length = [](const core::CoreTimes& core) { return core.end - core.start; };
  const auto [least, most] = std::ranges::minmax_element(
      result.cores, [&](const auto& a, const auto& b) { return length(a) < length(b); });
  if (length(*most) * 2 < length(*least) * 3 || length(*most) * 4 < result.cycles) return;
  found.push_back(fmt::format("cores are busy unequally: block {} takes {}, block {} {}",
                              most->block, cycles_text(length(*most)), least->block,
                              cycles_text(length(*least))));
}

void add_launch(const TimedResult& result, std::vector<std::string>& found) {
  const uint64_t kernel = result.cycles * 1000 / std::max<uint64_t>(result.rates.frequency_mhz, 1);
  if (result.task_ns < 2 * kernel || result.task_ns == 0) return;
  found.push_back(
      fmt::format("{:.1f} of {:.1f} us are the launch itself: a larger call, or a "
                  "fused op, pays it once",
                  static_cast<double>(result.task_ns - kernel) / 1e3,
                  static_cast<double>(result.task_ns) / 1e3));
}

}  // namespace

std::vector<std::string> diagnosis(const TimedResult& result, const Places& names) {
  constexpr double kBound = 0.85, kWorthTelling = 0.05;
  constexpr size_t kMost = 3;
  std::vector<std::string> found;
  add_launch(result, found);
  const Totals totals = totals_of(result);
  const Busiest busiest = busiest_of(totals);
  if (busiest.share >= kBound) found.push_back(bound_text(result, busiest));
  const std::vector<WaitSum> waits = waits_of(result, names);
  size_t told = 0;
  for (const WaitSum& wait : waits) {
    if (told == kMost || share_of(wait.cycles, totals.core_cycles) < kWorthTelling) break;
    if (wait.pipe == busiest.pipe && busiest.share >= kBound) continue;
    found.push_back(wait_text(wait, waits));
    ++told;
  }
  add_uneven_cores(result, found);
  if (found.empty())
    found.push_back(fmt::format("no pipe is a bottleneck: {} is busiest, with {:.0f} % of the time",
                                core::timed_pipe_name(busiest.pipe), 100 * busiest.share));
  return found;
}

}  // namespace opkit::trace
