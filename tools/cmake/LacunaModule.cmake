# lacuna_add_module(NAME [SOURCES FILE...] [LINK TARGET...] [FILES FILE...] [INSTALL])
#
# A module outside Lacuna's own tree, in the folder of the CMakeLists.txt that calls this. FILES are by default
# module.toml and *.glsl there and below; they are put into BUILD/modules/NAME, so that `lacuna run G.cfg --modules BUILD/modules`
# finds a whole module. With SOURCES, or .cpp files in the folder, target lacuna_module_NAME builds its native code
# beside them, linked with LINK.
#
# ctest then has a test check-NAME: `lacuna test` if the folder has graphs in test/, else `lacuna describe`.
# INSTALL: `cmake --install` puts the module into lib/lacuna/modules/NAME.
#
# In Lacuna's own tree descriptions stay where they are, and other tests run them.
function(lacuna_add_module name)
  cmake_parse_arguments(ARG "INSTALL" "" "SOURCES;LINK;FILES" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lacuna_add_module(${name}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  if(ARG_SOURCES)
    lacuna_add_native_code(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  endif()
  if(LACUNA_OWN_TREE)
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/modules/${name})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/module.toml)
    message(FATAL_ERROR "lacuna_add_module(${name}): ${CMAKE_CURRENT_SOURCE_DIR}/module.toml is not there")
  endif()
  if(NOT ARG_FILES)
    file(GLOB_RECURSE ARG_FILES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.glsl)
    list(FILTER ARG_FILES EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/")
    list(APPEND ARG_FILES module.toml)
  endif()
  foreach(file ${ARG_FILES})
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(RELATIVE_PATH file OUTPUT_VARIABLE below)
    configure_file(${file} ${folder}/${below} COPYONLY)
  endforeach()

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/test)
    add_test(NAME check-${name}
      COMMAND lacuna::program test ${CMAKE_CURRENT_SOURCE_DIR} --modules ${CMAKE_BINARY_DIR}/modules)
  else()
    add_test(NAME check-${name} COMMAND lacuna::program describe ${name} --modules ${CMAKE_BINARY_DIR}/modules)
  endif()
  if(ARG_INSTALL)
    install(DIRECTORY ${folder} DESTINATION lib/lacuna/modules)
  endif()
endfunction()

# Target lacuna_module_NAME: the native code of a module, BUILD/modules/NAME/module.so.
function(lacuna_add_native_code name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  set(target lacuna_module_${name})
  add_library(${target} MODULE ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE lacuna::module ${ARG_LINK})
  # Only lacuna_module_entry is visible from outside, so the static libraries inside are hidden.
  target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL LINKER:--as-needed
    $<$<NOT:$<BOOL:${LACUNA_SANITIZE}>>:LINKER:--no-undefined>)  # clang's sanitizers are in the program
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME module SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/modules/${name}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON C_VISIBILITY_PRESET hidden)
endfunction()
