# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# A source that must not compile, and that must compile once its fault is taken out (-DCORRECT): so it is the fault that
# is refused. The source says in a line "// expected: <regular expression>" what the compiler's words must match.
#
# COMPILER, FLAGS, SOURCE

string(REPLACE "|" ";" FLAGS "${FLAGS}")
set(command ${COMPILER} ${FLAGS} -fsyntax-only -Werror ${SOURCE})

execute_process(COMMAND ${command} -DCORRECT COMMAND_ERROR_IS_FATAL ANY)

execute_process(
  COMMAND ${command}
  RESULT_VARIABLE result
  ERROR_VARIABLE errors)
message("${errors}")
if(result EQUAL 0)
  message(FATAL_ERROR "This compiles, but must not")
endif()
file(STRINGS ${SOURCE} expected REGEX "^// expected: ")
string(REPLACE "// expected: " "" expected "${expected}")
if(NOT errors MATCHES "${expected}")
  message(FATAL_ERROR "The compiler's words do not match \"${expected}\"")
endif()
