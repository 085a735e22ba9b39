import { BashProblem } from './problem.ts'

/** Finds the end of `$(…)`, `<(…)` and `>(…)`, whose parenthesis opens at an offset: commands are parsed. */
export type Substitution = (open: number) => number

/** How a pair is read. */
interface PairOptions {
  /** A backslash escapes inside single quotes, as in `$'…'`. */
  readonly hasEscapes?: boolean
  /** Further opening characters do not nest, as in `${…}`. */
  readonly isFirstClose?: boolean
  /** Hears of each pair of the same kind inside, with the offset after it. */
  readonly onInner?: (open: number, end: number) => void
}

/** What opens, in words: quotes in quotes are hard to read. */
const names: Readonly<Record<string, string>> = {
  '"': 'double quote',
  "'": 'single quote',
  '`': 'back-tick',
  '(': 'parenthesis',
  '{': 'brace',
  '[': 'square bracket',
}

/** The offset after the character that closes what opens at `start`, as bash matches quotes and brackets. */
export function pairEnd(text: string, start: number, close: string, substitution: Substitution, options: PairOptions = {}): number {
  const open = text[start] ?? ''
  const isQuote = open === close
  const opened: number[] = []
  let wasDollar = false
  for (let at = start + 1; at < text.length; ) {
    const char = text[at] ?? ''
    if (char === '\\' && (open !== "'" || options.hasEscapes === true)) {
      at += 2
      wasDollar = false
    } else if (char === close) {
      at++
      wasDollar = false
      const inner = opened.pop()
      if (inner === undefined) return at
      options.onInner?.(inner, at)
    } else if (open === "'") at++
    else if (wasDollar && open !== '`' && isExpansion(char) && !(open === '(' && char === '[')) {
      at = expansionEnd(text, at, substitution)
      wasDollar = false
    } else if ((!isQuote && isQuoteSign(char)) || (open === '"' && char === '`')) {
      at = pairEnd(text, at, char, substitution, { hasEscapes: wasDollar && char === "'" })
      wasDollar = false
    } else {
      if (char === open && options.isFirstClose !== true) opened.push(at)
      wasDollar = char === '$' && !wasDollar
      at++
    }
  }
  throw new BashProblem(start, start + 1, `Close the ${names[open] ?? 'bracket'} that opens here.`)
}

/** The offset after an expansion whose bracket opens at `at`, right after a dollar sign. */
export function expansionEnd(text: string, at: number, substitution: Substitution): number {
  const char = text[at]
  if (char === '{') return pairEnd(text, at, '}', substitution, { isFirstClose: true })
  if (char === '[') return pairEnd(text, at, ']', substitution)
  return text[at + 1] === '(' ? pairEnd(text, at, ')', substitution) : substitution(at)
}

/** Whether a character opens an expansion after a dollar sign. */
export function isExpansion(char: string): boolean {
  return char === '(' || char === '{' || char === '['
}

/** Whether a character opens and closes a quotation. */
export function isQuoteSign(char: string): boolean {
  return char === "'" || char === '"' || char === '`'
}
