// Template tiling keys: ASCENDC_TPL_ARGS_DECL names a kernel's template parameters and their
// values, ASCENDC_TPL_SEL the combinations that are compiled, GET_TPL_TILING_KEY packs one of them.
// (Vendor's page "Tiling模板编程".)
//
// Host and kernel share the header that holds the declarations: the kernel's build instantiates the
// combinations, the host packs their keys.
// The packing is opkit's own: parameters from the lowest bits up, each as its place in the declared
// values (dtype, format and bool: as the value itself).
#ifndef OPKIT_INCLUDE_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
#define OPKIT_INCLUDE_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_

#include "opkit_host/template_words.h"

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_3_BW 3
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_5_BW 5
#define ASCENDC_TPL_6_BW 6
#define ASCENDC_TPL_7_BW 7
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_9_BW 9
#define ASCENDC_TPL_10_BW 10
#define ASCENDC_TPL_11_BW 11
#define ASCENDC_TPL_12_BW 12
#define ASCENDC_TPL_13_BW 13
#define ASCENDC_TPL_14_BW 14
#define ASCENDC_TPL_15_BW 15
#define ASCENDC_TPL_16_BW 16

#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

// Kinds of kernels, as the waist's opk_task_type numbers them.
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIC_1_1 2
#define ASCENDC_TPL_MIX_AIC_1_2 3
#define ASCENDC_TPL_MIX_AIC_1_0 4
#define ASCENDC_TPL_MIX_AIV_1_0 5

#define C_DT_FLOAT 0
#define C_DT_FLOAT16 1
#define C_DT_INT8 2
#define C_DT_INT32 3
#define C_DT_UINT8 4
#define C_DT_INT16 6
#define C_DT_UINT16 7
#define C_DT_UINT32 8
#define C_DT_INT64 9
#define C_DT_UINT64 10
#define C_DT_DOUBLE 11
#define C_DT_BOOL 12
#define C_DT_COMPLEX64 16
#define C_DT_BF16 27
#define C_DT_INT4 29
#define C_FORMAT_NCHW 0
#define C_FORMAT_NHWC 1
#define C_FORMAT_ND 2
#define C_FORMAT_NC1HWC0 3
#define C_FORMAT_FRACTAL_Z 4
#define C_FORMAT_NC1C0HWPAD 5
#define C_FORMAT_NHWC1C0 6
#define C_FORMAT_FSR_NCHW 7
#define C_FORMAT_FRACTAL_DECONV 8
#define C_FORMAT_C1HWNC0 9
#define C_FORMAT_FRACTAL_DECONV_TRANSPOSE 10
#define C_FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS 11
#define C_FORMAT_NC1HWC0_C04 12
#define C_FORMAT_FRACTAL_Z_C04 13
#define C_FORMAT_CHWN 14
#define C_FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS 15
#define C_FORMAT_HWCN 16
#define C_FORMAT_NC1KHKWHWC0 17
#define C_FORMAT_BN_WEIGHT 18
#define C_FORMAT_FILTER_HWCK 19
#define C_FORMAT_HASHTABLE_LOOKUP_LOOKUPS 20
#define C_FORMAT_HASHTABLE_LOOKUP_KEYS 21
#define C_FORMAT_HASHTABLE_LOOKUP_VALUE 22
#define C_FORMAT_HASHTABLE_LOOKUP_OUTPUT 23
#define C_FORMAT_HASHTABLE_LOOKUP_HITS 24
#define C_FORMAT_C1HWNCoC0 25
#define C_FORMAT_MD 26
#define C_FORMAT_NDHWC 27
#define C_FORMAT_FRACTAL_ZZ 28
#define C_FORMAT_FRACTAL_NZ 29
#define C_FORMAT_NCDHW 30
#define C_FORMAT_DHWCN 31
#define C_FORMAT_NDC1HWC0 32
#define C_FORMAT_FRACTAL_Z_3D 33
#define C_FORMAT_CN 34
#define C_FORMAT_NC 35
#define C_FORMAT_DHWNC 36
#define C_FORMAT_FRACTAL_Z_3D_TRANSPOSE 37
#define C_FORMAT_FRACTAL_ZN_LSTM 38
#define C_FORMAT_FRACTAL_Z_G 39
#define C_FORMAT_RESERVED 40
#define C_FORMAT_ALL 41
#define C_FORMAT_NULL 42
#define C_FORMAT_ND_RNN_BIAS 43
#define C_FORMAT_FRACTAL_ZN_RNN 44

// In a value list: the type (format) of this input (output) of the op.
#define ASCENDC_TPL_INPUT(index) (::opkit_host::kTemplateInput + (index))
#define ASCENDC_TPL_OUTPUT(index) (::opkit_host::kTemplateOutput + (index))

#define OPKIT_TPL(name, bits, form, ...) \
  ::opkit_host::TemplateChoice { name, bits, ::opkit_host::TemplateForm::form, __VA_ARGS__ }

#define ASCENDC_TPL_DTYPE_DECL(name, ...) OPKIT_TPL(#name, 8, kNumber, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(name, ...) OPKIT_TPL(#name, 8, kType, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(name, ...) OPKIT_TPL(#name, 8, kFormat, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(name, ...) OPKIT_TPL(#name, 1, kNumber, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(name, bits, ...) OPKIT_TPL(#name, bits, kList, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...) OPKIT_TPL(#name, 8, kNumber, __VA_ARGS__)

#define ASCENDC_TPL_DTYPE_SEL(name, ...) OPKIT_TPL(#name, 0, kNumber, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(name, ...) OPKIT_TPL(#name, 0, kType, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(name, ...) OPKIT_TPL(#name, 0, kFormat, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(name, ...) OPKIT_TPL(#name, 0, kNumber, __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(name, ...) OPKIT_TPL(#name, 0, kList, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) OPKIT_TPL("", 0, kKernelType, __VA_ARGS__)
// The struct of a combination's tiling data. Kernels name it themselves when they read it
// (GET_TILING_DATA_WITH_STRUCT); the host's own type says how large it is.
#define ASCENDC_TPL_TILING_STRUCT_SEL(...) OPKIT_TPL("tiling struct", 0, kNumber)

#define ASCENDC_TPL_ARGS_SEL(...) \
  ::opkit_host::TemplateSelection { __VA_ARGS__ }

#define ASCENDC_TPL_ARGS_DECL(name, ...)                            \
  [[maybe_unused]] static constexpr auto opkit_template_arguments = \
      ::opkit_host::TemplateDeclaration {                           \
#name, __VA_ARGS__                                              \
  }
#define ASCENDC_TPL_SEL(...)                                         \
  [[maybe_unused]] static constexpr auto opkit_template_selections = \
      ::opkit_host::TemplateSelections {                             \
    __VA_ARGS__                                                      \
  }

#ifndef __CCE_AICORE__

#include "opkit_host/template_key.h"

// The key of a combination, in the order of the declaration. A value that is not declared, or a
// combination that is not selected, is reported and gives UINT64_MAX, for which no kernel exists.
#define GET_TPL_TILING_KEY(...)                                                        \
  ::opkit_host::pack_template_key(opkit_template_arguments, opkit_template_selections, \
                                  {__VA_ARGS__})
#define ASCENDC_TPL_SEL_PARAM(context, ...)                \
  (context)->SetTilingKey(::opkit_host::pack_template_key( \
      opkit_template_arguments, opkit_template_selections, {__VA_ARGS__}))

#endif  // __CCE_AICORE__

#endif  // OPKIT_INCLUDE_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
