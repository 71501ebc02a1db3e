# opkit_add_op(VENDOR <name> [FOLDER <folder>] [CONTRACT <file>] [KERNEL <file>] [HOST <files>...] [PACKAGE <folder>]
#              [INCLUDES <folders>...] [HOST_OBJECTS <target>] [GLUE <folder>] [SHARED_PARTS])
#
# Makes the op of this folder, or of FOLDER, one plugin and one package:
#   op_contract.yaml, op_kernel/<entry>.cpp, op_host/*.cpp  ->  <build>/package/{manifest.yaml, op_proto, op_impl}
# The kernel is compiled once per dtype column of the contract and per kind of core; once per tiling key, too, where the
# source needs its key as a constant. Of an op whose contract says task_type: aicpu all sources of op_kernel_aicpu (or
# cpukernel/impl) are compiled once; op_host is not needed.
# SHARED_PARTS: op_host and op_kernel may include opkit's parts of ops (ops/shared). Projects of opkit new hold their own
# copies and do without.
#
# opkit_add_family(VENDOR <name> [FOLDER <folder>] [SHARED_PARTS])
#
# Makes every op of this folder, or of FOLDER, a plugin and a package of its own, <build>/package/<op>. An op is
#   <op>_contract.yaml, op_kernel/<op>.cpp and op_host/<op>.cpp
# Ops without a host file of their own take op_host/<folder>.cpp, which is compiled once for all of them.
#
# opkit_read_definitions(<target> HOST <files>... [INCLUDES <folders>...])
#
# Compiles op_host sources to the object library <target> and makes the program <target>_answers, which writes what their
# OpDefs and tiling structs say (opkit_host/answers.h). `opkit build` uses both for projects without a contract.

include_guard() # sibling folders read it again: what it sets is theirs alone

if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW) # names in a DEPFILE are what they are
endif()

set(OPKIT_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/opkit_plugin.map)

include(${CMAKE_CURRENT_LIST_DIR}/OpkitOpOptions.cmake)

# The SDK's precompiled headers, while every file that they were made of is as it was; "" = none.
function(_opkit_find_precompiled result)
  set(${result} "" PARENT_SCOPE)
  if(EXISTS ${OPKIT_PRECOMPILED}/sources.txt)
    file(STRINGS ${OPKIT_PRECOMPILED}/sources.txt sources)
    file(STRINGS ${OPKIT_PRECOMPILED}/digest.txt digest)
    opkit_digest(now "${sources}")
    if(now STREQUAL digest)
      set(${result} ${OPKIT_PRECOMPILED} PARENT_SCOPE)
      # To the compiler a precompiled header is one file: what it was made of is not among an object's dependencies.
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    endif()
  endif()
endfunction()
_opkit_find_precompiled(OPKIT_PRECOMPILED_HERE)

# A source that was compiled before, in any build folder of the same place, is not compiled again.
find_program(OPKIT_CCACHE ccache)
if(OPKIT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${OPKIT_CCACHE})
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

function(opkit_add_op)
  cmake_parse_arguments(ARG "SHARED_PARTS" "VENDOR;FOLDER;CONTRACT;KERNEL;PACKAGE;HOST_OBJECTS;GLUE" "HOST;INCLUDES" ${ARGN})
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  if(ARG_FOLDER)
    set(here ${ARG_FOLDER})
  endif()
  set(glue_folder ${CMAKE_CURRENT_BINARY_DIR}/glue)
  if(ARG_GLUE)
    set(glue_folder ${ARG_GLUE})
  endif()
  if(NOT ARG_VENDOR)
    set(ARG_VENDOR customize)
  endif()
  if(NOT ARG_CONTRACT)
    set(ARG_CONTRACT ${here}/op_contract.yaml)
  endif()
  if(NOT ARG_KERNEL)
    _opkit_find_kernel(${here} ARG_KERNEL)
  endif()
  if(NOT ARG_HOST)
    file(GLOB ARG_HOST CONFIGURE_DEPENDS ${here}/op_host/*.cpp ${here}/op_host/*.h)
  endif()
  if(NOT ARG_PACKAGE)
    set(ARG_PACKAGE ${CMAKE_CURRENT_BINARY_DIR}/package)
  endif()
  if(ARG_SHARED_PARTS)
    list(APPEND ARG_INCLUDES ${OPKIT_SHARED_PARTS}/op_kernel ${OPKIT_SHARED_PARTS}/op_host)
  endif()
  get_filename_component(kernel_folder ${ARG_KERNEL} DIRECTORY)
  set(includes ${here}/op_kernel ${kernel_folder} ${ARG_INCLUDES})
  list(REMOVE_DUPLICATES includes)
  _opkit_generate(${ARG_CONTRACT} ${ARG_KERNEL} "${ARG_HOST}" "${ARG_INCLUDES}" op name version structs aicpu glue)

  if(aicpu)
    file(GLOB sources CONFIGURE_DEPENDS ${kernel_folder}/*.cpp ${kernel_folder}/*.cc)
    list(APPEND ARG_HOST ${sources})
    get_target_property(headers opkit::sdk INTERFACE_INCLUDE_DIRECTORIES)
    list(TRANSFORM headers APPEND /aicpu) # the vendor's projects include "cpu_kernel.h" without its folder
    list(APPEND includes ${headers})
  endif()
  list(FILTER ARG_HOST EXCLUDE REGEX "\\.(h|hpp)$")
  if(structs AND NOT ARG_HOST_OBJECTS)
    set(ARG_HOST_OBJECTS ${name}_host)
    _opkit_host_program(${ARG_HOST_OBJECTS} "${ARG_HOST}" "${includes}")
  endif()
  if(ARG_HOST_OBJECTS)
    set(sources "")
    set(objects $<TARGET_OBJECTS:${ARG_HOST_OBJECTS}>)
  else()
    set(sources ${ARG_HOST})
    set(objects "")
  endif()
  if(structs)
    set(header ${glue_folder}/tiling_structs.h)
    # Named as a dependency, too: a command's program alone brings no new answers when it was built anew.
    add_custom_command(OUTPUT ${header} COMMAND ${ARG_HOST_OBJECTS}_answers tiling-structs ${op} ${header}
                       DEPENDS ${ARG_HOST_OBJECTS}_answers
                       COMMENT "Reading tiling structs of ${op}" VERBATIM)
    set(structs ${name}_tiling_structs)
    add_custom_target(${structs} DEPENDS ${header})
  else()
    set(structs "")
  endif()
  _opkit_isolate_kernels(${name} "${includes}" "${structs}" glue)
  # Objects of their own: nothing that is compiled waits for the objects of kernels to be isolated.
  set(isolated ${glue})
  list(FILTER isolated INCLUDE REGEX "\\.o$")
  list(FILTER glue EXCLUDE REGEX "\\.o$")
  add_library(${name}_parts OBJECT ${glue} ${sources})
  _opkit_compile_as_authors(${name}_parts "${includes}")
  add_library(${name} MODULE ${isolated} $<TARGET_OBJECTS:${name}_parts> ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE opkit::plugin)
  # One symbol leaves the plugin; what two plugins define alike must not meet in one process.
  # What it does not reach is dropped, with the marks of cube calls by which kernels find their type (ascendc/reach.h).
  target_link_options(${name} PRIVATE -Wl,--version-script=${OPKIT_PLUGIN_MAP} -Wl,--gc-sections -Wl,-z,start-stop-gc)
  _opkit_package(${name} ${glue_folder}/op_contract.yaml ${ARG_VENDOR} ${ARG_PACKAGE})
endfunction()

function(opkit_add_family)
  cmake_parse_arguments(ARG "SHARED_PARTS" "VENDOR;FOLDER" "" ${ARGN})
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  if(ARG_FOLDER)
    set(here ${ARG_FOLDER})
  endif()
  set(parts "")
  set(includes ${here}/op_kernel)
  if(ARG_SHARED_PARTS)
    set(parts SHARED_PARTS)
    list(APPEND includes ${OPKIT_SHARED_PARTS}/op_kernel ${OPKIT_SHARED_PARTS}/op_host)
  endif()
  get_filename_component(family ${here} NAME)
  set(common ${here}/op_host/${family}.cpp)
  if(EXISTS ${common})
    _opkit_host_program(${family}_host ${common} "${includes}")
  endif()
  file(GLOB contracts CONFIGURE_DEPENDS ${here}/*_contract.yaml)
  foreach(contract ${contracts})
    get_filename_component(op ${contract} NAME)
    string(REGEX REPLACE "_contract\\.yaml$" "" op ${op})
    set(own ${here}/op_host/${op}.cpp)
    set(kernel ${here}/op_kernel/${op}.cpp)
    if(NOT EXISTS ${kernel})
      message(FATAL_ERROR "opkit_add_family: ${op} has no kernel: ${kernel} is not there, which ${op}_contract.yaml asks for")
    endif()
    set(host HOST ${common} HOST_OBJECTS ${family}_host)
    if(EXISTS ${own})
      set(host HOST ${own})
    elseif(NOT EXISTS ${common})
      message(FATAL_ERROR "opkit_add_family: ${op} has no host source: neither ${own}, of this op alone, nor ${common}, of the family, is there; the family's file is named like its folder")
    endif()
    opkit_add_op(VENDOR ${ARG_VENDOR} FOLDER ${here} CONTRACT ${contract} KERNEL ${kernel} ${host}
                 GLUE ${CMAKE_CURRENT_BINARY_DIR}/glue/${op} PACKAGE ${CMAKE_CURRENT_BINARY_DIR}/package/${op} ${parts})
  endforeach()
endfunction()

function(opkit_read_definitions target)
  cmake_parse_arguments(ARG "" "" "HOST;INCLUDES" ${ARGN})
  list(FILTER ARG_HOST EXCLUDE REGEX "\\.(h|hpp)$")
  _opkit_host_program(${target} "${ARG_HOST}" "${ARG_INCLUDES}")
endfunction()

# The object library <target> of op_host sources, and <target>_answers, the program that says what they registered.
function(_opkit_host_program target sources includes)
  add_library(${target} OBJECT ${sources})
  _opkit_compile_as_authors(${target} "${includes}")
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${target}_answers.cpp)
  file(CONFIGURE OUTPUT ${main} CONTENT
"#include \"opkit_host/answers.h\"
int main(int count, char** words) { return opkit_host::answer(count, words); }
" @ONLY)
  add_executable(${target}_answers ${main} $<TARGET_OBJECTS:${target}>)
  _opkit_compile_as_authors(${target}_answers "${includes}")
  target_link_libraries(${target}_answers PRIVATE opkit::plugin)
endfunction()

# The only source of op_kernel, or the one that is named like the folder. Without op_kernel the first source of the
# folders for AICPU kernels.
function(_opkit_find_kernel folder result)
  file(GLOB kernels CONFIGURE_DEPENDS ${folder}/op_kernel/*.cpp)
  file(GLOB aicpu CONFIGURE_DEPENDS ${folder}/op_kernel_aicpu/*.cpp ${folder}/cpukernel/impl/*.cc)
  if(aicpu AND NOT kernels)
    list(GET aicpu 0 first)
    set(${result} ${first} PARENT_SCOPE)
    return()
  endif()
  list(LENGTH kernels count)
  if(NOT count EQUAL 1)
    get_filename_component(name ${folder} NAME)
    set(kernels ${folder}/op_kernel/${name}.cpp)
    if(NOT EXISTS ${kernels})
      message(FATAL_ERROR "opkit_add_op: ${folder}/op_kernel holds ${count} .cpp files; name the entry's file with KERNEL")
    endif()
  endif()
  set(${result} ${kernels} PARENT_SCOPE)
endfunction()

# Calls the generator when CMake runs. Ninja calls it again when a source has changed, and runs CMake only when the list
# of what is compiled is another one. Without Ninja CMake runs for every change.
function(_opkit_generate contract kernel host includes op name version structs aicpu glue)
  get_filename_component(contract_folder ${contract} DIRECTORY)
  file(GLOB sources CONFIGURE_DEPENDS ${contract_folder}/family*.yaml)
  foreach(folder ${includes}) # what is generated may depend on their headers
    file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
    list(APPEND sources ${headers})
  endforeach()
  list(APPEND sources ${contract} ${kernel} ${host})
  list(TRANSFORM includes PREPEND -I)
  set(column "")
  if(NOT "${OPKIT_OP_COLUMN}" STREQUAL "") # what opkit build was given with --column; 0 is a column
    set(column --column=${OPKIT_OP_COLUMN})
  endif()
  set(generate ${OPKIT_GEN} ${contract} ${kernel} ${glue_folder} ${column} ${includes} ${host})
  execute_process(COMMAND ${generate} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE failed)
  if(failed)
    message(NOTICE "${errors}") # as it is: an error's text would be broken into lines
    message(FATAL_ERROR "opkit-gen cannot write the glue of ${contract}")
  endif()
  string(STRIP "${output}" output)
  string(REPLACE "\n" ";" lines "${output}")
  list(POP_FRONT lines op_type op_name op_version has_structs is_aicpu)
  if(CMAKE_GENERATOR STREQUAL "Ninja")
    set(sources ${glue_folder}/units.txt)
    add_custom_command(OUTPUT ${sources} COMMAND ${generate} --again DEPENDS ${OPKIT_GEN} DEPFILE ${glue_folder}/units.d
                       COMMENT "Reading the sources of ${op_type}" VERBATIM)
    add_custom_target(${op_name}_units DEPENDS ${sources})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(${op} ${op_type} PARENT_SCOPE)
  set(${name} ${op_name} PARENT_SCOPE)
  set(${version} ${op_version} PARENT_SCOPE)
  set(${structs} ${has_structs} PARENT_SCOPE)
  set(${aicpu} ${is_aicpu} PARENT_SCOPE)
  set(${glue} ${lines} PARENT_SCOPE)
endfunction()

# Replaces every kernel unit in the list by an object whose only global symbol is its entry. The units are the same
# source under different macros: classes and inline functions of the same name differ from unit to unit, and the
# linker would keep one of them for all.
function(_opkit_isolate_kernels name includes structs list)
  find_program(OPKIT_OBJCOPY NAMES objcopy REQUIRED)
  set(result "")
  foreach(unit ${${list}})
    get_filename_component(stem ${unit} NAME_WE)
    if(NOT stem MATCHES "^kernel_(c[0-9]+(_k[0-9]+)?_(aic|aiv|mix))$")
      list(APPEND result ${unit})
      continue()
    endif()
    set(entry opkit_entry_${CMAKE_MATCH_1})
    set(object ${name}_${stem})
    add_library(${object} OBJECT ${unit})
    if(structs)
      add_dependencies(${object} ${structs})
    endif()
    _opkit_compile_as_authors(${object} "${includes}")
    # The stack of a core (-cce-aicore-stack-size of the chip's compiler). Without optimization, and with sanitizers,
    # variables share no room.
    if(NOT OPKIT_SANITIZER AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      target_compile_options(${object} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-Werror=frame-larger-than=32768>)
    endif()
    set(isolated ${glue_folder}/${stem}.o)
    add_custom_command(OUTPUT ${isolated}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${isolated} $<TARGET_OBJECTS:${object}>
      COMMAND ${OPKIT_OBJCOPY} --keep-global-symbol=${entry} ${isolated}
      DEPENDS ${object} $<TARGET_OBJECTS:${object}> VERBATIM)
    list(APPEND result ${isolated})
  endforeach()
  set(${list} ${result} PARENT_SCOPE)
endfunction()

function(_opkit_compile_as_authors target includes)
  # Debuggers know variables by -g2 alone; -g behind -g1 would change nothing.
  target_compile_options(${target} PRIVATE ${OPKIT_OP_COMPILE_OPTIONS} $<$<CONFIG:Debug>:-g2>)
  # OPKIT_OP_INCLUDES, OPKIT_OP_MACROS: what opkit build was given with -I and -D.
  target_include_directories(${target} PRIVATE ${OPKIT_PRECOMPILED_HERE} ${includes} ${glue_folder} ${OPKIT_OP_INCLUDES})
  target_compile_definitions(${target} PRIVATE ${OPKIT_OP_MACROS})
  if(OPKIT_PRECOMPILED_HERE)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX "^\\$<")
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${OPKIT_PRECOMPILED_HERE}/digest.txt)
  endif()
  target_link_libraries(${target} PRIVATE opkit::sdk)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# The package's manifest is written last, from what was really built.
function(_opkit_package name contract vendor package)
  set_target_properties(${name} PROPERTIES PREFIX lib SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${package}/op_impl)
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${package}/op_proto ${package}/docs ${package}/tests
    COMMAND ${CMAKE_COMMAND} -E copy ${contract} ${package}/op_proto/op_contract.yaml
    COMMAND ${OPKIT_SEAL} ${package} ${vendor} ${OPKIT_VERSION} ${contract}
    VERBATIM)
endfunction()
