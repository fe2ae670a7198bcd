# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# Configures, builds and runs a project from nothing.
#
# SOURCE, BUILD    its source directory; a directory to build in, which is emptied
# OPTIONS          arguments for the configuration
# EXPECTED_ERROR   if given: the configuration must fail, with output that matches this

string(REPLACE "|" ";" OPTIONS "${OPTIONS}")
file(REMOVE_RECURSE ${BUILD})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} ${OPTIONS}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
message("${output}")

if(EXPECTED_ERROR)
  if(result EQUAL 0 OR NOT output MATCHES "${EXPECTED_ERROR}")
    message(FATAL_ERROR "Expected an error that matches \"${EXPECTED_ERROR}\"")
  endif()
  return()
elseif(NOT result EQUAL 0)
  message(FATAL_ERROR "The configuration failed")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
foreach(program host_program cuda_program)
  if(EXISTS ${BUILD}/${program})
    execute_process(COMMAND ${BUILD}/${program} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
