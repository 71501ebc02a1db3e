// Names of build options, and the graph engine's status.
#ifndef OPKIT_INCLUDE_GE_GE_API_TYPES_H_
#define OPKIT_INCLUDE_GE_GE_API_TYPES_H_

namespace ge {
namespace ir_option {

constexpr const char* SOC_VERSION = "soc_version";
constexpr const char* INPUT_FORMAT = "input_format";
constexpr const char* INPUT_SHAPE = "input_shape";
constexpr const char* DYNAMIC_BATCH_SIZE = "dynamic_batch_size";
constexpr const char* DYNAMIC_IMAGE_SIZE = "dynamic_image_size";
constexpr const char* DYNAMIC_DIMS = "dynamic_dims";
constexpr const char* INSERT_OP_FILE = "insert_op_file";
constexpr const char* PRECISION_MODE = "precision_mode";
constexpr const char* PRECISION_MODE_V2 = "precision_mode_v2";
constexpr const char* FUSION_SWITCH_FILE = "fusion_switch_file";
constexpr const char* OP_SELECT_IMPL_MODE = "op_select_implmode";
constexpr const char* OPTYPELIST_FOR_IMPLMODE = "optypelist_for_implmode";
constexpr const char* LOG_LEVEL = "log";
constexpr const char* OUTPUT_TYPE = "output_type";
constexpr const char* OUT_NODES = "out_nodes";
constexpr const char* INPUT_FP16_NODES = "input_fp16_nodes";
constexpr const char* CORE_TYPE = "core_type";
constexpr const char* AICORE_NUM = "aicore_num";
constexpr const char* BUFFER_OPTIMIZE = "buffer_optimize";
constexpr const char* ENABLE_SINGLE_STREAM = "enable_single_stream";
constexpr const char* ENABLE_SMALL_CHANNEL = "enable_small_channel";
constexpr const char* EXEC_DISABLE_REUSED_MEMORY = "disable_reuse_memory";
constexpr const char* DETERMINISTIC = "deterministic";
constexpr const char* OP_COMPILER_CACHE_DIR = "op_compiler_cache_dir";
constexpr const char* OP_COMPILER_CACHE_MODE = "op_compiler_cache_mode";
constexpr const char* DEBUG_DIR = "debug_dir";
constexpr const char* OP_DEBUG_LEVEL = "op_debug_level";

}  // namespace ir_option
}  // namespace ge

#endif  // OPKIT_INCLUDE_GE_GE_API_TYPES_H_
