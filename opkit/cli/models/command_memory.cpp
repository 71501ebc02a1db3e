// opkit memory: places the buffers of a table in one block of memory, or judges where they lie.
#include <fmt/format.h>

#include "opkit/atc/memory/check.h"
#include "opkit/atc/memory/csv.h"
#include "opkit/atc/memory/plan.h"
#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

constexpr uint64_t kMostTableBytes = uint64_t{1} << 26;

// Returns a plan that the table brings with it, of buffers that take whole multiples of the
// alignment.
Result<memory_plan::MemoryPlan> judged_placement(const memory_plan::BufferTable& table,
                                                 uint64_t alignment) {
  std::vector<memory_plan::Buffer> whole = table.buffers;
  for (memory_plan::Buffer& buffer : whole)
    buffer.size = (buffer.size + alignment - 1) / alignment * alignment;
  memory_plan::MemoryPlan plan{*table.offsets, memory_plan::total_of(whole, *table.offsets),
                               memory_plan::most_in_use(whole), "table"};
  Status right = memory_plan::check(whole, plan.offsets, plan.total, alignment);
  if (right.ok()) return plan;
  Error wrong = std::move(right).error();
  wrong.action = fmt::format("move them apart, to multiples of --alignment ({})", alignment);
  return wrong;
}

Result<memory_plan::MemoryPlan> placement_of(const memory_plan::BufferTable& table,
                                             const Arguments& arguments) {
  const auto bytes = [&](const char* flag) {
    return static_cast<uint64_t>(arguments.integer(flag));
  };
  if (table.offsets) return judged_placement(table, bytes("--alignment"));
  return memory_plan::plan(table.buffers,
                           {.steps = bytes("--steps"),
                            .alignment = bytes("--alignment"),
                            .enough = arguments.has("--capacity") ? bytes("--capacity") : 0});
}

std::string placement_text(const memory_plan::MemoryPlan& plan, size_t buffers) {
  return fmt::format(
      "{} buffers in {} bytes, {} ({})\n", buffers, plan.total,
      plan.optimal() ? "the bound" : fmt::format("the bound is {} bytes", plan.bound), plan.by);
}

Outcome run_memory(const Arguments& arguments, Console& console) {
  const std::string file = arguments.get("table");
  OPKIT_TRY(const std::string text, read_file(file, kMostTableBytes));
  OPKIT_TRY(const memory_plan::BufferTable table, memory_plan::parse_csv(text, file));
  OPKIT_TRY(const memory_plan::MemoryPlan plan, placement_of(table, arguments));
  if (const auto output = arguments.find("--output"))
    OPKIT_CHECK(write_file(*output, memory_plan::to_csv(table.buffers, &plan.offsets)));
  const bool fits = !arguments.has("--capacity") ||
                    plan.total <= static_cast<uint64_t>(arguments.integer("--capacity"));
  std::string shown = placement_text(plan, table.buffers.size());
  if (!fits) shown += fmt::format("that is more than {}\n", arguments.integer("--capacity"));
  console.show({{"buffers", table.buffers.size()},
                {"total", plan.total},
                {"bound", plan.bound},
                {"by", plan.by},
                {"optimal", plan.optimal()},
                {"fits", fits}},
               shown);
  return fits ? kOk : kFailed;
}

}  // namespace

Command memory_command() {
  return {
      .name = "memory",
      .summary = "places buffers in one block of memory as atc does, or judges a placement",
      .details =
          "The table is comma-separated text in the columns of MiniMalloc's public instances: "
          "id,lower,upper,size;\n"
          "a buffer is in use at the times lower to upper - 1. With a column offset the table is "
          "a placement, which\n"
          "is judged: buffers that share bytes while both live are an error (OPK-MEMORY-001). "
          "Exit code 1: the\n"
          "block is larger than --capacity.",
      .positionals = {{.name = "table", .help = "a file of buffers", .complete = Complete::kFile}},
      .flags = {{.name = "--output",
                 .value = "FILE",
                 .help = "write the table with offsets",
                 .complete = Complete::kFile},
                {.name = "--capacity",
                 .value = "BYTES",
                 .help = "what the block may take; the search ends there",
                 .integer = true},
                {.name = "--alignment",
                 .value = "BYTES",
                 .help = "buffers begin at multiples, and take whole ones",
                 .integer = true,
                 .least = 1,
                 .most = 1 << 20,
                 .preset = std::to_string(memory_plan::kAlignment)},
                {.name = "--steps",
                 .value = "N",
                 .help = "steps of the search",
                 .integer = true,
                 .preset = std::to_string(memory_plan::kSearchSteps)}},
      .examples = {{"opkit memory buffers.csv --output plan.csv", "place, and write where"},
                   {"opkit memory K.1048576.csv --alignment 1 --capacity 1048576",
                    "a public instance: does it fit?"},
                   {"opkit memory plan.csv --json", "judge a placement, for scripts"}},
      .run = run_memory};
}

}  // namespace opkit::cli
