import { beginsLikeCode, mayBeginOwn } from './looks-like-code.ts'

/** The first line of a text that arrives in pieces: whether it makes the text look like code. */
export class FirstLine {
  readonly #language: string
  #line = ''
  verdict: 'open' | 'code' | 'prose' = 'open'

  constructor(language = '') {
    this.#language = language
  }

  /** Takes the next piece of text. */
  push(piece: string): void {
    if (this.verdict !== 'open') return
    const rest = this.#line === '' ? piece.trimStart() : piece
    const end = rest.search(/[\r\n]/)
    this.#line += end < 0 ? rest : rest.slice(0, end)
    if (this.#line === '') return
    if (end >= 0) this.verdict = beginsLikeCode(this.#line, this.#language) ? 'code' : 'prose'
    else if (!mayBecomeCode(this.#line, this.#language)) this.verdict = 'prose'
  }
}

/** Words that code begins with, and then a space. */
const keywords = new Set(
  (
    'const let var export public private static async function class def func fn interface struct enum type if for while switch try with match ' +
    'import from package SELECT INSERT UPDATE DELETE CREATE ALTER DROP WITH'
  ).split(' '),
)

/** How a line goes on that may be code, by its first character. */
const signs: Readonly<Record<string, RegExp>> = {
  '/': /^\/(?:$|[/*])/,
  '#': /^#(?:$|!|i(?:$|n))/,
  '@': /^@\w*(?:\(|\s*$)/,
  '<': /^<(?:$|\?)/,
  '{': /^\{\s*(?:$|["'}])/,
  '[': /^\[\s*(?:-?$|["'{[\]]|-?\d+\s*(?:$|,))/,
}

/** Whether a line that begins so may still turn out to be code. */
function mayBecomeCode(start: string, language = ''): boolean {
  const head = start.slice(0, longestName + 3)
  if (mayBeginOwn(head, language)) return true
  const sign = signs[head.charAt(0)]
  if (sign !== undefined) return sign.test(head)
  const name = /^[\p{Script=Latin}_$][\p{Script=Latin}\w$.]*/u.exec(head)?.[0]
  if (name === undefined) return false
  const next = head.charAt(name.length)
  if (next === '' || next === '(' || next === '[' || (/[\s:{]/.test(next) && keywords.has(name))) return true
  // An assignment.
  const behind = head.slice(name.length + (/\s/.test(next) ? 1 : 0))
  return behind === '' || /^(?:=|[-:+*/%](?:=|$))/.test(behind)
}

/** Longer names are none. */
const longestName = 200
