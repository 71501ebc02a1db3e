// The text form of protobuf, as far as AIPP configurations use it.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "opkit/atc/compile/aipp.h"
#include "opkit/base/suggest.h"

namespace opkit::compile {
namespace {

constexpr size_t kMostOps = 64;

struct Word {
  std::string text;
  Location where;
};

Error wrong(const Location& where, std::string what, std::string action) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--insert_op_conf] is invalid. Reason: {}",
                           where.file, what),
               std::move(action))
      .at(where);
}

// Words, braces and colons.
std::vector<Word> words_of(std::string_view text, const std::string& file) {
  std::vector<Word> words;
  int line = 1, column = 1;
  for (size_t i = 0; i < text.size();) {
    const size_t from = i;
    const Location where{file, line, column};
    const auto stops = [&](char c) {
      return std::string_view(" \t\r\n{}:#,;").find(c) != std::string_view::npos;
    };
    if (text[i] == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (!stops(text[i])) {
      while (i < text.size() && !stops(text[i])) ++i;
      words.push_back({std::string(text.substr(from, i - from)), where});
    } else {
      if (std::string_view("{}:").find(text[i]) != text.npos) words.push_back({{text[i]}, where});
      ++i;
    }
    column += static_cast<int>(i - from);
    if (text[from] == '\n') ++line, column = 1;
  }
  return words;
}

using model::Aipp;

using Set = std::function<Status(const Word&, AippOp&)>;

Result<double> number_of(const Word& word, double least, double most) {
  double value = 0;
  const auto [end, failure] =
      std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
  const bool whole = failure == std::errc() && end == word.text.data() + word.text.size();
  if (whole && value >= least && value <= most) return value;
  return wrong(word.where, fmt::format("'{}' is no number from {} to {}", word.text, least, most),
               "give a number in that range");
}

Result<int64_t> integer_of(const Word& word, double least, double most) {
  OPKIT_TRY(const double value, number_of(word, least, most));
  if (value == std::floor(value)) return static_cast<int64_t>(value);
  return wrong(word.where, fmt::format("'{}' is no integer", word.text), "give an integer");
}

Set integer(std::function<int64_t&(Aipp&)> member, double least, double most) {
  return [=](const Word& word, AippOp& op) -> Status {
    OPKIT_TRY(member(op.aipp), integer_of(word, least, most));
    return {};
  };
}

Set integer(int64_t AippOp::*member, double least, double most) {
  return [=](const Word& word, AippOp& op) -> Status {
    OPKIT_TRY(op.*member, integer_of(word, least, most));
    return {};
  };
}

Set real(std::function<double&(Aipp&)> member, double least, double most) {
  return [=](const Word& word, AippOp& op) -> Status {
    OPKIT_TRY(member(op.aipp), number_of(word, least, most));
    return {};
  };
}

Set whole(std::function<double&(Aipp&)> member, double least, double most) {
  return [=](const Word& word, AippOp& op) -> Status {
    OPKIT_TRY(const int64_t value, integer_of(word, least, most));
    member(op.aipp) = static_cast<double>(value);
    return {};
  };
}

Result<bool> flag_of(const Word& word) {
  const bool on = word.text == "true" || word.text == "1";
  if (on || word.text == "false" || word.text == "0") return on;
  return wrong(word.where, fmt::format("'{}' is neither true nor false", word.text),
               "write true or false");
}

Set flag(std::function<bool&(Aipp&)> member) {
  return [=](const Word& word, AippOp& op) -> Status {
    OPKIT_TRY(member(op.aipp), flag_of(word));
    return {};
  };
}

// Keys that the vendor's template has for what AIPP does not do: off, they change nothing.
Set reserved(const char* feature) {
  return [=](const Word& word, AippOp&) -> Status {
    OPKIT_TRY(const bool on, flag_of(word));
    if (!on) return {};
    return wrong(word.where, fmt::format("AIPP does not {}", feature), "false, or leave it out");
  };
}

// Reads a number given as a list of one, which means nothing more.
Set one_value(double preset) {
  return [=](const Word& word, AippOp&) -> Status {
    OPKIT_TRY(const double value, number_of(word, -65504, 65504));
    if (value == preset) return {};
    return wrong(word.where, fmt::format("'{}' has no meaning here", word.text),
                 fmt::format("{}, or leave it out", preset));
  };
}

Status set_format(const Word& word, AippOp& op) {
  static const std::map<std::string, Aipp::Format> kFormats = {
      {"YUV420SP_U8", Aipp::Format::kYuv420},
      {"XRGB8888_U8", Aipp::Format::kXrgb},
      {"RGB888_U8", Aipp::Format::kRgb},
      {"YUV400_U8", Aipp::Format::kGray}};
  const auto found = kFormats.find(word.text);
  if (found == kFormats.end())
    return wrong(word.where, fmt::format("'{}' is no format that is read", word.text),
                 "YUV420SP_U8, XRGB8888_U8, RGB888_U8 or YUV400_U8");
  op.aipp.format = found->second;
  op.has_format = true;
  return {};
}

Status set_mode(const Word& word, AippOp& op) {
  op.has_mode = true;
  op.dynamic = word.text == "dynamic";
  if (op.dynamic || word.text == "static") return {};
  return wrong(word.where, fmt::format("aipp_mode '{}' is not there", word.text),
               "aipp_mode: static, or dynamic");
}

Status set_input(const Word& word, AippOp& op) {
  op.input = word.text;
  if (op.input.size() > 1 && op.input.front() == '"' && op.input.back() == '"')
    op.input = op.input.substr(1, op.input.size() - 2);
  return {};
}

std::map<std::string, Set> make_keys() {
  std::map<std::string, Set> keys = {
      {"aipp_mode", set_mode},
      {"input_format", set_format},
      {"related_input_name", set_input},
      {"related_input_rank", integer(&AippOp::rank, 0, 65535)},
      {"max_src_image_size", integer(&AippOp::most_bytes, 1, 1 << 30)},
      {"src_image_size_w", integer([](Aipp& a) -> int64_t& { return a.width; }, 0, 4096)},
      {"src_image_size_h", integer([](Aipp& a) -> int64_t& { return a.height; }, 0, 4096)},
      {"crop", flag([](Aipp& a) -> bool& { return a.crop; })},
      {"load_start_pos_w", integer([](Aipp& a) -> int64_t& { return a.crop_left; }, 0, 4095)},
      {"load_start_pos_h", integer([](Aipp& a) -> int64_t& { return a.crop_top; }, 0, 4095)},
      {"crop_size_w", integer([](Aipp& a) -> int64_t& { return a.crop_width; }, 0, 4096)},
      {"crop_size_h", integer([](Aipp& a) -> int64_t& { return a.crop_height; }, 0, 4096)},
      {"padding", flag([](Aipp& a) -> bool& { return a.pad; })},
      {"left_padding_size", integer([](Aipp& a) -> int64_t& { return a.left; }, 0, 32)},
      {"right_padding_size", integer([](Aipp& a) -> int64_t& { return a.right; }, 0, 32)},
      {"top_padding_size", integer([](Aipp& a) -> int64_t& { return a.top; }, 0, 32)},
      {"bottom_padding_size", integer([](Aipp& a) -> int64_t& { return a.bottom; }, 0, 32)},
      {"padding_value", real([](Aipp& a) -> double& { return a.pad_value; }, -65504, 65504)},
      {"cpadding_value", one_value(0)},
      {"resize", reserved("resize")},
      {"resize_output_w", one_value(0)},
      {"resize_output_h", one_value(0)},
      {"rotation_angle", one_value(0)},
      {"support_rotation", reserved("rotate")},
      {"single_line_mode", reserved("take single lines")},
      {"raw_rgbir_to_f16_n", one_value(8)},
      {"csc_switch", flag([](Aipp& a) -> bool& { return a.convert; })},
      {"rbuv_swap_switch", flag([](Aipp& a) -> bool& { return a.swap_outer; })},
      {"ax_swap_switch", flag([](Aipp& a) -> bool& { return a.alpha_behind; })}};
  for (size_t i = 0; i < 9; ++i)
    keys[fmt::format("matrix_r{}c{}", i / 3, i % 3)] =
        integer([i](Aipp& a) -> int64_t& { return a.matrix[i]; }, -32768, 32767);
  for (size_t i = 0; i < 3; ++i) {
    keys[fmt::format("input_bias_{}", i)] =
        integer([i](Aipp& a) -> int64_t& { return a.input_bias[i]; }, 0, 255);
    keys[fmt::format("output_bias_{}", i)] =
        integer([i](Aipp& a) -> int64_t& { return a.output_bias[i]; }, 0, 255);
  }
  for (size_t i = 0; i < 4; ++i) {
    keys[fmt::format("mean_chn_{}", i)] =
        whole([i](Aipp& a) -> double& { return a.mean[i]; }, 0, 255);
    keys[fmt::format("min_chn_{}", i)] =
        real([i](Aipp& a) -> double& { return a.least[i]; }, 0, 255);
    keys[fmt::format("var_reci_chn_{}", i)] =
        real([i](Aipp& a) -> double& { return a.factor[i]; }, -65504, 65504);
  }
  return keys;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : words_(words_of(text, file)) {
    end_.where = words_.empty() ? Location{file, 1, 1} : words_.back().where;
  }

  Result<std::vector<AippOp>> run() {
    std::vector<AippOp> all;
    while (next_ < words_.size()) {
      OPKIT_CHECK(expect("aipp_op"));
      AippOp op;
      op.where = words_[next_ - 1].where;
      if (here().text == ":") ++next_;
      OPKIT_CHECK(expect("{"));
      settings_.clear();
      while (here().text != "}") OPKIT_CHECK(read_entry(op));
      ++next_;
      OPKIT_CHECK(check_mode(op));
      all.push_back(std::move(op));
      if (all.size() > kMostOps) return wrong(end_.where, "there are too many aipp_op", "one each");
    }
    if (all.empty()) return wrong(end_.where, "there is no aipp_op", "aipp_op { ... }");
    return all;
  }

 private:
  const Word& here() const { return next_ < words_.size() ? words_[next_] : end_; }

  Status expect(const std::string& text) {
    if (here().text != text)
      return wrong(here().where, fmt::format("'{}' stands where {} is wanted", here().text, text),
                   "aipp_op { aipp_mode: static ... }");
    ++next_;
    return {};
  }

  // Each mode has its own keys.
  Status check_mode(const AippOp& op) const {
    if (!op.has_mode)
      return wrong(op.where, "the aipp_op has no aipp_mode", "aipp_mode: static, or dynamic");
    if (!op.dynamic && !op.has_format)
      return wrong(op.where, "static AIPP wants the format of its images",
                   "input_format: YUV420SP_U8, XRGB8888_U8, RGB888_U8 or YUV400_U8");
    if (op.dynamic && op.most_bytes == 0)
      return wrong(op.where, "dynamic AIPP wants the bytes of its images",
                   "max_src_image_size: N * height * width * 1.5 of YUV420SP_U8, 3 of RGB888_U8");
    for (const Word& key : settings_) {
      if (op.dynamic)
        return wrong(key.where, fmt::format("'{}' is no key of dynamic AIPP", key.text),
                     "leave it out; programs set it before aclmdlSetInputAIPP");
    }
    if (!op.dynamic && op.most_bytes > 0)
      return wrong(op.where, "max_src_image_size is a key of dynamic AIPP",
                   "aipp_mode: dynamic, or leave it out");
    return {};
  }

  Status read_entry(AippOp& op) {
    static const std::map<std::string, Set> kKeys = make_keys();
    const Word key = here();
    const auto found = kKeys.find(key.text);
    if (found == kKeys.end()) {
      std::vector<std::string> names;
      for (const auto& [name, set] : kKeys) names.push_back(name);
      const auto near = nearest(key.text, names);
      return wrong(key.where, fmt::format("there is no '{}'", key.text),
                   near ? fmt::format("did you mean '{}'?", *near)
                        : "leave it out; docs/atc.md lists what there is");
    }
    ++next_;
    OPKIT_CHECK(expect(":"));
    OPKIT_CHECK(found->second(here(), op));
    ++next_;
    static const std::set<std::string> kOfBoth = {"aipp_mode", "related_input_name",
                                                  "related_input_rank", "max_src_image_size",
                                                  "support_rotation"};
    if (kOfBoth.count(key.text) == 0) settings_.push_back(key);
    return {};
  }

  std::vector<Word> words_;
  std::vector<Word> settings_;  // keys of the aipp_op that is read which dynamic AIPP has not
  Word end_;
  size_t next_ = 0;
};

}  // namespace

Result<std::vector<AippOp>> parse_aipp(std::string_view text, const std::string& file) {
  return Parser(text, file).run();
}

}  // namespace opkit::compile
