# Tests what a user has after `cmake --install`: examples and new modules, copied outside the repository, built against
# it and tested; the installation moved to another folder first.
#   cmake -DBUILD=folder -DSOURCE=repository -P package.cmake

set(work $ENV{TMPDIR})
if(NOT work)
  set(work /tmp)
endif()
string(RANDOM LENGTH 8 random)
set(work ${work}/lacuna-package-${random})
file(MAKE_DIRECTORY ${work})

function(fail text)
  file(REMOVE_RECURSE ${work})
  message(FATAL_ERROR "${text}")
endfunction()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " words)
    fail("${words}: ${result}\n${out}")
  endif()
  set(said "${out}" PARENT_SCOPE)
endfunction()

function(expect file)
  if(NOT EXISTS ${file})
    fail("${file} was not installed")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/installed)
file(RENAME ${work}/installed ${work}/moved)
set(prefix ${work}/moved)
foreach(file share/man/man1/lacuna.1 share/bash-completion/completions/lacuna share/zsh/site-functions/_lacuna
    share/fish/vendor_completions.d/lacuna.fish share/lacuna/README.md share/lacuna/pipelines/photo.cfg
    lib/lacuna/modules/cnn-unet/weights/rgb.safetensors lib/lacuna/modules/eaw/module.toml lib/lacuna/modules/files/module.so)
  expect(${prefix}/${file})
endforeach()
run(${SOURCE}/tools/links ${prefix}/share/lacuna)

# Only headers and symbols of the door and of the plug-in ABI are visible.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
list(SORT headers)
set(expected lacuna/graph/config/message.h lacuna/graph/files/frame_set.h lacuna/graph/module/abi.h
  lacuna/graph/module/channels.h lacuna/graph/pictures/methods.h lacuna/graph/pictures/metrics.h
  lacuna/graph/pictures/planes.h lacuna/graph/record/recorded_frame.h lacuna/graph/run/run_result.h lacuna/graph/schedule/candidate.h
  lacuna/graph/vk/device_description.h lacuna/graph/vk/given.h lacuna/lacuna.h lacuna/runtime.h lacuna/shared/kernel_node.h lacuna/shared/native.h
  lacuna/vulkan.h lacuna/vulkan_c.h)
if(NOT headers STREQUAL expected)
  fail("headers that were installed: ${headers}; expected ${expected}")
endif()
# All that a library shows.
function(expect_symbols library pattern)
  run(nm --dynamic --defined-only --demangle ${prefix}/lib/${library})
  string(REGEX MATCHALL "[^\n]+" symbols "${said}")
  foreach(symbol ${symbols})
    if(NOT symbol MATCHES "^[0-9a-f]+ [A-Z] ${pattern}$")
      fail("${library} shows ${symbol}")
    endif()
  endforeach()
endfunction()
set(of_door "(Device|DeviceOptions|Error|Frame|FrameSet|Graph|Pipeline|Trace)::.*|(bundleSizes|checkFile|checkText|chooseMethod|compare|copy|denoiseText|describeFile|describeModule|deviceModels|devices|exportBundle|exportMeasurements|forgetMeasurements|givenDevice|guidesBeside|guidesOf|importMeasurements|isSlowOnCpu|methodFromName|methodLines|methodNames|moduleNames|nameOf|plan|readOnly|record|recordedPipeline|scheduleFamilies|takenByUnet|tune|version|vulkanNeeds|whatLacks)[[(].*")
set(of_c "lacuna_(bundle_[a-z]+|close_[a-z]+|last_error|open_bundle|open_bundle_bytes|open_device|record)")
expect_symbols(liblacuna.so
  "(lacuna::(${of_door})|(typeinfo|typeinfo name|vtable) for lacuna::Error|${of_c}|lacuna_(needs|open_pipeline))")
expect_symbols(liblacuna-runtime.so "${of_c}")

foreach(variable LACUNA_MODULES LACUNA_MODULE_FOLDER XDG_DATA_HOME)
  unset(ENV{${variable}})
endforeach()
set(ENV{HOME} ${work})
set(ENV{PATH} ${prefix}/bin:$ENV{PATH})
if(NOT DEFINED ENV{LACUNA_CACHE})
  set(ENV{LACUNA_CACHE} ${work}/cache)
endif()

# Nothing from the build tree is used.
run(${prefix}/bin/lacuna modules --json)
if(said MATCHES "${SOURCE}/" OR NOT said MATCHES "${prefix}/lib/lacuna/modules/eaw")
  fail("modules come from elsewhere than ${prefix}:\n${said}")
endif()
run(${prefix}/bin/lacuna run ${prefix}/share/lacuna/pipelines/photo-noisy.cfg -o o-png:01=${work}/noisy.png)
expect(${work}/noisy.png)

# A first run compiles only for its driver, because its SPIR-V is installed.
set(usual_cache "$ENV{LACUNA_CACHE}")
set(ENV{LACUNA_CACHE} ${work}/first)
run(${prefix}/bin/lacuna denoise ${SOURCE}/examples/inputs/photo.png -o ${work}/clean.png)
file(GLOB compiled ${work}/first/spirv/*)
if(compiled)
  fail("a first run has compiled ${compiled}")
endif()
set(ENV{LACUNA_CACHE} "${usual_cache}")
run(${prefix}/bin/lacuna bench device --part divergence --quick --runs 1 --preheat 0)

function(build_and_test source)
  run(${CMAKE_COMMAND} -S ${source} -B ${source}/build -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${source}/build)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${source}/build --output-on-failure --no-tests=error)
endfunction()

file(COPY ${SOURCE}/examples DESTINATION ${work} PATTERN pictures EXCLUDE)
build_and_test(${work}/examples)

# Modules of ours need no more than those of others: built against the installation, rhf gives equal bits.
set(ours coopmat-gemm demosaic report rhf)
foreach(module ${ours})
  file(COPY ${SOURCE}/modules/${module} DESTINATION ${work}/ours)
endforeach()
list(TRANSFORM ours REPLACE "(.+)" "add_subdirectory(\\1)" OUTPUT_VARIABLE lines)
list(JOIN lines "\n" lines)
file(WRITE ${work}/ours/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(ours LANGUAGES CXX)
find_package(lacuna REQUIRED)
find_package(fmt REQUIRED)
enable_testing()
${lines}
")
build_and_test(${work}/ours)
set(graph ${prefix}/share/lacuna/pipelines/rhf.cfg)
foreach(modules installed own)
  set(option)
  if(modules STREQUAL own)
    set(option --modules ${work}/ours/build/modules)
  endif()
  run(${prefix}/bin/lacuna run ${graph} ${option} -o ${work}/${modules}.exr
    -p pathtrace:01:width=61 -p pathtrace:01:height=37 -p pathtrace:01:samples=4)
endforeach()
run(${CMAKE_COMMAND} -E compare_files ${work}/installed.exr ${work}/own.exr)

foreach(kind pointwise stencil reduce kernel)
  run(${prefix}/bin/lacuna new ${work}/new-${kind} --kind ${kind})
  run(${prefix}/bin/lacuna test ${work}/new-${kind})
endforeach()
foreach(kind native source sink)
  run(${prefix}/bin/lacuna new ${work}/new-${kind} --kind ${kind})
  build_and_test(${work}/new-${kind})
endforeach()
run(${CMAKE_COMMAND} --install ${work}/new-native/build --prefix ${prefix})
run(${prefix}/bin/lacuna describe new-native)

file(REMOVE_RECURSE ${work})
