import type { Issue } from '../../contract/issue.ts'
import { clamp } from '../../contract/quote.ts'
import { type SyntaxFault, traceLine } from '../../contract/syntax.ts'
import type { Tell } from './inspect.ts'

/** Longer messages of a parser are cut in a trace. */
const longestMessage = 200

/** Formats a fault as a line of the trace, including the code that a parser quotes. */
export const tellTrace: Tell = ({ message }: SyntaxFault, line) => ({
  message: traceLine({ line, message: clamp(message.replace(/[\p{C}\u2028\u2029]+/gu, ' '), longestMessage) }),
})

/** Asks again with the trace, in the words of AVAP. */
export function parserFeedback(issues: readonly Issue[]): string {
  // Nothing that the model wrote may close the block, or open another.
  const trace = issues.map(({ message }) => message.replaceAll('<', '&lt;')).join('\n')
  return `<parser_feedback>\nThe previous attempt produced invalid AVAP code. Specific failures:\n\n${trace}\n\nCorrect these errors. Do not repeat the same constructs.\n</parser_feedback>`
}
