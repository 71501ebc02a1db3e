// Columns: msProf op, files of OPPROF_<timestamp>.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/trace/report.h"

namespace opkit::trace {
namespace {

using core::CoreTimes;
using core::kTimedPipes;
using core::TimedResult;
using core::Traffic;

constexpr double kGiga = 1024.0 * 1024.0 * 1024.0;  // the profiler's GB

// Column stems of the pipes S, V, M, MTE1, MTE2, MTE3, FIX.
constexpr const char* kStems[kTimedPipes] = {"scalar", "vec",  "mac",    "mte1",
                                             "mte2",   "mte3", "fixpipe"};

struct Row {
  const TimedResult& result;
  const CoreTimes& core;
  uint64_t cycles() const { return std::max<uint64_t>(core.end - core.start, 1); }
  double us(uint64_t cycles) const {
    return static_cast<double>(cycles) / result.rates.frequency_mhz;
  }
  double ratio(uint64_t part) const {
    return static_cast<double>(part) / static_cast<double>(cycles());
  }
  std::string rate(uint64_t bytes) const {  // GB/s
    return fmt::format("{:.6f}", static_cast<double>(bytes) / kGiga / (us(cycles()) * 1e-6));
  }
  std::string id() const {
    return fmt::format("{},{}", core.block,
                       core.kind == OPK_CORE_AIC
                           ? std::string("cube0")
                           : fmt::format("vector{}", std::max(core.sub_block, 0)));
  }
  bool cube() const { return core.kind != OPK_CORE_AIV; }
};

template <typename F>
CsvFile table(const TimedResult& result, const char* name, std::string head, F&& line) {
  CsvFile file{name, "block_id,sub_block_id," + std::move(head) + "\n"};
  for (const CoreTimes& core : result.cores) {
    const Row row{result, core};
    file.text += row.id() + "," + line(row) + "\n";
  }
  return file;
}

CsvFile basic_info(const TimedResult& r, const std::string& op, const std::string& soc) {
  const char* type = r.task_type == OPK_TASK_AIV_ONLY   ? "vector"
                     : r.task_type == OPK_TASK_AIC_ONLY ? "cube"
                                                        : "mix";
  const uint32_t mix = r.task_type == OPK_TASK_MIX_1_2 ? 2 * r.block_dim : r.block_dim;
  return {"OpBasicInfo.csv",
          fmt::format("Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,"
                      "Current Freq,Rated Freq\n{},{},{:.3f},{},{},{},NA,{},{}\n",
                      op, type, static_cast<double>(r.task_ns) / 1000, r.block_dim,
                      r.task_type < OPK_TASK_MIX_1_1 ? std::string("NA") : std::to_string(mix), soc,
                      r.rates.frequency_mhz, r.rates.frequency_mhz)};
}

CsvFile pipe_utilization(const TimedResult& r) {
  std::string head;
  for (const char* kind : {"aic", "aiv"}) {
    head += fmt::format("{0}{1}_time(us),{1}_total_cycles", head.empty() ? "" : ",", kind);
    for (const char* stem : kStems)
      head += fmt::format(",{0}_{1}_time(us),{0}_{1}_ratio", kind, stem);
    head += fmt::format(",{}_icache_miss_rate", kind);
  }
  const std::string nothing = [] {
    std::string text = "NA,NA";
    for (size_t i = 0; i < kTimedPipes; ++i) text += ",NA,NA";
    return text + ",NA";
  }();
  return table(r, "PipeUtilization.csv", head, [&](const Row& row) {
    std::string own = fmt::format("{:.6f},{}", row.us(row.cycles()), row.cycles());
    for (const auto& pipe : row.core.pipes)
      own += fmt::format(",{:.6f},{:.6f}", row.us(pipe.busy), row.ratio(pipe.busy));
    own += ",NA";
    return row.cube() ? own + "," + nothing : nothing + "," + own;
  });
}

CsvFile arithmetic(const TimedResult& r) {
  return table(
      r, "ArithmeticUtilization.csv",
      "time(us),total_cycles,cube_ratio,cube_fops,vec_ratio,vector_fops", [](const Row& row) {
        const Traffic& t = row.core.traffic;
        return fmt::format("{:.6f},{},{:.6f},{},{:.6f},{}", row.us(row.cycles()), row.cycles(),
                           row.ratio(row.core.pipes[2].busy), t.cube_operations,
                           row.ratio(row.core.pipes[1].busy), t.vector_operations);
      });
}

CsvFile memory(const TimedResult& r) {
  return table(
      r, "Memory.csv",
      "time(us),total_cycles,gm_to_ub_bw(GB/s),ub_to_gm_bw(GB/s),gm_to_l1_bw(GB/s),"
      "l0c_to_gm_bw(GB/s),main_mem_read_bw(GB/s),main_mem_write_bw(GB/s),gm_to_ub_datas(KB),"
      "ub_to_gm_datas(KB),gm_to_l1_datas(KB),l0c_to_gm_datas(KB),read_main_memory_datas(KB),"
      "write_main_memory_datas(KB)",
      [](const Row& row) {
        const Traffic& t = row.core.traffic;
        const uint64_t parts[] = {t.gm_to_ub,  t.ub_to_gm, t.gm_to_l1,
                                  t.l0c_to_gm, t.hbm_read, t.hbm_write};
        std::string text = fmt::format("{:.6f},{}", row.us(row.cycles()), row.cycles());
        for (const uint64_t bytes : parts) text.append(",").append(row.rate(bytes));
        for (const uint64_t bytes : parts)
          text += fmt::format(",{:.3f}", static_cast<double>(bytes) / 1024);
        return text;
      });
}

CsvFile memory_l0(const TimedResult& r) {
  return table(r, "MemoryL0.csv",
               "time(us),total_cycles,l0a_write_bw(GB/s),l0b_write_bw(GB/s),l0c_read_bw(GB/s)",
               [](const Row& row) {
                 const Traffic& t = row.core.traffic;
                 return fmt::format("{:.6f},{},{},{},{}", row.us(row.cycles()), row.cycles(),
                                    row.rate(t.l1_to_l0a), row.rate(t.l1_to_l0b),
                                    row.rate(t.l0c_to_gm + t.l0c_to_l1));
               });
}

CsvFile memory_ub(const TimedResult& r) {
  return table(r, "MemoryUB.csv",
               "time(us),total_cycles,ub_read_bw_vector(GB/s),ub_write_bw_vector(GB/s),"
               "ub_bw_scalar(GB/s)",
               [](const Row& row) {
                 const Traffic& t = row.core.traffic;
                 return fmt::format("{:.6f},{},{},{},{}", row.us(row.cycles()), row.cycles(),
                                    row.rate(t.vector_read), row.rate(t.vector_write),
                                    row.rate(t.scalar));
               });
}

std::string share(uint64_t hits, uint64_t misses) {
  if (hits + misses == 0) return "NA";
  return fmt::format("{:.6f}",
                     100.0 * static_cast<double>(hits) / static_cast<double>(hits + misses));
}

CsvFile l2_cache(const TimedResult& r) {
  return table(r, "L2Cache.csv",
               "time(us),total_cycles,write_cache_hit,write_cache_miss_allocate,"
               "write_hit_rate(%),read_cache_hit,read_cache_miss_allocate,read_hit_rate(%),"
               "total_hit_rate(%)",
               [](const Row& row) {
                 const Traffic& t = row.core.traffic;
                 return fmt::format(
                     "{:.6f},{},{},{},{},{},{},{},{}", row.us(row.cycles()), row.cycles(),
                     t.l2_write_hits, t.l2_write_misses, share(t.l2_write_hits, t.l2_write_misses),
                     t.l2_read_hits, t.l2_read_misses, share(t.l2_read_hits, t.l2_read_misses),
                     share(t.l2_read_hits + t.l2_write_hits, t.l2_read_misses + t.l2_write_misses));
               });
}

CsvFile conflicts(const TimedResult& r) {
  std::string head = "time(us),total_cycles,vec_total_cflt_ratio";
  for (const char* stem : kStems) head += fmt::format(",{}_wait_ratio", stem);
  return table(r, "ResourceConflictRatio.csv", head, [](const Row& row) {
    std::string text = fmt::format("{:.6f},{},{:.6f}", row.us(row.cycles()), row.cycles(),
                                   row.ratio(row.core.traffic.bank_conflict_cycles));
    for (const auto& pipe : row.core.pipes) {
      uint64_t waiting = pipe.waiting_for_cores;
      for (const uint64_t cycles : pipe.waiting_for) waiting += cycles;
      text += fmt::format(",{:.6f}", row.ratio(waiting));
    }
    return text;
  });
}

}  // namespace

std::vector<CsvFile> vendor_files(const TimedResult& result, const std::string& op,
                                  const std::string& soc) {
  return {
      basic_info(result, op, soc), pipe_utilization(result), arithmetic(result), memory(result),
      memory_l0(result),           memory_ub(result),        l2_cache(result),   conflicts(result)};
}

}  // namespace opkit::trace
