import { expansionEnd, isExpansion, isQuoteSign, pairEnd, type Substitution } from './pairs.ts'

/** Where a word is read, which decides what belongs to it. */
export type WordContext = 'command' | 'declaration' | 'argument' | 'list' | 'pattern' | 'regex'

/** What reading a word needs from the parser. */
export interface WordReading {
  readonly substitution: Substitution
  /** The end of the list `(…)` of an assignment, whose parenthesis opens at an offset. */
  readonly list: (open: number) => number
  /** Whether the script switches extended patterns on. */
  readonly hasExtendedPatterns: boolean
}

/** A word as it is written. */
interface BashWord {
  readonly end: number
  /** Without quotes, escapes and expansions, so that it may be a reserved word. */
  readonly isPlain: boolean
}

/** Reads the word at an offset; it is empty at an operator or a blank. */
export function readWord(text: string, start: number, context: WordContext, reading: WordReading): BashWord {
  const { substitution, list, hasExtendedPatterns } = reading
  const isAssignable = context === 'command' || context === 'list'
  let isPlain = true
  let at = start
  while (at < text.length) {
    const char = text[at] ?? ''
    const next = text[at + 1] ?? ''
    if (char === '\\') {
      // A backslash at the end of a line joins it with the next one.
      const isJoin = next === '\n' || (next === '\r' && text[at + 2] === '\n')
      if (!isJoin) isPlain = false
      at += isJoin && next === '\r' ? 3 : 2
    } else if (isQuoteSign(char)) {
      at = pairEnd(text, at, char, substitution)
      isPlain = false
    } else if (char === '$') {
      isPlain = false
      if (isExpansion(next)) at = expansionEnd(text, at + 1, substitution)
      else if (next === "'" || next === '"') at = pairEnd(text, at + 1, next, substitution, { hasEscapes: next === "'" })
      else at += next === '$' ? 2 : 1
    } else if ((char === '<' || char === '>') && next === '(' && context !== 'regex') {
      at = substitution(at + 1)
      isPlain = false
    } else if (context === 'regex' && (char === '(' || char === '|')) {
      at = char === '(' ? pairEnd(text, at, ')', substitution) : at + 1
    } else if (next === '(' && (hasExtendedPatterns || context === 'pattern') && '?*+@!'.includes(char)) {
      at = pairEnd(text, at + 1, ')', substitution)
      isPlain = false
    } else if (char === '[' && isAssignable && (at === start ? context === 'list' : isName(text.slice(start, at)))) {
      at = pairEnd(text, at, ']', substitution)
    } else if (
      char === '(' &&
      (context === 'command' || context === 'declaration') &&
      text[at - 1] === '=' &&
      isAssignment(text.slice(start, at))
    ) {
      at = list(at)
      isPlain = false
    } else if (isBreak(char)) break
    else at++
  }
  return { end: Math.min(at, text.length), isPlain }
}

/** Whether a word assigns a variable: `name=`, `name+=`, `name[index]=`. */
export function isAssignment(word: string): boolean {
  const name = /^[A-Za-z_]\w*/.exec(word)?.[0]
  if (name === undefined) return false
  const rest = word.slice(name.length)
  return rest.startsWith('=') || rest.startsWith('+=') || (rest.startsWith('[') && /\]\+?=/.test(rest))
}

function isName(word: string): boolean {
  return /^[A-Za-z_]\w*$/.test(word)
}

function isBreak(char: string): boolean {
  return ' \t\r\n;&|()<>'.includes(char)
}
