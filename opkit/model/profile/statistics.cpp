#include "opkit/model/profile/statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace opkit::model_profile {
namespace {

std::string shown_microseconds(uint64_t ns) {
  return fmt::format("{:.3f}", static_cast<double>(ns) / 1e3);
}

// Quotes a cell when it holds what separates cells or rows.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// Joins what `of` says of each tensor, in msProf's form: "1,64,56,56;64".
template <typename Of>
std::string joined(const std::vector<TensorDesc>& tensors, const Of& of) {
  std::vector<std::string> words;
  for (const TensorDesc& tensor : tensors) words.push_back(of(tensor));
  return cell(fmt::format("{}", fmt::join(words, ";")));
}

std::string upper(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return all;
}

std::string tensors_cells(const std::vector<TensorDesc>& tensors) {
  const auto dims = [](const TensorDesc& one) {
    return fmt::format("{}", fmt::join(one.shape.dims(), ","));
  };
  const auto dtype = [](const TensorDesc& one) { return upper(name_of(one.dtype)); };
  const auto format = [](const TensorDesc& one) { return std::string(name_of(one.format)); };
  return joined(tensors, dims) + "," + joined(tensors, dtype) + "," + joined(tensors, format);
}

}  // namespace

std::string core_type_of(const Piece& piece) {
  if (piece.row != TimelineRow::kStream) return piece.op.starts_with("aicpu ") ? "AI_CPU" : "HOST";
  if (piece.on_cube && piece.on_vector) return "MIX_AIC";
  return piece.on_vector ? "AI_VECTOR_CORE" : "AI_CORE";
}

std::vector<TypeTotal> totals_by_type(const ModelProfile& profile) {
  std::map<std::pair<std::string, std::string>, TypeTotal> totals;
  for (const Piece& piece : profile.pieces) {
    if (piece.row == TimelineRow::kCopies) continue;
    TypeTotal& total = totals[{piece.op, core_type_of(piece)}];
    total.least_ns = total.count == 0 ? piece.ns : std::min(total.least_ns, piece.ns);
    total.most_ns = std::max(total.most_ns, piece.ns);
    total.total_ns += piece.ns;
    total.hbm_bytes += piece.hbm_bytes;
    ++total.count;
  }
  std::vector<TypeTotal> sorted;
  for (auto& [key, total] : totals) {
    std::tie(total.op, total.core_type) = key;
    sorted.push_back(std::move(total));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TypeTotal& a, const TypeTotal& b) { return a.total_ns > b.total_ns; });
  return sorted;
}

std::string op_summary_csv(const ModelProfile& profile) {
  std::string text =
      "Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type,OP State,Task Type,"
      "Task Start Time(us),Task Duration(us),Task Wait Time(us),Block Dim,Input Shapes,"
      "Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats\n";
  size_t task = 0;
  uint64_t end_ns = 0;
  for (const Piece& piece : profile.pieces) {
    const uint64_t wait_ns = piece.start_ns - std::min(piece.start_ns, end_ns);
    end_ns = piece.start_ns + piece.ns;
    if (piece.row == TimelineRow::kCopies) continue;
    text += fmt::format("{},1,{},{},{},{},{},static,{},{},{},{},{},{},{}\n", cell(profile.model),
                        task++, piece.row == TimelineRow::kStream ? "0" : "N/A", piece.frame + 1,
                        cell(piece.name), cell(piece.op), core_type_of(piece),
                        shown_microseconds(piece.start_ns), shown_microseconds(piece.ns),
                        shown_microseconds(wait_ns),
                        piece.row == TimelineRow::kStream ? std::to_string(piece.block_dim) : "N/A",
                        tensors_cells(piece.inputs), tensors_cells(piece.outputs));
  }
  return text;
}

std::string op_statistic_csv(const ModelProfile& profile) {
  const std::vector<TypeTotal> totals = totals_by_type(profile);
  uint64_t all_ns = 0;
  for (const TypeTotal& total : totals) all_ns += total.total_ns;
  std::string text =
      "Model Name,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),"
      "Ratio(%)\n";
  for (const TypeTotal& total : totals)
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{:.3f}\n", cell(profile.model), cell(total.op), total.core_type,
        total.count, shown_microseconds(total.total_ns), shown_microseconds(total.least_ns),
        shown_microseconds(total.total_ns / total.count), shown_microseconds(total.most_ns),
        all_ns == 0 ? 0.0
                    : 100.0 * static_cast<double>(total.total_ns) / static_cast<double>(all_ns));
  return text;
}

}  // namespace opkit::model_profile
