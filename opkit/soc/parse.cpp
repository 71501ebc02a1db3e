// YAML -> SocSpec, strictly: unknown keys, wrong types and missing required values are errors.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "opkit/base/document.h"
#include "opkit/soc/arch.h"
#include "opkit/soc/fields.h"
#include "opkit/soc/picture_rules.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {
namespace {

using namespace soc_files;

class Parser {
 public:
  explicit Parser(const Value& root)
      : top_(root, "", {"name",
                        "short_name",
                        "source",
                        "npu_arch",
                        "aic_version",
                        "compiler_arch",
                        "arch_type",
                        "cores",
                        "memory",
                        "reserved",
                        "lib_api_workspace",
                        "input_ranges",
                        "ub_banks",
                        "frequency",
                        "cube",
                        "vector",
                        "fractal",
                        "rates",
                        "timing",
                        "pictures",
                        "stands_for"},
             error_) {}

  Result<SocSpec> parse() {
    identity();
    cores();
    memory();
    unit_sizes();
    rates();
    timing();
    pictures();
    stands_for();
    if (error_) return std::move(*error_);
    return std::move(spec_);
  }

 private:
  // Returns the sub-map of a key, or nothing when it is absent (an error when required) or broken.
  std::optional<Fields> section(std::string_view key, const std::vector<std::string>& known,
                                bool required = true) {
    const Value* value = required ? top_.require(key) : top_.find(key);
    if (!value) return std::nullopt;
    Fields fields(*value, std::string(key), known, error_);
    if (error_) return std::nullopt;
    return fields;
  }

  void identity() {
    top_.text("name", spec_.name);
    top_.text("short_name", spec_.short_name);
    top_.text("source", spec_.source);
    top_.text("aic_version", spec_.aic_version);
    top_.number("npu_arch", spec_.npu_arch);
    architecture();
    top_.number("arch_type", spec_.arch_type);
    top_.texts("compiler_arch", spec_.compiler_arch);
    top_.number("lib_api_workspace", spec_.lib_api_workspace);
    if (const Value* ranges = top_.find("input_ranges"))
      top_.take(ranges->as_bool("input_ranges"), spec_.input_ranges);
  }

  void architecture() {
    if (error_) return;
    Result<const ArchSpec*> arch = find_arch(spec_.npu_arch);
    if (!arch.ok()) return top_.fail(Error(arch.error()).at(top_.find("npu_arch")->where));
    spec_.arch = arch.value();
  }

  void cores() {
    auto f = section("cores", {"ai_core", "cube_core", "vector_core", "mix_vector_core", "ai_cpu",
                               "types", "combine", "virtual"});
    if (!f) return;
    SocSpec::Cores& c = spec_.cores;
    f->number("ai_core", c.ai_core);
    f->optional_number("cube_core", c.cube_core);
    f->number("vector_core", c.vector_core);
    f->optional_number("mix_vector_core", c.mix_vector_core);
    f->number("ai_cpu", c.ai_cpu);
    f->texts("types", c.types);
    f->texts("combine", c.combine);
    f->numbers("virtual", c.virtual_cores);
    f->check(c.ai_core != 0, "ai_core", "cores.ai_core is 0", "give the number of AI cores");
  }

  void memory() {
    auto f = section("memory", {"kind", "device", "l2", "ub", "ub_vector_core", "l1", "l0a", "l0b",
                                "l0c", "bt", "fb", "smask"});
    if (!f) return;
    std::string kind;
    f->text("kind", kind);
    f->check(kind == "hbm" || kind == "ddr", "kind", fmt::format("memory.kind is '{}'", kind),
             "write hbm or ddr");
    SocSpec::Memory& m = spec_.memory;
    f->optional_number("device", m.device);
    f->number("l2", m.l2);
    f->number("ub", m.ub);
    f->optional_number("ub_vector_core", m.ub_vector_core);
    f->number("l1", m.l1);
    f->number("l0a", m.l0a);
    f->number("l0b", m.l0b);
    f->number("l0c", m.l0c);
    f->optional_number("bt", m.bt);
    f->numbers("fb", m.fb);
    f->optional_number("smask", m.smask);
    reserved();
  }

  void reserved() {
    auto f = section("reserved", {"ub", "l1"});
    if (!f) return;
    f->number("ub", spec_.reserved_ub);
    f->number("l1", spec_.reserved_l1);
    f->check(spec_.reserved_ub <= spec_.memory.ub && spec_.reserved_l1 <= spec_.memory.l1, "ub",
             "reserved bytes exceed the memory", "correct 'reserved'");
  }

  void unit_sizes() {
    if (auto f = section("ub_banks", {"block", "bank", "banks", "groups"})) {
      f->number("block", spec_.ub_banks.block);
      f->number("bank", spec_.ub_banks.bank);
      f->number("banks", spec_.ub_banks.banks);
      f->number("groups", spec_.ub_banks.groups);
      f->check(spec_.ub_banks.block && spec_.ub_banks.bank && spec_.ub_banks.groups, "groups",
               "a size or a number of ub_banks is 0", "give those of the chip's UB");
    }
    if (auto f = section("frequency", {"cube", "vector"})) {
      f->number("cube", spec_.cube_freq_mhz);
      spec_.vector_freq_mhz = spec_.cube_freq_mhz;
      f->optional_number("vector", spec_.vector_freq_mhz);
    }
    if (auto f = section("cube", {"m", "n", "k", "k_of"})) {
      f->number("m", spec_.cube[0]);
      f->number("n", spec_.cube[1]);
      f->number("k", spec_.cube[2]);
      if (const Value* map = f->find("k_of")) {
        Fields types(*map, "cube.k_of", keys_of(*map), error_);
        for (const std::string& type : keys_of(*map)) types.number(type, spec_.cube_k[type]);
      }
    }
    if (auto f = section("vector", {"calc", "register", "predicate", "wide_register"})) {
      f->number("calc", spec_.vector.calc);
      f->optional_number("register", spec_.vector.register_width);
      f->optional_number("predicate", spec_.vector.predicate);
      f->optional_number("wide_register", spec_.vector.wide_register);
    }
    fractal();
  }

  void fractal() {
    const Value* map = top_.require("fractal");
    if (!map) return;
    for (const Value::Entry& entry : map->entries) {
      std::vector<uint32_t> sizes;
      Fields f(*map, "fractal", keys_of(*map), error_);
      f.numbers(entry.key, sizes);
      if (sizes.size() != 3 || (entry.key != "default" && !dtype_from_name(entry.key))) {
        f.fail(bad(entry.value, fmt::format("fractal.{} is not a dtype with [M, K, N]", entry.key),
                   "write e.g. int8: [16, 32, 16]"));
        return;
      }
      spec_.fractal[entry.key] = {sizes[0], sizes[1], sizes[2]};
    }
    if (!error_ && !spec_.fractal.contains("default")) {
      top_.fail(bad(*map, "fractal.default is missing", "add default: [16, 16, 16]"));
    }
  }

  void rates() {
    SocSpec::Rates& r = spec_.rates;
    const std::pair<const char*, uint32_t*> fields[] = {
        {"ddr_read", &r.ddr_read}, {"ddr_write", &r.ddr_write}, {"l2_read", &r.l2_read},
        {"l2_write", &r.l2_write}, {"l1_to_l0a", &r.l1_to_l0a}, {"l1_to_l0b", &r.l1_to_l0b},
        {"l1_to_ub", &r.l1_to_ub}, {"ub_to_l1", &r.ub_to_l1},   {"l0c_to_ub", &r.l0c_to_ub},
        {"ub_to_l2", &r.ub_to_l2}, {"ub_to_ddr", &r.ub_to_ddr}};
    std::vector<std::string> known;
    for (const auto& field : fields) known.push_back(field.first);
    auto f = section("rates", known);
    if (!f) return;
    for (const auto& [key, out] : fields) f->number(key, *out);
  }

  // name: {value: 4, measured: true, source: "..."}; under `vector`, the value is a list.
  void timing() {
    const Value* map = top_.find("timing");
    if (!map) return;
    for (const Value::Entry& entry : map->entries) {
      if (entry.key == "vector") {
        for (const Value::Entry& cost : entry.value.entries)
          repeat_figure("timing.vector." + cost.key, cost.value, spec_.vector_timing[cost.key]);
        continue;
      }
      SocSpec::Figure& figure = spec_.timing[entry.key];
      Fields f = figure_fields("timing." + entry.key, entry.value);
      if (const Value* value = f.require("value"))
        f.take(value->as_number(f.path("value")), figure.value);
      provenance(f, figure.measured, figure.source);
    }
  }

  void repeat_figure(const std::string& name, const Value& map, SocSpec::RepeatFigure& figure) {
    Fields f = figure_fields(name, map);
    std::vector<uint32_t> widths;
    f.numbers("value", widths);
    if (!f.failed() && widths.size() != figure.eighths.size())
      f.fail(bad(map, name + " has not four values", "give those for 1, 2, 4 and 8 bytes"));
    if (f.failed()) return;
    std::copy(widths.begin(), widths.end(), figure.eighths.begin());
    provenance(f, figure.measured, figure.source);
  }

  Fields figure_fields(const std::string& name, const Value& map) {
    return Fields(map, name, {"value", "measured", "source"}, error_);
  }
  void provenance(Fields& f, bool& measured, std::string& source) {
    if (const Value* value = f.require("measured"))
      f.take(value->as_bool(f.path("measured")), measured);
    f.text("source", source);
  }

  // Judges the section; opkit/soc/picture_rules.h hands it out.
  void pictures() {
    const Value* value = top_.find("pictures");
    if (!value || error_) return;
    if (auto rules = read_picture_rules(*value); !rules.ok()) top_.fail(std::move(rules).error());
  }

  // Judges the word; opkit/soc/soc_names.h hands out what it says.
  void stands_for() {
    const Value* value = top_.find("stands_for");
    if (!value || error_) return;
    top_.check(
        value->text == "family" || value->text == "all", "stands_for",
        fmt::format("stands_for is '{}'", value->text),
        "write family (the chip that a family's name means) or all (also where none is named)");
  }

  std::optional<Error> error_;
  Fields top_;
  SocSpec spec_;
};

}  // namespace

Result<SocSpec> parse_soc(std::string_view yaml, std::string name) {
  OPKIT_TRY(Document document, Document::parse(yaml, std::move(name)));
  return Parser(document.root()).parse();
}

}  // namespace opkit
