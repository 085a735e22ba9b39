import { clamp } from '@stickler/core/internal'
import type { Arity } from './catalogue.ts'
import type { Flaw, Token } from './tokens.ts'
import type { MeantCommand } from './vocabulary.ts'

/** A fault on one line, from one place to another. */
export interface LineFault {
  readonly start: number
  readonly end: number
  readonly message: string
  readonly suggestion?: string
}

const longestQuote = 80

/** Puts a piece of the program into a message: on one line, and not too long. */
export function quoted(text: string): string {
  // A little more than is shown is enough to see that something is cut off.
  const plain = text
    .slice(0, 4 * longestQuote)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '\ufffd')
  return `'${clamp(plain.trim(), longestQuote)}'`
}

/** Tokens as they are written, with the arguments of calls as `(...)` and without what only opens a block. */
export function abbreviate(line: string, tokens: readonly Token[]): string {
  let text = ''
  let last = tokens[0]?.start ?? 0
  for (const { kind, start, end, text: written, parts, flaw } of tokens) {
    // What is cut off anyway need not be put together.
    if (text.length > 4 * longestQuote) break
    const space = line.slice(last, start) === '' ? '' : ' '
    const isCall = kind === 'group' && written === '('
    const isOpening = written === '{' && flaw !== undefined
    text += space + (isCall ? (parts > 0 ? '(...)' : '()') : isOpening ? '' : line.slice(start, end))
    last = end
  }
  const plain = text.trim()
  return plain.replace(/[\s:{;]{1,16}$/, '') || plain || line.slice(tokens[0]?.start, (tokens[0]?.start ?? 0) + 1)
}

/** The words for a piece of another language. */
export function unexpectedConstruct(line: string, tokens: readonly Token[], required: string, suggestion?: string): LineFault {
  return {
    ...spanOf(tokens),
    message: `unexpected construct ${quoted(abbreviate(line, tokens))} — ${required} required`,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

/** Where tokens begin and end. */
export function spanOf(tokens: readonly Token[]): { readonly start: number; readonly end: number } {
  return { start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 1 }
}

/** The words for a string or a bracket that does not end as it must. */
export function flawFault(line: string, { kind, start, end, expected }: Flaw): LineFault {
  // backtracks: at most 80 characters
  const opened = `${/[\w$.]*$/.exec(line.slice(Math.max(0, start - longestQuote), start))?.[0]}${line.charAt(start)}`
  const messages = {
    string: `unterminated string — expected closing ${expected} on the same line`,
    template: `unterminated '$\{' in a template — expected '${expected}'`,
    unclosed: `${quoted(opened)} not closed — expected '${expected}' on the same line`,
    mismatch: `unexpected closing bracket — expected '${expected}'`,
    stray: `unexpected '${expected}' — no bracket is open`,
  }
  return { start, end, message: messages[kind] }
}

/** The words for a wrong number of arguments; undefined for a right one. */
export function arityFault({ start, end }: Pick<Token, 'start' | 'end'>, name: string, arity: Arity, found: number): LineFault | undefined {
  const [least, most] = limits(arity)
  if (found >= least && found <= most) return undefined
  return {
    start,
    end,
    message: `wrong number of arguments for '${name}' — expected ${least === most ? least : `${least}–${most}`}, found ${found}`,
  }
}

/** The words for a call of what does not exist. */
export function unknownCall(name: string, { command, wording }: MeantCommand): Pick<LineFault, 'message' | 'suggestion'> {
  const isUnknown = command === undefined || wording === 'unknown'
  return {
    message: isUnknown
      ? `unknown command ${quoted(name)} — expected known identifier`
      : `${quoted(name)} not defined — did you mean '${command}'?`,
    ...(command === undefined ? {} : { suggestion: command }),
  }
}

/** The least and the most arguments. */
function limits(arity: Arity): readonly [number, number] {
  return typeof arity === 'number' ? [arity, arity] : arity
}

/** The words for a comment of another language. */
export function hashFault(line: string, { start, end }: Token): LineFault {
  const isLong = end - start > longestQuote
  return {
    start,
    end,
    message: `unexpected comment ${quoted(line.slice(start, isLong ? start + longestQuote * 2 : end))} — '//' required`,
    suggestion: '//',
  }
}
