# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# Including the umbrella must emit no kernel; using it must, or this test could not fail.
#
# NVCC, FLAGS, INCLUDE, USER (a source that calls the library), BUILD

string(REPLACE "|" ";" FLAGS "${FLAGS}")
file(MAKE_DIRECTORY ${BUILD})
file(WRITE ${BUILD}/includes.cu "#include <causal_conv1d/causal_conv1d.cuh>\n")
foreach(source ${BUILD}/includes.cu ${USER})
  get_filename_component(name ${source} NAME_WE)
  execute_process(COMMAND ${NVCC} ${FLAGS} -ptx -I${INCLUDE} ${source} -o ${BUILD}/${name}.ptx
                  COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${BUILD}/${name}.ptx kernels_of_${name} REGEX "\\.entry")
endforeach()
get_filename_component(name ${USER} NAME_WE)
if(kernels_of_includes)
  message(FATAL_ERROR "Including the library emits a kernel: ${kernels_of_includes}")
elseif(NOT kernels_of_${name})
  message(FATAL_ERROR "Calling the library emits no kernel")
endif()
