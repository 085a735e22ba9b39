import { after, lineEnd } from '../skip-space.ts'

/** Where the token at an offset ends: a comment, a string, a word, or one character; unclosed ones end with their line or the text. */
export function goTokenEnd(text: string, at: number): number {
  const char = text[at] ?? ''
  if (char === '' || char === '\n') return at
  const two = text.slice(at, at + 2)
  if (two === '//') return lineEnd(text, at)
  if (two === '/*') return after(text, '*/', at + 2)
  if (char === '`') return after(text, '`', at + 1)
  if (char === '"' || char === "'") return quotedEnd(text, at, char)
  let end = at + 1
  if (isWord(char)) while (end < text.length && isWord(text[end] ?? '')) end++
  return end
}

function isWord(char: string): boolean {
  return /[\w\u0080-\uffff]/.test(char)
}

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (text[at] === '\n') return at
    if (text[at] === '\\') at++
  }
  return text.length
}
