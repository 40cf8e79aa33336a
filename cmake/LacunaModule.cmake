# lacuna_add_module(NAME [SOURCES FILE...] [LINK TARGET...] [FILES FILE...])
#
# The native code of the module NAME: target lacuna_module_NAME makes modules/NAME/module.so in the build tree.
# SOURCES are module.cpp where not given. FILES (module.toml, shaders) are put beside the code, so that
# `lacuna run G.cfg --modules BUILD/modules` finds a whole module.
function(lacuna_add_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;FILES" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lacuna_add_module(${name}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES module.cpp)
  endif()
  set(target lacuna_module_${name})
  set(folder ${CMAKE_BINARY_DIR}/modules/${name})
  add_library(${target} MODULE ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE lacuna::module ${ARG_LINK})
  # Nothing but lacuna_module_entry is seen from outside, also of the static libraries inside.
  target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL LINKER:--as-needed LINKER:--no-undefined)
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME module SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${folder}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON C_VISIBILITY_PRESET hidden)
  foreach(file ${ARG_FILES})
    configure_file(${file} ${folder}/ COPYONLY)
  endforeach()
endfunction()
