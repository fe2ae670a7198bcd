# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# Writes the first code block of a language in a Markdown text to a file.
#
# TEXT, LANGUAGE, OUTPUT

file(READ ${TEXT} text)
set(fence "```${LANGUAGE}\n")
string(FIND "${text}" "${fence}" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "${TEXT} has no block of ${LANGUAGE}")
endif()
string(LENGTH "${fence}" fence_length)
math(EXPR begin "${begin} + ${fence_length}")
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "\n```" end)
string(SUBSTRING "${text}" 0 ${end} text)
file(WRITE ${OUTPUT} "${text}\n")
