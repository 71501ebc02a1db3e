// The builds of add_act, shared by kernel and tiling.
#ifndef TILING_KEY_ADD_ACT_H
#define TILING_KEY_ADD_ACT_H
#include "ascendc/host_api/tiling/template_argument.h"

#define ADD_ACT_NONE 0
#define ADD_ACT_RELU 3

ASCENDC_TPL_ARGS_DECL(AddAct,
                      ASCENDC_TPL_DATATYPE_DECL(D_T_X, C_DT_FLOAT16, C_DT_FLOAT, C_DT_INT32,
                                                ASCENDC_TPL_INPUT(0)),
                      ASCENDC_TPL_UINT_DECL(ACT, ASCENDC_TPL_2_BW, ASCENDC_TPL_UI_LIST,
                                            ADD_ACT_NONE, ADD_ACT_RELU),
                      ASCENDC_TPL_BOOL_DECL(WHOLE_BLOCKS, 0, 1), );

ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
                                     ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_FLOAT16, C_DT_FLOAT),
                                     ASCENDC_TPL_UINT_SEL(ACT, ASCENDC_TPL_UI_LIST, ADD_ACT_NONE,
                                                          ADD_ACT_RELU),
                                     ASCENDC_TPL_BOOL_SEL(WHOLE_BLOCKS, 0, 1), ),
                // Integers have no activation.
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
                                     ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_INT32),
                                     ASCENDC_TPL_UINT_SEL(ACT, ASCENDC_TPL_UI_LIST, ADD_ACT_NONE),
                                     ASCENDC_TPL_BOOL_SEL(WHOLE_BLOCKS, 0, 1), ), );
#endif
