/** Why a string or a bracket does not end as it must. */
export interface Flaw {
  readonly kind: 'string' | 'template' | 'unclosed' | 'mismatch' | 'stray'
  readonly start: number
  readonly end: number
  /** The character that is missing, or the one that is in the wrong place. */
  readonly expected: string
}

/** One piece of a statement outside brackets; a bracket with all that it holds is one piece. */
export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'group' | 'operator' | 'hash' | 'stray'
  readonly start: number
  readonly end: number
  /** As it is written; of a group only its opening bracket. */
  readonly text: string
  /** How many parts a group holds that commas separate. */
  readonly parts: number
  readonly flaw?: Flaw
}

/**
 * The tokens of one statement, and what ended it: the line, `;`, the brace of a function, or a
 * comment that continues below.
 */
export interface TokenRun {
  readonly tokens: readonly Token[]
  readonly end: number
  readonly stop: 'line' | ';' | '{' | '}' | '/*'
}

const closers: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
export const quotes = new Set(['"', "'", '`'])
const operators = new Set('+-*/%<>=!&|^~@.,:?')
const long = new Set([
  ...['===', '!==', '**=', '...', ':=', '==', '!=', '<=', '>=', '=>', '->', '**', '<<', '>>', '&&', '||', '++', '--', '??', '?.', '::'],
  ...['+=', '-=', '*=', '/=', '%=', '|=', '&=', '^='],
])

/** A line, with what is looked up more than once. */
export interface Line {
  readonly text: string
  /** Where the last comment that can continue below ends. */
  readonly lastComment: number
  /** Where its text ends, without what may follow a statement. */
  readonly lastCharacter: number
}

/** Looks at a line once, however many statements and brackets it has. */
export function lineOf(text: string): Line {
  let last = text.length - 1
  while (last >= 0 && (isSpace(text.charAt(last)) || text.charAt(last) === ';')) last--
  return { text, lastComment: text.lastIndexOf('*/'), lastCharacter: last }
}

/** Reads one statement of a line, from a place on. */
export function readTokens(given: Line, from: number): TokenRun {
  const { text: line } = given
  const tokens: Token[] = []
  let at = from
  const add = (kind: Token['kind'], end: number, more: { text?: string; parts?: number; flaw?: Flaw | undefined } = {}): void => {
    const { text = line.slice(at, end), parts = 0, flaw } = more
    tokens.push({ kind, start: at, end, text, parts, ...(flaw === undefined ? {} : { flaw }) })
    at = end
  }
  while (at < line.length) {
    const character = line.charAt(at)
    const isComment = character === '/' && line.charAt(at + 1)
    if (isSpace(character)) at++
    else if (isComment === '/') return { tokens, end: line.length, stop: 'line' }
    else if (isComment === '*') {
      if (given.lastComment < at + 2) return { tokens, end: at, stop: '/*' }
      at = line.indexOf('*/', at + 2) + 2
    } else if (character === '#') add('hash', line.length)
    else if (quotes.has(character)) {
      const { end, flaw } = readString(line, at)
      add('string', end, { flaw })
    } else if (character === ';' || character === '}') return { tokens, end: at + 1, stop: character }
    else if (character === '{' && isHeader(tokens)) return { tokens, end: at + 1, stop: '{' }
    else if (closers.has(character)) {
      const { end, parts, flaw } = readGroup(given, at)
      add('group', end, { text: character, parts, flaw })
    } else if (character === ')' || character === ']') {
      // Whatever follows, this is what is wrong.
      add('stray', line.length, { flaw: { kind: 'stray', start: at, end: at + 1, expected: character } })
    } else if (isDigit(character)) add('number', endOf(line, at, isNumberPart))
    else if (isNamePart(character)) add('name', endOf(line, at, isNamePart))
    else add('operator', at + operatorLength(line, at))
  }
  return { tokens, end: line.length, stop: 'line' }
}

/** Where the white space from a place on ends. */
export function skipSpace(line: string, from: number): number {
  return endOf(line, from, isSpace)
}

function isHeader(tokens: readonly Token[]): boolean {
  return tokens.length === 3 && tokens[0]?.text === 'function' && tokens[2]?.text === '(' && tokens[2].flaw === undefined
}

interface Reading {
  readonly end: number
  readonly flaw?: Flaw | undefined
}

export function readString(line: string, start: number): Reading {
  const quote = line.charAt(start)
  let hole = -1
  for (let at = start + 1; at < line.length; at++) {
    const character = line.charAt(at)
    if (character === '\\') at++
    else if (character === quote)
      return { end: at + 1, flaw: hole < 0 ? undefined : { kind: 'template', start: hole, end: at, expected: '}' } }
    else if (quote !== '`') continue
    else if (character === '$' && line.charAt(at + 1) === '{') hole = hole < 0 ? at : hole
    else if (character === '}') hole = -1
  }
  return { end: line.length, flaw: { kind: 'string', start, end: line.length, expected: quote } }
}

/** Arguments may be any text, but their brackets and quotes are in pairs. */
export function readGroup({ text: line, lastComment, lastCharacter }: Line, start: number): Reading & { readonly parts: number } {
  const open: { at: number; closer: string }[] = []
  let commas = 0
  let isEmpty = true
  for (let at = start; at < line.length; at++) {
    const character = line.charAt(at)
    const closer = closers.get(character)
    if (isSpace(character)) continue
    if (character === '/' && line.charAt(at + 1) === '*' && at + 2 <= lastComment) {
      at = line.indexOf('*/', at + 2) + 1
      continue
    }
    if (closer !== undefined) {
      if (open.length > 0) isEmpty = false
      open.push({ at, closer })
      continue
    }
    if (character === '\\' && at + 1 < lastCharacter && isPaired(line.charAt(at + 1))) {
      isEmpty = false
      at++
      continue
    }
    const top = open.at(-1)
    if (character === top?.closer) {
      open.pop()
      if (open.length === 0) return { end: at + 1, parts: isEmpty ? 0 : commas + 1 }
      continue
    }
    isEmpty = false
    if (character === ',' && open.length === 1) commas++
    else if (quotes.has(character)) {
      const { end, flaw } = readString(line, at)
      if (flaw !== undefined) return { end: line.length, parts: commas + 1, flaw }
      at = end - 1
    } else if (character === ')' || character === ']' || character === '}') {
      return { end: line.length, parts: commas + 1, flaw: { kind: 'mismatch', start: at, end: at + 1, expected: top?.closer ?? '' } }
    }
  }
  const { at, closer } = open.at(-1) ?? { at: start, closer: ')' }
  return { end: line.length, parts: commas + 1, flaw: { kind: 'unclosed', start: at, end: line.length, expected: closer } }
}

export function endOf(line: string, from: number, belongs: (character: string) => boolean): number {
  let at = from
  while (at < line.length && belongs(line.charAt(at))) at++
  return at
}

function operatorLength(line: string, at: number): number {
  if (long.has(line.slice(at, at + 3))) return 3
  if (long.has(line.slice(at, at + 2))) return 2
  const character = line.charAt(at)
  // A sequence that is not an operator is one token, however long.
  return operators.has(character) ? 1 : endOf(line, at, (next) => next === character) - at
}

export function isSpace(character: string): boolean {
  return character <= ' ' ? character !== '\0' : character >= '\u0080' && /^[\s\u200b\u2060]$/.test(character)
}

/** What a regular expression without quotes escapes. */
export function isPaired(character: string): boolean {
  return '()[]{}"\'`'.includes(character)
}

export function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

export function isNumberPart(character: string): boolean {
  return character === '.' || isNamePart(character)
}

/** Letters of any script, not the punctuation that typists put into prose. */
export function isNamePart(character: string): boolean {
  if (character >= 'a' && character <= 'z') return true
  if (character < '\u0080') return /^[\w$]$/.test(character)
  return character >= '\u00aa' && !(character >= '\u2010' && character <= '\u2bff') && !isSpace(character) && !/^[«»·¿×÷]$/.test(character)
}
