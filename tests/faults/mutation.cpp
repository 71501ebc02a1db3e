#include "mutation.h"

#include <cstdio>

#include "opkit/base/debug/source_line.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"

namespace faults {

Mutator mutator;

namespace {

std::string base_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string place_of(const void* pc) {
  static opkit::debug::SourceLines lines;
  const auto line = lines.find(pc);
  return line ? base_name(line->file) + ":" + std::to_string(line->line) : "?";
}

const opk_isa_v1& engine() { return opkit::core::engine_isa(); }

void flag(opk_core* c, uint32_t op, uint32_t src, uint32_t dst, int32_t id) {
  if (!mutator.hits(__builtin_return_address(0), op == OPK_SYNC_SET ? "SetFlag" : "WaitFlag"))
    engine().flag(c, op, src, dst, id);
}
void barrier(opk_core* c, uint32_t pipe) {
  if (!mutator.hits(__builtin_return_address(0), "PipeBarrier")) engine().barrier(c, pipe);
}
void sync_all(opk_core* c, uint32_t aiv_only) {
  if (!mutator.hits(__builtin_return_address(0), "SyncAll")) engine().sync_all(c, aiv_only);
}

// By one element in GM, by one block in the memories of the core.
void shift(opk_operand* o) {
  const uint64_t bytes = o->memory == OPK_MEM_GM ? opkit::core::dtype_bytes(o->dtype) : 32;
  o->address = static_cast<uint8_t*>(o->address) + bytes;
  o->bytes = o->bytes > bytes ? o->bytes - bytes : 0;
}

void copy(opk_core* c, const opk_copy_v1* original) {
  opk_copy_v1 mutant = *original;
  if (mutator.hits(__builtin_return_address(0), "copy")) {
    if (mutator.mutation == Mutation::kShiftSource) shift(&mutant.src);
    if (mutator.mutation == Mutation::kShiftDestination) shift(&mutant.dst);
    if (mutator.mutation == Mutation::kShorten && mutant.block_bytes > 32) mutant.block_bytes -= 32;
  }
  engine().copy(c, &mutant);
}

}  // namespace

const char* name_of(Mutation m) {
  static constexpr const char* kNames[] = {"drop", "shift source of", "shift destination of",
                                           "shorten"};
  return kNames[static_cast<size_t>(m)];
}

bool Mutator::hits(const void* pc, const char* what) {
  const SiteKey key{pc, 0};
  if (sites.count(key) == 0) sites[key] = {what, place_of(pc)};
  return key == target;
}

bool Mutator::hits(const std::source_location& where, const char* what) {
  const SiteKey key{where.file_name(), uint64_t{where.line()} << 16 | where.column()};
  if (sites.count(key) == 0)
    sites[key] = {what, base_name(where.file_name()) + ":" + std::to_string(where.line())};
  return key == target;
}

void run_mutated(opk_core* core, const std::function<void()>& kernel) {
  static opk_isa_v1 table = engine();
  table.flag = flag;
  table.barrier = barrier;
  table.sync_all = sync_all;
  table.copy = copy;
  core->isa = &table;
  kernel();
  core->isa = &engine();
}

Tally mutate(const Subject& subject) {
  std::vector<uint8_t> right, output;
  mutator = {};
  EXPECT_CLEAN(subject.run(&right));
  const auto sites = mutator.sites;
  Tally tally;
  for (const auto& [key, site] : sites) {
    const bool copies = site.what == "copy";
    for (const Mutation m : {Mutation::kDrop, Mutation::kShiftSource, Mutation::kShiftDestination,
                             Mutation::kShorten}) {
      if (copies == (m == Mutation::kDrop)) continue;
      mutator.target = key;
      mutator.mutation = m;
      const bool seen = !subject.run(&output).findings.empty();
      const bool differs = output != right;
      ++tally.mutants;
      tally.checked += seen;
      tally.results += differs;
      tally.either += seen || differs;
      if (seen) continue;
      (differs ? tally.unseen : tally.survivors)
          .push_back(std::string(name_of(m)) + " " + site.what + " at " + site.place);
    }
  }
  mutator = {};
  std::printf("%-26s %3d mutants, Checked sees %3d, results differ %3d, either %3d\n",
              subject.name.c_str(), tally.mutants, tally.checked, tally.results, tally.either);
  for (const std::string& mutant : tally.unseen)
    std::printf("  only results tell: %s\n", mutant.c_str());
  for (const std::string& survivor : tally.survivors)
    std::printf("  survives: %s\n", survivor.c_str());
  return tally;
}

}  // namespace faults
