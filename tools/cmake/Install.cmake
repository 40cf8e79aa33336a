# The files of `cmake --install` and their places. Programs find their parts relative to themselves, so the folder may
# be moved.

include(CMakePackageConfigHelpers)
# The component `runtime` has what running graphs needs, `development` what building against Lacuna needs besides.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
# Permissions don't depend on the umask, because native code in folders that others may write is refused.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)

# The runtime for programs that embed it: one library, which shows what its headers declare and nothing else.
# The program and the tests link the static ones.
add_library(lacuna_shared SHARED $<TARGET_OBJECTS:lacuna_base> $<TARGET_OBJECTS:lacuna_graph> $<TARGET_OBJECTS:lacuna_shader>
  $<TARGET_OBJECTS:lacuna_vk> $<TARGET_OBJECTS:lacuna_record> $<TARGET_OBJECTS:lacuna_compile> $<TARGET_OBJECTS:lacuna_run>
  $<TARGET_OBJECTS:lacuna_pictures> $<TARGET_OBJECTS:lacuna_door>)
target_link_libraries(lacuna_shared PRIVATE lacuna_run)
set(exports ${CMAKE_SOURCE_DIR}/graph/door/exports.map)
target_link_options(lacuna_shared PRIVATE LINKER:--exclude-libs,ALL LINKER:--disable-new-dtags $<$<NOT:$<BOOL:${LACUNA_SANITIZE}>>:LINKER:--no-undefined> LINKER:--version-script=${exports})
set_property(TARGET lacuna_shared PROPERTY LINK_DEPENDS ${exports})
target_include_directories(lacuna_shared INTERFACE $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:include/lacuna>)
target_compile_features(lacuna_shared INTERFACE cxx_std_20)
set_target_properties(lacuna_shared PROPERTIES OUTPUT_NAME lacuna EXPORT_NAME lacuna
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  # Wheels take the file as it was built; else its path would be a row of colons, which stand for the current folder.
  # RPATH for the libraries of tools/bundle, as for modules.
  INSTALL_RPATH $ORIGIN BUILD_WITH_INSTALL_RPATH ON)
set_target_properties(lacuna PROPERTIES EXPORT_NAME program INSTALL_RPATH $ORIGIN/../lib)

set_target_properties(lacuna_bench PROPERTIES INSTALL_RPATH $ORIGIN/../lib)

# Compiled shaders of what is usually run, for first runs.
file(GLOB shaders_of CONFIGURE_DEPENDS modules/*/module.toml modules/*/*.glsl pipelines/*.cfg)
set(shaders_made ${CMAKE_BINARY_DIR}/shaders/made)
set(shaders_compiled COMMAND ${CMAKE_SOURCE_DIR}/tools/shaders $<TARGET_FILE:lacuna> ${CMAKE_BINARY_DIR}/shaders)
if(LACUNA_SANITIZE) # they take minutes there
  set(shaders_compiled COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/shaders/spirv)
endif()
add_custom_command(OUTPUT ${shaders_made} DEPENDS lacuna tools/shaders ${shaders_of}
  ${shaders_compiled}
  COMMAND ${CMAKE_COMMAND} -E touch ${shaders_made})
add_custom_target(lacuna_shaders ALL DEPENDS ${shaders_made})

# tools/demo builds the program alone.
install(CODE "
  if(NOT EXISTS \"$<TARGET_FILE:lacuna>\" OR NOT EXISTS \"$<TARGET_FILE:lacuna_bench>\" OR NOT EXISTS \"$<TARGET_FILE:lacuna_shared>\" OR NOT EXISTS \"$<TARGET_FILE:lacuna_runtime>\"
      OR NOT EXISTS \"${shaders_made}\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target lacuna lacuna_bench lacuna_shared lacuna_runtime lacuna_shaders
      COMMAND_ERROR_IS_FATAL ANY)
  endif()" ALL_COMPONENTS)
install(DIRECTORY ${CMAKE_BINARY_DIR}/shaders/spirv DESTINATION lib/lacuna)
install(TARGETS lacuna EXPORT lacunaTargets RUNTIME DESTINATION bin)
install(TARGETS lacuna_bench RUNTIME DESTINATION libexec)
install(TARGETS lacuna_raw RUNTIME DESTINATION lib/lacuna)
install(TARGETS lacuna_shared lacuna_runtime lacuna_module EXPORT lacunaTargets LIBRARY DESTINATION lib COMPONENT development
  NAMELINK_COMPONENT development)
install(EXPORT lacunaTargets NAMESPACE lacuna:: DESTINATION lib/cmake/lacuna COMPONENT development)
configure_package_config_file(tools/cmake/lacunaConfig.cmake.in lacunaConfig.cmake INSTALL_DESTINATION lib/cmake/lacuna)
write_basic_package_version_file(lacunaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lacunaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/lacunaConfigVersion.cmake
  tools/cmake/LacunaModule.cmake DESTINATION lib/cmake/lacuna COMPONENT development)

# The door with what it includes, and the plug-in ABI for native code of modules.
install(FILES graph/door/lacuna/lacuna.h graph/door/lacuna/vulkan.h graph/door/lacuna/vulkan_c.h graph/door/lacuna/runtime.h DESTINATION include/lacuna COMPONENT development)
foreach(header config/message.h files/frame_set.h module/abi.h module/channels.h pictures/methods.h pictures/metrics.h
    pictures/planes.h record/recorded_frame.h run/run_result.h schedule/candidate.h vk/device_description.h vk/given.h)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES graph/${header} DESTINATION include/lacuna/graph/${folder} COMPONENT development)
endforeach()
install(FILES modules/shared/native.h modules/shared/kernel_node.h DESTINATION include/lacuna/shared COMPONENT development)

# Modules: description, bodies, weights, README; native code comes from modules/CMakeLists.txt.
install(DIRECTORY modules/ DESTINATION lib/lacuna/modules
  FILES_MATCHING PATTERN module.toml PATTERN codecs/formats PATTERN *.glsl PATTERN *.safetensors PATTERN README.md)

# Graphs and examples to start from, with working links between them.
install(DIRECTORY pipelines DESTINATION share/lacuna FILES_MATCHING PATTERN *.cfg PATTERN README.md)
install(DIRECTORY examples DESTINATION share/lacuna)
install(DIRECTORY tools/templates DESTINATION share/lacuna)
install(FILES README.md LICENSE DESTINATION share/lacuna)
install(FILES tools/lacuna/README.md DESTINATION share/lacuna/tools/lacuna)
install(DIRECTORY tools/farm DESTINATION share/lacuna/tools USE_SOURCE_PERMISSIONS)
install(FILES tools/bench/README.md DESTINATION share/lacuna/tools/bench)
install(PROGRAMS tools/bench/gemm_torch.py tools/bench/unet_torch.py DESTINATION share/lacuna/tools/bench)
install(FILES tools/bench/torch_graph.py tools/bench/studies.json DESTINATION share/lacuna/tools/bench)
install(DIRECTORY tools/bench/device tools/bench/modules DESTINATION share/lacuna/tools/bench
  FILES_MATCHING PATTERN *.glsl PATTERN module.toml PATTERN README.md)
install(DIRECTORY tools/train DESTINATION share/lacuna/tools USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN *.py PATTERN README.md PATTERN *.csv
  PATTERN leaves.*
  PATTERN __pycache__ EXCLUDE)
# READMEs, and the sources to which they link.
file(GLOB_RECURSE texts CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} graph/*.md)
foreach(file ${texts} tests/README.md tests/fuzz/README.md tools/bench/models/README.md tools/packages tools/test-packages graph/module/abi.h graph/values/image_type.h modules/shared/kernel_node.h modules/shared/native.h modules/cnn-unet/lattice.glsl
    modules/cnn-unet/layer.glsl modules/cnn-unet/layer_matrices.glsl modules/cnn-unet/layer_plain.glsl modules/cnn-unet/layer_lanes.glsl tools/metrics/block_rms.h
    graph/pictures/flip.h)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION share/lacuna/${folder})
endforeach()
install(DIRECTORY graph/run/tune/devices DESTINATION share/lacuna/graph/run/tune)
install(DIRECTORY modules DESTINATION share/lacuna FILES_MATCHING PATTERN README.md PATTERN layers.toml)
install(DIRECTORY tools/editors DESTINATION share/lacuna/tools PATTERN node_modules EXCLUDE PATTERN *.vsix EXCLUDE)
install(FILES tools/blender/README.md tools/blender/panel.png DESTINATION share/lacuna/tools/blender)
install(CODE "execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/tools/blender/package\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/lacuna/lacuna-blender.zip\" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")

# The files for shells and man come from the program itself.
function(install_said file)
  list(JOIN ARGN "\" \"" words)
  install(CODE "
    set(to \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")
    message(STATUS \"Installing: \${to}\")
    get_filename_component(folder \"\${to}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:lacuna>\" \"${words}\" OUTPUT_FILE \"\${to}\" COMMAND_ERROR_IS_FATAL ANY)")
endfunction()
install_said(share/man/man1/lacuna.1 manpage)
install_said(share/bash-completion/completions/lacuna completion bash)
install_said(share/zsh/site-functions/_lacuna completion zsh)
install_said(share/fish/vendor_completions.d/lacuna.fish completion fish)
