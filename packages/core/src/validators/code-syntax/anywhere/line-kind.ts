import { mayBecomeCode } from '../first-line.ts'
import { beginsLikeCode, isProseLine } from '../looks-like-code.ts'
import { begunCode, contentOf, type Decoration, type KnownDecoration, shownCode } from './decoration.ts'

/** What a line outside of fenced blocks is: `code`, an assignment that may be an `equation`, what continues code but does not begin it, or `formula` and `heading`, which are that only right inside of it. */
export type LineKind = 'code' | 'equation' | 'other' | 'formula' | 'heading' | 'prose' | 'blank'

/** Longer lines are judged by their start. */
const longestLine = 1000

/** Signs of mathematics, which code does not have outside of strings. */
const mathematics = /[\\^×÷≈≠≤≥√∑∫∀∃→±·°∞∂∈–−′]|[\u0370-\u03ff\u2070-\u209f²³¹]|\$[$\d]/
/** A quantity with its unit, or a phrase. */
const quantity = /(?:\d|[A-Za-z][A-Za-z]) (?!(?:if|else|and|or|in|is|not|for|lambda|as|from|new|await|of)\b)[A-Za-zµ]/
/** What makes an assignment one of a program: a name in several parts before a bracket, or a string. */
const programmed = /=\s*(?:\w*(?:[a-z][A-Z]|\w\.\w)\w*(?:\.\w+)*\(|(?:\w+\(\s*)?["'`])/ // backtracks: at most 1000 characters
/** A call of a name that is not a letter, as functions of mathematics are. */
const longCall = /^[\w$.]{3,}\(/
const assignment = /^[\p{Script=Latin}_$][\p{Script=Latin}\w$.]*(?:\[[^\]]*\][\w$.]*)?\s?[-+*/%:]?=/u

/** Whether a name is in several parts, as commands are, and not one letter before another, as in mathematics. */
export function isCommandName(name: string): boolean {
  return /^[A-Za-z][a-z]\w*$/.test(name.slice(0, name.search(/\W|$/))) && /^\w*?[a-z\d][A-Z]\w/.test(name)
}

/** A block of another language on one line, such as `for i in x: print(i)`. */
const oneLineBlock = /^(?:for|while|if|with)\b[^:{]*[:{]\s*[\w.]+(?:\([^()]*\)|\s?[-+*/]?=\s?\S)|^(?:for|while|if|switch) ?\([^{}]*\)\s*\{/ // backtracks: at most 1000 characters

/** Commands whose names are not in several parts. */
const shortCommands = new Set('if else end try exception go go_async gather replace'.split(' '))

/** Whether a call opens or closes a block, so that it says nothing alone. */
export function isBlockCall(call: string): boolean {
  return /^(?:if|else|end|startLoop|endLoop|try|exception|go_async) ?\(/.test(call)
}

/** Whether a line begins with a command and has a space before its bracket. */
function isSpacedCall(content: string): boolean {
  const [name = '', next = ''] = content.split(' ', 2)
  return next.startsWith('(') && isCommand(name)
}

/** Whether a name is that of a command. */
export function isCommand(name: string): boolean {
  return shortCommands.has(name) || (/^\w+$/.test(name) && isCommandName(name))
}

/** Whether a line is the call of a command from its start to its end, whatever its arguments are. */
function isCommandCall(statement: string): boolean {
  const name = /^\w+/.exec(statement)?.[0] ?? ''
  const group = name.length + (statement.charAt(name.length) === ' ' ? 1 : 0)
  if (statement.charAt(group) !== '(' || !statement.endsWith(')') || !isCommand(name)) return false
  let depth = 0
  for (let at = group; at < statement.length - 1; at++) {
    if (statement.charAt(at) === '(') depth++
    if (statement.charAt(at) === ')' && --depth === 0) return false
  }
  return true
}

/** Whether a line returns a value, and does not begin a sentence. */
export function isReturn(line: string): boolean {
  const value = /^return\b(.*)/.exec(line)?.[1]?.trim()
  return value !== undefined && (!value.includes(' ') || /["'([+=]/.test(value))
}

/** Where a statement ends: before a semicolon and a comment, which is outside of brackets and strings, unlike the slashes of an address. */
function endOfStatement(bare: string): number {
  let depth = 0
  let end = 0
  for (; end < bare.length; end++) {
    const character = bare.charAt(end)
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '/' && depth <= 0 && '/*'.includes(bare.charAt(end + 1)) && !':/'.includes(bare.charAt(end - 1))) break
  }
  while (end > 0 && ' \t;'.includes(bare.charAt(end - 1))) end--
  return end
}

/** Whether code has a line that only code has. */
export function hasCodeLine(source: string): boolean {
  return source.split('\n').some((line) => lineKind(line) === 'code')
}

/** Says what a line is, apart from its decoration. */
export function lineKind(line: string, decoration: Decoration = 'plain'): LineKind {
  const { start, end } = contentOf(line, decoration)
  return kindOf(withoutRemark(shownCode(line.slice(start, Math.min(end, start + longestLine)).trim())))
}

/** A line without the comment of another language at its end. */
function withoutRemark(content: string): string {
  const at = /\s#\s/.exec(content)?.index ?? 0
  return at > 0 && !content.startsWith('#') ? content.slice(0, at).trimEnd() : content
}

function kindOf(content: string): LineKind {
  if (content === '') return 'blank'
  const withoutStrings = content.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, ({ length }) => `"${'x'.repeat(length - 2)}"`)
  const end = content.startsWith('/') ? content.length : endOfStatement(withoutStrings)
  const [statement, bare] = [content.slice(0, end), withoutStrings.slice(0, end)]
  // Commands first: their arguments may be any text.
  if (isCommandCall(bare)) return 'code'
  if (isProseLine(statement) || /^(?:<|\||\*\*|-{3}|={3})/.test(content)) return 'prose'
  if (content.startsWith('#')) return 'heading'
  if (mathematics.test(bare) && !programmed.test(statement)) return 'formula'
  // Sentences too go on with a bracket after a short word.
  if ((isSpacedCall(statement) && isCommandName(statement)) || oneLineBlock.test(statement)) return 'code'
  if (!beginsLikeCode(statement)) return 'other'
  if (/^(?!(?:if|go)\()[A-Za-z]\w?\(|^[\w$.]+\([^()]*\)\s*=/.test(statement)) return 'formula'
  if (assignment.test(statement)) {
    if (bare.replace(/\([^()]*\)/g, '()').split(/(?<![=!<>:])=(?!=)/).length > 2) return 'formula'
    return programmed.test(statement) ? 'code' : quantity.test(bare) ? 'formula' : 'equation'
  }
  // A clause that ends with a colon is not a block.
  if (/^(?:if|for|while|with|match|try|switch)\b/.test(statement))
    return /[()[\]{}=<>!+]|\b(?:in|True|true)\b|^try/.test(bare) ? 'code' : 'prose'
  return /^[{[\d@]/.test(statement) || (/^[\w$.]+\(/.test(statement) && !longCall.test(statement)) ? 'equation' : 'code'
}

/** Whether lines of a kind begin code. */
export function isCodeKind(kind: LineKind): boolean {
  return kind === 'code' || kind === 'equation'
}

/** Of a longer line the start is enough to see that it is not code. */
export const longestStart = 400

/** Whether a line may still turn out to be code, or has nothing yet but decoration. */
export function mayBeCode(line: string, known: KnownDecoration = { end: 0 }): boolean {
  const content = begunCode(line.slice(0, longestStart), known)
  return content === '' || mayBecomeCode(content) || isSpacedCall(content)
}

/** Whether inline code is more than a name. */
export function isStatement(code: string): boolean {
  return /[(=]/.test(code) && !/^[\w$.]+\(\s*\)$/.test(code.trim()) && !isBlockCall(code.trim()) && lineKind(code) === 'code'
}
