#include "opkit/build/project/compiler_advice.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace opkit::project {
namespace {

// Instructions of the device's compiler, by how their names begin, and the call of the API that
// issues each. The first that fits counts.
struct Instruction {
  std::string_view begins, call;
};
constexpr std::array<Instruction, 49> kInstructions = {{
    {"copy_gm_to_ubuf_align", "DataCopyPad"},
    {"copy_ubuf_to_gm_align", "DataCopyPad"},
    {"copy_gm_to_cbuf_multi_nd2nz", "DataCopy with Nd2NzParams"},
    {"copy_gm_to_ubuf", "DataCopy"},
    {"copy_ubuf_to", "DataCopy"},
    {"copy_gm_to_cbuf", "DataCopy"},
    {"copy_cbuf_to", "DataCopy"},
    {"copy_matrix_cc_to", "Fixpipe"},
    {"set_nd_para", "Fixpipe with ndNum, srcNdStride and dstNdStride"},
    {"set_quant_pre", "Fixpipe with quantPre and deqScalar"},
    {"set_fpc", "Fixpipe with a tensor of scales"},
    {"load_gm_to_c", "LoadData"},
    {"load_cbuf_to_c", "LoadData"},
    {"img2colv2_cbuf_to_c", "LoadData with LoadData3DParamsV2"},
    {"set_fmatrix", "SetFmatrix"},
    {"create_ca_matrix", "InitConstValue"},
    {"create_cb_matrix", "InitConstValue"},
    {"create_cbuf_matrix", "InitConstValue"},
    {"mad", "Mmad"},
    {"vector_dup", "Duplicate"},
    {"vconv_", "Cast"},
    {"vcmpv", "Compare"},
    {"vcmp", "Compare"},
    {"vsel", "Select"},
    {"vreducev2", "GatherMask"},
    {"vgatherb", "Gatherb"},
    {"vgather", "Gather"},
    {"vbrcb", "Brcb"},
    {"vbitsort", "Sort32"},
    {"vmrgsort", "MrgSort"},
    {"vtranspose", "Transpose"},
    {"scatter_vnchwconv", "TransDataTo5HD"},
    {"vcgadd", "BlockReduceSum"},
    {"vcgmax", "BlockReduceMax"},
    {"vcgmin", "BlockReduceMin"},
    {"vcpadd", "PairReduceSum"},
    {"vcadd", "WholeReduceSum"},
    {"vcmax", "WholeReduceMax"},
    {"vcmin", "WholeReduceMin"},
    {"vadds", "Adds"},
    {"vmuls", "Muls"},
    {"vmaxs", "Maxs"},
    {"vmins", "Mins"},
    {"vadd", "Add"},
    {"vsub", "Sub"},
    {"vmul", "Mul"},
    {"vdiv", "Div"},
    {"set_atomic_", "SetAtomicAdd, SetAtomicMax or SetAtomicMin"},
    {"set_ctrl", "SetCtrlSpr"},
}};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool is_narrow_arithmetic(const std::string& message) {
  return has(message, "use of deleted function") && has(message, "is_narrow<");
}
bool is_narrow_conversion(const std::string& message) {
  return has(message, "use of deleted function") && has(message, "BFloat16::operator float");
}

// "the frame size of 40992 bytes is larger than 32768 bytes [-Werror=...]".
std::string frame_bytes(const std::string& message) {
  const char* const before = "the frame size of ";
  const size_t at = message.find(before);
  if (at == std::string::npos) return {};
  const size_t from = at + std::string(before).size();
  return message.substr(from, message.find(' ', from) - from);
}

// "'vadd' was not declared in this scope", or in a template "there are no arguments to 'vadd' that
// depend on a template parameter": vadd, in whatever quotes.
std::string undeclared_name(const std::string& message) {
  const std::string before = "there are no arguments to ";
  const bool in_template = message.compare(0, before.size(), before) == 0;
  const size_t from = in_template ? before.size() : 0;
  const size_t end = message.find(in_template ? " that depend on a template parameter"
                                              : " was not declared in this scope");
  if (end == std::string::npos) return {};
  std::string name;
  for (const char c : message.substr(from, end - from)) {
    if (c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
      name += c;
  }
  return name;
}

std::optional<CompilerAdvice> instruction_advice(const std::string& message) {
  const std::string name = undeclared_name(message);
  if (name.empty()) return std::nullopt;
  for (const Instruction& instruction : kInstructions) {
    const std::string_view begins = instruction.begins;
    if (name.compare(0, begins.size(), begins) != 0) continue;
    const bool whole = name.size() == begins.size() || name[begins.size()] == '_' ||
                       begins.back() == '_' || begins.find("_to") != std::string_view::npos;
    if (!whole) continue;
    return CompilerAdvice{
        fmt::format("{} is an instruction of the device's compiler, which no page describes", name),
        fmt::format("use {}", instruction.call)};
  }
  return std::nullopt;
}

// "aclnn_add_custom.h: No such file or directory": aclnn_add_custom.h.
std::string missing_header(const std::string& message) {
  const size_t end = message.find(": No such file or directory");
  if (end == std::string::npos) return {};
  const size_t begin =
      message.rfind(' ', end) == std::string::npos ? 0 : message.rfind(' ', end) + 1;
  return message.substr(begin, end - begin);
}

// "aclnnop/aclnn_add_custom.h": AddCustom.
std::string op_of_header(const std::string& header) {
  const size_t begin = header.rfind("aclnn_");
  if (begin == std::string::npos || !header.ends_with(".h")) return {};
  std::string op;
  bool capital = true;
  for (const char c : header.substr(begin + 6, header.size() - begin - 8)) {
    if (c != '_') op += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '_';
  }
  return op;
}

std::optional<CompilerAdvice> header_advice(const std::string& message) {
  const std::string header = missing_header(message);
  if (header.rfind("opdev/", 0) == 0) {
    return CompilerAdvice{
        fmt::format("{} belongs to hand-written aclnn calls of the vendor's own operators, which "
                    "opkit makes from the op's definition",
                    header),
        "leave these sources out of op_host: an op's folder needs its definition, tiling and "
        "kernel"};
  }
  const std::string op = op_of_header(header);
  if (op.empty()) return std::nullopt;
  return CompilerAdvice{
      fmt::format("{} is there once an op is installed whose type gives that name, {} as a rule; "
                  "none is",
                  header, op),
      fmt::format("opkit why {}", op)};
}

std::optional<CompilerAdvice> tiling_advice(const std::string& message) {
  if (undeclared_name(message) != "OpkitDefaultTiling") return std::nullopt;
  return CompilerAdvice{
      "GET_TILING_DATA does not say of which struct: no REGISTER_TILING_DEFAULT stands in front of "
      "it, and no class of tiling data is registered",
      "write REGISTER_TILING_DEFAULT(Struct) before it, or GET_TILING_DATA_WITH_STRUCT(Struct, "
      "name, tiling)"};
}

}  // namespace

bool is_of_device_only(const std::string& message) {
  return is_narrow_arithmetic(message) || is_narrow_conversion(message);
}

// Returns the sentences of names that are declared to be refused (ascendc/absent.h): what is
// missing, and mostly what to use in its place.
std::optional<CompilerAdvice> absence_advice(const std::string& message) {
  constexpr std::string_view kFailed = "static assertion failed: ";
  if (!message.starts_with(kFailed) || !has(message, " is not emulated")) return std::nullopt;
  const std::string sentence = message.substr(kFailed.size());
  for (const std::string_view before : {"; use ", ": use "}) {
    if (const size_t at = sentence.rfind(before); at != std::string::npos)
      return CompilerAdvice{sentence.substr(0, at), sentence.substr(at + 2)};
  }
  return CompilerAdvice{sentence, "use what the message names in its place"};
}

CompilerAdvice frame_advice(const std::string& function, const std::string& bytes) {
  return {fmt::format("the variables {}take {} bytes; the stack of a core has 32768",
                      function.empty() ? std::string("of this function ") : "of " + function + " ",
                      bytes),
          "keep large arrays in UB, from a TBuf, or in the workspace"};
}

std::optional<CompilerAdvice> advice_for(const std::string& message) {
  if (is_narrow_arithmetic(message)) {
    return CompilerAdvice{
        "arithmetic of single half or bfloat16_t values, which the chip's compiler refuses in "
        "functions of the device",
        "compute in float and convert once, as in half(float(a) + float(b)); a bfloat16_t goes by "
        "ToFloat and ToBfloat16"};
  }
  if (is_narrow_conversion(message)) {
    return CompilerAdvice{
        "a cast of a single bfloat16_t, which the chip's compiler refuses in functions of the "
        "device",
        "write ToFloat(x), and convert its result"};
  }
  if (has(message, "operands to ") && has(message, "have different types") &&
      (has(message, "opkit::Half") || has(message, "opkit::BFloat16"))) {
    return CompilerAdvice{message + "; a number and a half in one ?: convert both ways here",
                          "give both the same type, as in c ? x : float(h)"};
  }
  if (has(message, "could not convert template argument") ||
      has(message, "is not a valid template argument")) {
    return CompilerAdvice{
        message + "; the host's compiler knows some constants of functions too late",
        "move the constant out of the function, to its class or namespace: static constexpr there"};
  }
  if (const std::string bytes = frame_bytes(message); !bytes.empty())
    return frame_advice("", bytes);
  if (auto advice = absence_advice(message)) return advice;
  if (auto advice = header_advice(message)) return advice;
  if (auto advice = tiling_advice(message)) return advice;
  return instruction_advice(message);
}

}  // namespace opkit::project
