import { after, lineEnd } from '../skip-space.ts'

/** A piece of SQL that the lexer skips or stops at. */
export interface SqlToken {
  readonly start: number
  readonly end: number
  /** One character, a whole word, or the first characters of what is quoted or commented. */
  readonly kind: 'word' | 'quoted' | 'comment' | 'sign'
}

const isWord = /[A-Za-z0-9_$\u0080-\uffff]/

/** Reads the token at an offset, which must not be inside another; unclosed ones end with the text. */
export function sqlTokenAt(text: string, at: number): SqlToken {
  const char = text[at] ?? ''
  const two = text.slice(at, at + 2)
  if (two === '--') return { start: at, end: lineEnd(text, at), kind: 'comment' }
  if (two === '/*') return { start: at, end: commentEnd(text, at), kind: 'comment' }
  if (char === "'" || char === '"') return { start: at, end: quotedEnd(text, at, char, false), kind: 'quoted' }
  if ((char === 'e' || char === 'E') && text[at + 1] === "'") return { start: at, end: quotedEnd(text, at + 1, "'", true), kind: 'quoted' }
  if (char === '$') {
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]{0,62})?\$/.exec(text.slice(at, at + 66))?.[0]
    if (tag !== undefined) return { start: at, end: after(text, tag, at + tag.length), kind: 'quoted' }
  }
  let end = at + 1
  if (!isWord.test(char)) return { start: at, end, kind: 'sign' }
  while (end < text.length && isWord.test(text[end] ?? '')) end++
  return { start: at, end, kind: 'word' }
}

/** Where the statement after the one at an offset starts; undefined when there is none. */
export function nextStatement(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; ) {
    const { start, end } = sqlTokenAt(text, at)
    if (text[start] === ';') return end
    at = end
  }
  return undefined
}

/** Where the innermost parenthesis between two offsets opens that is not closed; undefined without one. */
export function openParenthesis(text: string, from: number, to: number): number | undefined {
  const open: number[] = []
  for (let at = from; at < to; ) {
    const { start, end } = sqlTokenAt(text, at)
    const char = text[start]
    if (char === '(') open.push(start)
    else if (char === ')') open.pop()
    else if (char === ';') open.length = 0
    at = end
  }
  return open.at(-1)
}

/** The end of a comment; comments nest. */
function commentEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const two = text.slice(at, at + 2)
    if (two === '/*') depth++
    else if (two === '*/' && --depth === 0) return at + 2
    at += two === '/*' || two === '*/' ? 2 : 1
  }
  return text.length
}

/** A doubled quote does not end it: its halves are read as two neighbours, which comes to the same. */
function quotedEnd(text: string, from: number, quote: string, hasEscapes: boolean): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (hasEscapes && text[at] === '\\') at++
  }
  return text.length
}
