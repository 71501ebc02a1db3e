execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE layout RESULT_VARIABLE failed)
file(READ ${EXPECTED} expected)
if(failed OR NOT layout STREQUAL expected)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/v1.layout.new "${layout}")
  message(FATAL_ERROR "The layout of opkit/abi differs from ${EXPECTED}.\n"
                      "If structs only grew at their tails, copy ${CMAKE_CURRENT_BINARY_DIR}/v1.layout.new over it;\n"
                      "otherwise raise OPK_ABI_VERSION as well.")
endif()
