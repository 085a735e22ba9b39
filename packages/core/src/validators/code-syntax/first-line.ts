import { beginsLikeCode } from './looks-like-code.ts'

/** The first line of a text that arrives in pieces: whether it makes the text look like code. */
export class FirstLine {
  #line = ''
  verdict: 'open' | 'code' | 'prose' = 'open'

  /** Takes the next piece of text. */
  push(piece: string): void {
    if (this.verdict !== 'open') return
    const rest = this.#line === '' ? piece.trimStart() : piece
    const end = rest.search(/[\r\n]/)
    this.#line += end < 0 ? rest : rest.slice(0, end)
    if (this.#line === '') return
    if (end >= 0) this.verdict = beginsLikeCode(this.#line) ? 'code' : 'prose'
    else if (!mayBecomeCode(this.#line)) this.verdict = 'prose'
  }
}

/** Words that code begins with, and then a space. */
const keywords = new Set(
  (
    'const let var export public private static async function class def func fn interface struct enum type if for while switch try with match ' +
    'import from package SELECT INSERT UPDATE DELETE CREATE ALTER DROP WITH'
  ).split(' '),
)

/** Tells whether a line that begins so may still turn out to be code. */
export function mayBecomeCode(start: string): boolean {
  const first = start.charAt(0)
  if ('/#@<{['.includes(first)) return true
  const head = start.slice(0, longestName + 3)
  const name = /^[A-Za-z_$][\w$.]*/.exec(head)?.[0]
  if (name === undefined) return false
  const next = head.charAt(name.length)
  if (next === '') return true
  if (/\s/.test(next) && keywords.has(name)) return true
  const operator = /\s/.test(next) ? head.charAt(name.length + 1) : next
  return operator === '' || '({=:+-*/%'.includes(operator)
}

/** Longer names are none. */
const longestName = 200
