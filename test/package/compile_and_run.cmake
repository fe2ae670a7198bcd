# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# Compiles a program with one command, as one does without a build system, and runs it.
#
# COMPILER, FLAGS, SOURCES   the command
# BUILD                      a directory for its files
# COPY                       if given: a directory that is copied first; the copy is where headers are found
# PKG_CONFIG, PREFIX         if given: pkg-config is asked for the flags of the tree installed under PREFIX
# COMPILE_ONLY               if given: the program is not run
# OUTPUT_STANDS_IN           if given: a file in which what the program prints must be found

string(REPLACE "|" ";" FLAGS "${FLAGS}")
string(REPLACE "|" ";" SOURCES "${SOURCES}")
file(MAKE_DIRECTORY ${BUILD})
if(COPY)
  file(REMOVE_RECURSE ${BUILD}/copied)
  file(REAL_PATH ${COPY} COPY)
  file(COPY ${COPY}/ DESTINATION ${BUILD}/copied)
  list(APPEND FLAGS -I${BUILD}/copied)
endif()
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${PREFIX}/share/pkgconfig)
  execute_process(
    COMMAND ${PKG_CONFIG} --cflags causal_conv1d
    OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags)
  list(APPEND FLAGS ${flags})
endif()

execute_process(COMMAND ${COMPILER} ${FLAGS} ${SOURCES} -o ${BUILD}/program COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
if(COMPILE_ONLY)
  return()
endif()
execute_process(
  COMMAND ${BUILD}/program
  OUTPUT_VARIABLE output
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
message("${output}")
if(OUTPUT_STANDS_IN)
  file(READ ${OUTPUT_STANDS_IN} text)
  string(FIND "${text}" "${output}" position)
  if(output STREQUAL "" OR position EQUAL -1)
    message(FATAL_ERROR "${OUTPUT_STANDS_IN} promises another output")
  endif()
endif()
