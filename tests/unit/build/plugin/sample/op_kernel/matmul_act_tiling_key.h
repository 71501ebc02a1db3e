#ifndef MATMUL_ACT_TILING_KEY_H
#define MATMUL_ACT_TILING_KEY_H
#include "ascendc/host_api/tiling/template_argument.h"

#define ACT_NONE 0
#define ACT_RELU 1
#define ACT_GELU 7

ASCENDC_TPL_ARGS_DECL(
    MatmulAct, ASCENDC_TPL_DATATYPE_DECL(D_T_X, C_DT_FLOAT, C_DT_FLOAT16, ASCENDC_TPL_INPUT(0)),
    ASCENDC_TPL_FORMAT_DECL(F_W, C_FORMAT_ND, C_FORMAT_FRACTAL_NZ),
    ASCENDC_TPL_UINT_DECL(ACT, ASCENDC_TPL_2_BW, ASCENDC_TPL_UI_LIST, ACT_NONE, ACT_RELU, ACT_GELU),
    ASCENDC_TPL_UINT_DECL(TILES, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_MIX, 2, 0, 2, 5, 6, 100, 200),
    ASCENDC_TPL_BOOL_DECL(HAS_BIAS, 0, 1), );

ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_MIX_AIC_1_2),
                                     ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_FLOAT16),
                                     ASCENDC_TPL_FORMAT_SEL(F_W, C_FORMAT_ND, C_FORMAT_FRACTAL_NZ),
                                     ASCENDC_TPL_UINT_SEL(ACT, ASCENDC_TPL_UI_LIST, ACT_RELU,
                                                          ACT_GELU),
                                     ASCENDC_TPL_UINT_SEL(TILES, ASCENDC_TPL_UI_RANGE, 1, 0, 1),
                                     ASCENDC_TPL_BOOL_SEL(HAS_BIAS, 0, 1)),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_FLOAT),
                                     ASCENDC_TPL_FORMAT_SEL(F_W, C_FORMAT_ND),
                                     ASCENDC_TPL_UINT_SEL(ACT, ASCENDC_TPL_UI_LIST, ACT_NONE),
                                     ASCENDC_TPL_UINT_SEL(TILES, ASCENDC_TPL_UI_LIST, 200),
                                     ASCENDC_TPL_BOOL_SEL(HAS_BIAS, 0)), );
#endif
