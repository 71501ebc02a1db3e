# find_package(tikicpulib): C++ sources of targets that link tikicpulib::<chip>, Ascend910B1 or
# ascend910B1, are compiled by `opkit cc`, so that ICPU_RUN_KF runs their kernels on this host.
# (Vendor's page "CPU域孪生调试".) This folder is <toolkit>/lib/cmake/tikicpulib or
# <toolkit>/tools/tikicpulib/lib/cmake/tikicpulib. Targets that are made before this call, or in
# folders that do not see it, cannot link the package.
find_program(TIKICPULIB_OPKIT opkit NO_DEFAULT_PATH
             HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin")
mark_as_advanced(TIKICPULIB_OPKIT)
get_filename_component(tikicpulib_toolkit "${TIKICPULIB_OPKIT}" DIRECTORY)
get_filename_component(tikicpulib_toolkit "${tikicpulib_toolkit}" DIRECTORY)

set(tikicpulib_launcher sh "${CMAKE_CURRENT_LIST_DIR}/cpu-cxx" "${TIKICPULIB_OPKIT}")
if(NOT "${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "cpu-cxx")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${tikicpulib_launcher} ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

if(NOT TARGET tikicpulib::runtime)
  add_library(tikicpulib::runtime INTERFACE IMPORTED)
  set_target_properties(tikicpulib::runtime PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${tikicpulib_toolkit}/include"
    INTERFACE_LINK_LIBRARIES "${tikicpulib_toolkit}/lib64/libascendcl.so"
    INTERFACE_COMPILE_DEFINITIONS "ASCENDC_CPU_DEBUG;__CCE_KT_TEST__;OPKIT_SHARED_CORE")
  execute_process(COMMAND "${TIKICPULIB_OPKIT}" soc list OUTPUT_VARIABLE tikicpulib_chips
                  RESULT_VARIABLE tikicpulib_failed)
  string(REGEX MATCHALL "Ascend[0-9A-Z]+[0-9]" tikicpulib_chips "${tikicpulib_chips}")
  list(REMOVE_DUPLICATES tikicpulib_chips)
  foreach(tikicpulib_chip IN LISTS tikicpulib_chips)
    string(REPLACE "Ascend" "ascend" tikicpulib_lower "${tikicpulib_chip}")
    foreach(tikicpulib_name "${tikicpulib_chip}" "${tikicpulib_lower}")
      add_library(tikicpulib::${tikicpulib_name} INTERFACE IMPORTED)
      set_target_properties(tikicpulib::${tikicpulib_name} PROPERTIES
        INTERFACE_LINK_LIBRARIES tikicpulib::runtime
        INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:--opkit-soc=${tikicpulib_chip}>")
    endforeach()
  endforeach()
endif()
