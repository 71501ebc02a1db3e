# Libraries of kernels: ascendc_library and its neighbours. This folder is
# <toolkit>/tools/tikcpp/ascendc_kernel_cmake. SOC_VERSION, if it is set, is the chip.
get_filename_component(ASC_TOOLKIT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/modules")
enable_language(ASC)

# What programs that launch kernels compile and link with.
if(NOT TARGET host_intf_pub)
  add_library(host_intf_pub INTERFACE)
  target_include_directories(host_intf_pub INTERFACE "${ASC_TOOLKIT}/include")
  target_link_directories(host_intf_pub INTERFACE "${ASC_TOOLKIT}/lib64")
  target_link_libraries(host_intf_pub INTERFACE "${ASC_TOOLKIT}/lib64/libascendcl.so")
endif()

# ascendc_library(name STATIC|SHARED|OBJECT source...): what links it finds aclrtlaunch_<kernel>.h.
function(ascendc_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;OBJECT" "" "")
  set(kind STATIC)
  foreach(other SHARED OBJECT)
    if(arg_${other})
      set(kind ${other})
    endif()
  endforeach()
  set(sources)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND sources "${source}")
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "ascendc_library(${name}) wants sources")
  endif()
  set_source_files_properties(${sources} PROPERTIES LANGUAGE ASC)
  add_library(${name} ${kind} ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(chip)
  if(SOC_VERSION)
    set(chip --opkit-soc=${SOC_VERSION})
  endif()
  target_compile_options(${name} PRIVATE --opkit-launchers ${chip})

  set(headers "${CMAKE_CURRENT_BINARY_DIR}/${name}_launchers")
  set(folders "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(macros "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  add_custom_command(
    OUTPUT "${headers}/made"
    COMMAND "${CMAKE_ASC_COMPILER}" cc --launchers "${headers}" ${sources} --
            "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" "$<$<BOOL:${macros}>:-D$<JOIN:${macros},;-D>>" ${chip}
    COMMAND "${CMAKE_COMMAND}" -E touch "${headers}/made"
    DEPENDS ${sources} COMMENT "Writing the launchers of ${name}" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name}_launchers DEPENDS "${headers}/made")
  add_dependencies(${name} ${name}_launchers)
  target_include_directories(${name} INTERFACE "${headers}")
  target_link_libraries(${name} INTERFACE host_intf_pub)
endfunction()

function(ascendc_compile_options name)
  target_compile_options(${name} ${ARGN})
endfunction()

function(ascendc_compile_definitions name)
  # A plain -D is taken off by CMake, one within a generator expression is not.
  set(scope PRIVATE)
  foreach(definition ${ARGN})
    if(definition MATCHES "^(PRIVATE|PUBLIC|INTERFACE)$")
      set(scope ${definition})
    elseif(definition MATCHES "^\\$<.*-D")
      target_compile_options(${name} ${scope} "${definition}")
    else()
      target_compile_definitions(${name} ${scope} "${definition}")
    endif()
  endforeach()
endfunction()

function(ascendc_include_directories name)
  target_include_directories(${name} ${ARGN})
endfunction()
