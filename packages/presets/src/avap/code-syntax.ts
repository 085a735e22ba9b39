import type { Issue } from '@stickler/core'
import { clamp } from '@stickler/core/internal'
import { type CodeLanguage, type CodeProfile, defineCodeSyntax } from '@stickler/core/internal/validators'
import { codeSyntax as generic, traceLine } from '@stickler/core/validators'

/** Longer messages of a parser are cut in a trace. */
const longestMessage = 200

/** Code is right only in AVAP; a retry is asked for with the trace of the parser. */
const profile: CodeProfile<'avap'> = {
  name: 'avap',
  description:
    'With avap, feedback for a retry is a trace in `<parser_feedback>`, blocks without a tag are in `language`, and of a text without blocks the parser says whether it is code.',
  judge: true,
  retags: 'none',
  // The code that a parser quotes is in the trace too.
  tell: ({ message }, line) => ({
    message: traceLine({ line, message: clamp(message.replace(/[\p{C}\u2028\u2029]+/gu, ' '), longestMessage) }),
  }),
  feedback: parserFeedback,
}

/** Asks again with the trace, in the words of the design. */
function parserFeedback(issues: readonly Issue[]): string {
  // Nothing that the model wrote may close the block, or open another.
  const trace = issues.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}.`).replaceAll('<', '&lt;')).join('\n')
  return `<parser_feedback>\nThe previous attempt produced invalid AVAP code. Specific failures:\n\n${trace}\n\nCorrect these errors. Do not repeat the same constructs.\n</parser_feedback>`
}

/** A statement of AVAP: a call or an assignment that is the whole line, or the first or last line of a function. */
const statement = /^(?:[A-Za-z_]\w*(?:\(| ?= ?\S)(?:.*[^;:{])?|function \w+\(.*\) ?\{|\})$/ // backtracks: at most 200 characters
/** What no other language writes so: calls that open and close blocks, and conditions with commas. */
const block = /^(?:else\(\)|end\(\)|try\(\)|exception\(\w+\)|if\([^()]*,.*\))$/ // backtracks: at most 200 characters
/** A command: a call in camel case, as a statement, with something in its brackets. */
const command = /^[a-z]+[A-Z]\w*\([^)]/ // backtracks: at most 200 characters

/** AVAP, as it is recognised in files without fences. */
const avapCode: CodeLanguage = {
  name: 'avap',
  ending: 'avap',
  isLine: (line) => statement.test(line) && !/=>|^\w+\(.*\) \w/.test(line), // backtracks: at most 200 characters
  isCertain: (lines) => lines.some((line) => block.test(line)) || (lines.length > 1 && lines.some((line) => command.test(line))),
}

/** `code_syntax` with the profile `avap`. */
export const codeSyntax = defineCodeSyntax([profile], [avapCode], generic.definition)
