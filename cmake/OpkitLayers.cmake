# The layer map, written once:
#   opkit_layer(<folder> HOLDS <words> [HEADER_ONLY] [RARE] [BATCH <number>] [APART <paths...>] [BESIDE <files...>]
#               [USES <layers...>] [ROOMS <folders...>] [SOURCES ...] [LINK ...] [LINK_PRIVATE ...])
#     a library named by the whole path (opkit/call/infer is opkit_call_infer) over the .cpp files of a folder; RARE: its code runs so rarely that compiling it fast counts
#     for more than running it fast; BATCH: how many of its files are compiled together at most; APART: files and folders of it that are in no batches, because they are compiled
#     for several instruction sets; BESIDE: files in batches of their own, because programs link the rest without them;
#     ROOMS: folders inside it that are layers of their own;
#   opkit_sublayer(<folder> HOLDS <words> [USES <sublayers...>])
#     a part of a layer that is checked like a layer and linked with it. It may use what the layer uses and the
#     sublayers that it names; the layer's own files may use every sublayer;
#   opkit_knot(<folder> <size>)
#     the largest knot of a layer's modules (a header and its source are one module; modules that include one another in
#     a circle are a knot); without it the layer has none. A larger or a smaller one fails the check;
#   opkit_library(<link name> HEADERS <prefixes...>)
#     an outside library: only layers that link it may include its headers.
# opkit_check_layers() writes the map to <build>/layers.map. The target `layers`, a part of every build, fails when a file
# includes what the map does not allow or modules are in a knot (cmake/check_layers.awk); docs/architecture.md shows the map
# (cmake/layer_docs.awk). The target `codes`, a part of every build, fails when a source names an error code that has no
# row in opkit/base/codes (cmake/check_codes.awk); `names` when a type name stands for two things (cmake/check_names.awk).

set_property(GLOBAL PROPERTY OPKIT_LAYERS "")
set_property(GLOBAL PROPERTY OPKIT_LAYER_MAP "")

function(opkit_map_line line)
  set_property(GLOBAL APPEND_STRING PROPERTY OPKIT_LAYER_MAP "${line}\n")
endfunction()

# Sets <result> to the target of a layer: its path, with underscores; registry, which lies outside opkit, has its prefix.
function(opkit_layer_target folder result)
  string(REGEX REPLACE "^opkit/" "" path ${folder})
  string(REPLACE "/" "_" path ${path})
  set(${result} opkit_${path} PARENT_SCOPE)
endfunction()

# The public name of a layer is its folder relative to the repository, e.g. opkit/contract.
function(opkit_layer folder)
  cmake_parse_arguments(ARG "HEADER_ONLY;RARE" "HOLDS;BATCH" "USES;SOURCES;LINK;LINK_PRIVATE;APART;BESIDE;ROOMS" ${ARGN})
  opkit_layer_target(${folder} target)
  set_property(GLOBAL APPEND PROPERTY OPKIT_LAYERS ${folder})
  set_property(GLOBAL PROPERTY OPKIT_LAYER_USES_${folder} "${ARG_USES}")
  opkit_map_line("layer ${folder} ${ARG_HOLDS}")
  foreach(used ${ARG_USES})
    opkit_map_line("use ${folder} ${used}")
  endforeach()
  foreach(library ${ARG_LINK})
    opkit_map_line("links ${folder} ${library} public")
  endforeach()
  foreach(library ${ARG_LINK_PRIVATE})
    opkit_map_line("links ${folder} ${library} private")
  endforeach()
  if(ARG_HEADER_ONLY)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR})
    set(scope INTERFACE)
  else()
    set(sources ${ARG_SOURCES})
    if(NOT sources)
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
      foreach(room ${ARG_ROOMS})
        list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${folder}/${room}/")
      endforeach()
    endif()
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -fno-strict-aliasing)
    if(ARG_RARE)
      target_compile_options(${target} PRIVATE ${OPKIT_RARE_OPTIONS})
    endif()
    list(TRANSFORM ARG_APART PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
    list(TRANSFORM ARG_BESIDE PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
    set(batch ${OPKIT_BATCH})
    if(ARG_BATCH AND batch GREATER ARG_BATCH)
      set(batch ${ARG_BATCH})
    endif()
    opkit_batches(${target} SIZE ${batch} APART "${ARG_APART}" BESIDE "${ARG_BESIDE}")
    opkit_share_headers(${folder} ${target} "${ARG_RARE}")
    set(scope PUBLIC)
  endif()
  foreach(used ${ARG_USES})
    opkit_layer_target(${used} used_target)
    target_link_libraries(${target} ${scope} ${used_target})
  endforeach()
  if(ARG_LINK)
    target_link_libraries(${target} ${scope} ${ARG_LINK})
  endif()
  if(ARG_LINK_PRIVATE)
    target_link_libraries(${target} PRIVATE ${ARG_LINK_PRIVATE})
  endif()
endfunction()

# base passes fmt on: what stands on it shares the headers with fmt.
function(opkit_share_headers folder target rare)
  opkit_allowed_layers(${folder} allowed)
  if("opkit/base" IN_LIST allowed)
    if(rare)
      opkit_use_precompiled(${target} formatted_rare)
    else()
      opkit_use_precompiled(${target} formatted)
    endif()
  endif()
endfunction()

# A folder of programs: opkit_tools(<folder> HOLDS <words> USES <layers...>) lets their files include those layers.
function(opkit_tools folder)
  cmake_parse_arguments(ARG "" "HOLDS" "USES" ${ARGN})
  opkit_map_line("layer ${folder} ${ARG_HOLDS}")
  foreach(used ${ARG_USES})
    opkit_map_line("use ${folder} ${used}")
  endforeach()
endfunction()

function(opkit_sublayer folder)
  cmake_parse_arguments(ARG "" "HOLDS" "USES" ${ARGN})
  opkit_map_line("sublayer ${folder} ${ARG_HOLDS}")
  foreach(used ${ARG_USES})
    opkit_map_line("use ${folder} ${used}")
  endforeach()
endfunction()

function(opkit_knot folder size)
  opkit_map_line("knot ${folder} ${size}")
endfunction()

function(opkit_library library)
  cmake_parse_arguments(ARG "" "" "HEADERS" ${ARGN})
  foreach(prefix ${ARG_HEADERS})
    opkit_map_line("library ${library} ${prefix}")
  endforeach()
endfunction()

# Writes the map, adds the targets that read every #include, error code and type name, and looks at what libraries link.
function(opkit_check_layers)
  get_property(layers GLOBAL PROPERTY OPKIT_LAYERS)
  get_property(map GLOBAL PROPERTY OPKIT_LAYER_MAP)
  set(map_file ${PROJECT_BINARY_DIR}/layers.map)
  file(CONFIGURE OUTPUT ${map_file} CONTENT "${map}" @ONLY)

  set(patterns "")
  foreach(top opkit registry)
    foreach(extension h hpp hh c cc cpp cxx inc inl ipp def py)
      list(APPEND patterns ${PROJECT_SOURCE_DIR}/${top}/*.${extension})
    endforeach()
  endforeach()
  file(GLOB_RECURSE files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  list(JOIN files "\n" text)
  set(list_file ${PROJECT_BINARY_DIR}/layer_files.txt)
  file(CONFIGURE OUTPUT ${list_file} CONTENT "${text}\n" @ONLY)
  set(checker ${PROJECT_SOURCE_DIR}/cmake/check_layers.awk)
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  set(stamp ${PROJECT_BINARY_DIR}/layers.stamp)
  add_custom_command(OUTPUT ${stamp} COMMAND awk -f ${checker} ${map_file} ${list_file}
                     COMMAND ${CMAKE_COMMAND} -E touch ${stamp} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                     DEPENDS ${checker} ${map_file} ${list_file} ${paths} COMMENT "Checking the layer map" VERBATIM)
  add_custom_target(layers ALL DEPENDS ${stamp})
  set(codes_checker ${PROJECT_SOURCE_DIR}/cmake/check_codes.awk)
  set(codes_stamp ${PROJECT_BINARY_DIR}/codes.stamp)
  add_custom_command(OUTPUT ${codes_stamp} COMMAND awk -f ${codes_checker} ${list_file}
                     COMMAND ${CMAKE_COMMAND} -E touch ${codes_stamp} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                     DEPENDS ${codes_checker} ${list_file} ${paths} COMMENT "Checking the error codes" VERBATIM)
  add_custom_target(codes ALL DEPENDS ${codes_stamp})
  set(names_checker ${PROJECT_SOURCE_DIR}/cmake/check_names.awk)
  set(names_list ${PROJECT_SOURCE_DIR}/cmake/double_names.txt)
  set(names_stamp ${PROJECT_BINARY_DIR}/names.stamp)
  set(headers ${paths})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  add_custom_command(OUTPUT ${names_stamp} COMMAND awk -v list=${names_list} -f ${names_checker} ${list_file}
                     COMMAND ${CMAKE_COMMAND} -E touch ${names_stamp} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                     DEPENDS ${names_checker} ${names_list} ${list_file} ${headers} COMMENT "Checking the names of types" VERBATIM)
  add_custom_target(names ALL DEPENDS ${names_stamp})
  opkit_check_links("${layers}")
endfunction()

# A library links the layers that the map allows and the outside libraries that its line names; target_link_libraries
# beside the map fails the configuration.
function(opkit_check_links layers)
  foreach(layer ${layers})
    opkit_layer_target(${layer} target)
    opkit_allowed_layers(${layer} allowed)
    set(allowed_targets "")
    foreach(candidate ${allowed})
      opkit_layer_target(${candidate} candidate_target)
      list(APPEND allowed_targets ${candidate_target})
    endforeach()
    get_target_property(linked ${target} LINK_LIBRARIES)
    get_target_property(passed_on ${target} INTERFACE_LINK_LIBRARIES)
    foreach(library ${linked} ${passed_on})
      if(library MATCHES "^opkit_[a-z0-9_]+$" AND NOT library IN_LIST allowed_targets)
        message(FATAL_ERROR "The layer map forbids: ${target} links ${library}. Name it in USES of ${layer}, or do without.")
      endif()
    endforeach()
  endforeach()
endfunction()

# Uses are transitive: whoever may use contract may use what contract uses.
function(opkit_allowed_layers layer result)
  set(allowed ${layer})
  get_property(uses GLOBAL PROPERTY OPKIT_LAYER_USES_${layer})
  foreach(used ${uses})
    opkit_allowed_layers(${used} inherited)
    list(APPEND allowed ${inherited})
  endforeach()
  list(REMOVE_DUPLICATES allowed)
  set(${result} ${allowed} PARENT_SCOPE)
endfunction()
