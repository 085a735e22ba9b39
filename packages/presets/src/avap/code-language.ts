import type { CodeLanguage } from '@stickler/core/internal/validators'

/** A statement of AVAP: a call or an assignment that is the whole line, or the first or last line of a function. */
const statement = /^(?:[A-Za-z_]\w*(?:\(| ?= ?\S)(?:.*[^;:{])?|function \w+\(.*\) ?\{|\})$/ // backtracks: at most 200 characters
/** What no other language writes so: calls that open and close blocks, and conditions with commas. */
const block = /^(?:else\(\)|end\(\)|try\(\)|exception\(\w+\)|if\([^()]*,.*\))$/ // backtracks: at most 200 characters
/** A command: a call in camel case, as a statement, with something in its brackets. */
const command = /^[a-z]+[A-Z]\w*\([^)]/ // backtracks: at most 200 characters

/** AVAP, as it is recognised in files without fences. */
export const avapCode: CodeLanguage = {
  name: 'avap',
  ending: 'avap',
  isLine: (line) => statement.test(line) && !/=>|^\w+\(.*\) \w/.test(line), // backtracks: at most 200 characters
  isCertain: (lines) => lines.some((line) => block.test(line)) || (lines.length > 1 && lines.some((line) => command.test(line))),
}
