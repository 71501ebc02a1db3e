// gert::TilingContext: what a tiling function reads and answers.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_

#include <type_traits>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tiling_data.h"
#include "platform/platform_infos_def.h"

namespace gert {

// Would describe views, which there are none of.
class Stride;

class TilingContext : public ExtendedKernelContext {
 public:
  // `capacity` of the tiling data in bytes.
  TilingContext(const ComputeNodeInfo& node, fe::PlatFormInfos* platform, const void* compile_info,
                opk_tiling_v1* answer, size_t capacity)
      : ExtendedKernelContext(node),
        platform_(platform),
        compile_info_(compile_info),
        answer_(answer),
        data_(answer, capacity) {}

  fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }
  // What TilingParse filled; nullptr without a registered TilingParse.
  const void* GetCompileInfo() const { return compile_info_; }
  template <typename T>
  const T* GetCompileInfo() const {
    return static_cast<const T*>(compile_info_);
  }
  int32_t GetDeterministic() const { return node_.call().deterministic; }
  // 0 or 1: the levels above 1 cannot be asked for here.
  int32_t GetDeterministicLevel() const { return GetDeterministic() != 0; }

  const StorageShape* GetInputShape(size_t i) const { return shape_of(input(i)); }
  const StorageShape* GetRequiredInputShape(size_t ir) const { return shape_of(ir_input(ir, 0)); }
  const StorageShape* GetOptionalInputShape(size_t ir) const { return shape_of(ir_input(ir, 0)); }
  const StorageShape* GetDynamicInputShape(size_t ir, size_t relative) const {
    return shape_of(ir_input(ir, relative));
  }
  const StorageShape* GetOutputShape(size_t i) const { return shape_of(output(i)); }
  const StorageShape* GetDynamicOutputShape(size_t ir, size_t relative) const {
    return shape_of(output(node_.outputs().flat(ir, relative)));
  }

  const Tensor* GetInputTensor(size_t i) const { return input(i); }
  const Tensor* GetRequiredInputTensor(size_t ir) const { return ir_input(ir, 0); }
  const Tensor* GetOptionalInputTensor(size_t ir) const { return ir_input(ir, 0); }
  const Tensor* GetDynamicInputTensor(size_t ir, size_t relative) const {
    return ir_input(ir, relative);
  }

  // Tensors arrive here without gaps, so none is a view.
  bool InputIsView(size_t) const { return false; }
  bool RequiredInputIsView(size_t) const { return false; }
  bool OptionalInputIsView(size_t) const { return false; }
  bool DynamicInputIsView(size_t, size_t) const { return false; }
  bool OutputIsView(size_t) const { return false; }
  const Stride* GetInputStride(size_t) const { return nullptr; }
  const Stride* GetRequiredInputStride(size_t) const { return nullptr; }
  const Stride* GetOptionalInputStride(size_t) const { return nullptr; }
  const Stride* GetDynamicInputStride(size_t, size_t) const { return nullptr; }
  const Stride* GetOutputStride(size_t) const { return nullptr; }
  int64_t GetInputOffset(size_t) const { return -1; }
  int64_t GetRequiredInputOffset(size_t) const { return -1; }
  int64_t GetOptionalInputOffset(size_t) const { return -1; }
  int64_t GetDynamicInputOffset(size_t, size_t) const { return -1; }
  int64_t GetOutputOffset(size_t) const { return -1; }

  ge::graphStatus SetTilingKey(uint64_t key) {
    return answer_->tiling_key = key, ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return answer_->tiling_key; }
  ge::graphStatus SetBlockDim(uint32_t blocks) {
    return answer_->block_dim = blocks, ge::GRAPH_SUCCESS;
  }
  uint32_t GetBlockDim() const { return answer_->block_dim; }
  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
  uint32_t GetSimdNumBlocks() const { return GetBlockDim(); }
  ge::graphStatus SetNeedAtomic(bool atomic) {
    return answer_->need_atomic = atomic, ge::GRAPH_SUCCESS;
  }
  bool NeedAtomic() const { return answer_->need_atomic != 0; }
  // 1: all blocks must be resident at once (SyncAll).
  ge::graphStatus SetScheduleMode(uint32_t mode) {
    return answer_->schedule_mode = mode, ge::GRAPH_SUCCESS;
  }
  uint32_t GetScheduleMode() const { return answer_->schedule_mode; }
  // Remembered for the function itself: a condition of its choice (-1 = none), AI CPU cores.
  ge::graphStatus SetTilingCond(int32_t cond) { return tiling_cond_ = cond, ge::GRAPH_SUCCESS; }
  int32_t GetTilingCond() const { return tiling_cond_; }
  ge::graphStatus SetAicpuBlockDim(uint32_t blocks) {
    return aicpu_blocks_ = blocks, ge::GRAPH_SUCCESS;
  }
  uint32_t GetAicpuBlockDim() const { return aicpu_blocks_; }
  ge::graphStatus SetAicpuNumBlocks(uint32_t blocks) { return SetAicpuBlockDim(blocks); }
  uint32_t GetAicpuNumBlocks() const { return GetAicpuBlockDim(); }
  // Bytes.
  ge::graphStatus SetDynUBufSize(uint32_t size) { return SetLocalMemorySize(size); }
  uint32_t GetDynUBufSize() const { return GetLocalMemorySize(); }
  ge::graphStatus SetLocalMemorySize(uint32_t size) {
    return answer_->local_memory_size = size, ge::GRAPH_SUCCESS;
  }
  uint32_t GetLocalMemorySize() const { return answer_->local_memory_size; }

  // Returns the tiling data as a plain struct; its size becomes the data size. nullptr (reported)
  // when it does not fit.
  template <typename T>
  T* GetTilingData() {
    static_assert(std::is_trivially_copyable<T>::value,
                  "a class of BEGIN_TILING_DATA_DEF is written with SaveToBuffer");
    if (data_.GetDataSize() < sizeof(T)) {
      data_.SetDataSize(0);
      if (data_.Expand(sizeof(T)) == nullptr) return nullptr;
    }
    return static_cast<T*>(data_.GetData());
  }
  TilingData* GetRawTilingData() { return &data_; }
  const TilingData* GetRawTilingData() const { return &data_; }

  // Returns an array of `count` sizes in bytes to fill, or nullptr (reported) beyond
  // OPK_MAX_WORKSPACES.
  size_t* GetWorkspaceSizes(size_t count) {
    if (count > OPK_MAX_WORKSPACES) {
      opkit_host::report(opkit_host::kError, "OPK-HOST-003",
                         opkit_host::format("%zu workspaces were asked for, at most %d exist",
                                            count, OPK_MAX_WORKSPACES));
      return nullptr;
    }
    answer_->workspace_count = static_cast<uint32_t>(count);
    return reinterpret_cast<size_t*>(answer_->workspaces);
  }
  size_t GetWorkspaceNum() const { return answer_->workspace_count; }

 private:
  static_assert(sizeof(size_t) == sizeof(uint64_t), "the waist counts workspace bytes in 64 bits");
  static const StorageShape* shape_of(const Tensor* tensor) {
    return tensor != nullptr ? &tensor->GetShape() : nullptr;
  }

  fe::PlatFormInfos* platform_;
  const void* compile_info_;
  opk_tiling_v1* answer_;
  TilingData data_;
  int32_t tiling_cond_ = -1;
  uint32_t aicpu_blocks_ = 0;
};

// What a TilingParse function reads, and the compile info it fills.
class TilingParseContext : public ExtendedKernelContext {
 public:
  TilingParseContext(const ComputeNodeInfo& node, fe::PlatFormInfos* platform, void* compile_info)
      : ExtendedKernelContext(node), platform_(platform), compile_info_(compile_info) {}

  fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }
  template <typename T>
  T* GetCompiledInfo() const {
    return static_cast<T*>(compile_info_);
  }
  // Kernels that are compiled here carry no json.
  const char* GetCompiledJson() const { return "{}"; }

 private:
  fe::PlatFormInfos* platform_;
  void* compile_info_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
