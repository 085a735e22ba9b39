import { afterMarks } from '../../../answer/markdown/meant-fence.ts'
import { beginsLikeCode, isProseLine } from '../looks-like-code.ts'

/** What a line outside of fenced blocks is: `code`, an assignment that may be an `equation`, or what continues code but does not begin it. */
export type LineKind = 'code' | 'equation' | 'other' | 'prose' | 'blank'

/** Longer lines are judged by their start. */
const longestLine = 1000

/** Signs of mathematics, which code does not have outside of strings. */
const mathematics = /[\\^×÷≈≠≤≥√∑∫∀∃→±·°∞∂∈–−′]|[\u0370-\u03ff\u2070-\u209f²³¹]|\$[$\d]/
/** A quantity with its unit, or a phrase. */
const quantity = /(?:\d|[A-Za-z][A-Za-z]) (?!(?:if|else|and|or|in|is|not|for|lambda|as|from|new|await|of)\b)[A-Za-z]/
/** What makes an assignment one of a program: a name in several parts before a bracket, or a string. */
const programmed = /=\s*(?:\w*(?:[a-z][A-Z]|\w\.\w)\w*(?:\.\w+)*\(|(?:\w+\(\s*)?["'`])/ // backtracks: at most 1000 characters
/** A call of a name that is not a letter, as functions of mathematics are. */
const longCall = /^[\w$.]{3,}\(/
const assignment = /^[A-Za-z_$][\w$.]*(?:\[[^\]]*\])?\s?[-+*/%:]?=/

/** Whether a name is in several parts, as commands are, and not one letter before another, as in mathematics. */
export function isCommandName(name: string): boolean {
  return /^[A-Za-z][a-z]\w*$/.test(name.slice(0, name.search(/\W|$/))) && /^\w*?[a-z\d][A-Z]\w/.test(name)
}

/** A block of another language on one line, such as `for i in x: print(i)`. */
const oneLineBlock = /^(?:for|while|if|with)\b[^:{]*[:{]\s*[\w.]+\([^()]*\)/ // backtracks: at most 1000 characters

/** Whether a line begins with a command and has a space before its bracket. */
export function isSpacedCall(content: string): boolean {
  const [name = '', next = ''] = content.split(' ', 2)
  return next.startsWith('(') && /^\w+$/.test(name) && isCommandName(name)
}

/** Whether code has a line that only code has. */
export function hasCodeLine(source: string): boolean {
  return source.split('\n').some((line) => lineKind(line) === 'code')
}

/** Says what a line is. */
export function lineKind(line: string): LineKind {
  const content = line.slice(afterMarks(line), longestLine).trim()
  if (content === '') return 'blank'
  if (isProseLine(content) || /^(?:<|\||#|\*\*|-{3}|={3})/.test(content)) return 'prose'
  const bare = content.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""')
  const isMathematics = mathematics.test(bare) && !programmed.test(content)
  if (isMathematics) return 'prose'
  if (isSpacedCall(content) || oneLineBlock.test(content)) return 'code'
  if (!beginsLikeCode(content)) return 'other'
  if (/^[A-Za-z]\w?\(|^[\w$.]+\([^()]*\)\s*=/.test(content)) return 'prose'
  if (assignment.test(content)) {
    if (bare.replace(/\([^()]*\)/g, '()').split(/(?<![=!<>:])=(?!=)/).length > 2) return 'prose'
    return programmed.test(content) ? 'code' : quantity.test(bare) ? 'prose' : 'equation'
  }
  // A clause that ends with a colon is not a block.
  if (/^(?:if|for|while|with|match|try|switch)\b/.test(content)) return /[()[\]{}=<>!+]|\bin\b|^try/.test(bare) ? 'code' : 'prose'
  return /^[{[\d@]/.test(content) || (/^[\w$.]+\(/.test(content) && !longCall.test(content)) ? 'equation' : 'code'
}
