import { endOfMatch, matchAt } from '../span.ts'
import { type Doubtful, doubtful, type StepBudget } from './scan-result.ts'

const uri = /<[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\0-\x20<>]*>/y
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
// backtracks: at most 63 characters of each part of a host
const email = new RegExp(`<[\\w.!#$%&'*+/=?^\`{|}~-]+@${label}(?:\\.${label})*>`, 'y')
const closingTag = /<\/[A-Za-z][A-Za-z0-9-]*[ \t\n]*>/y
const openTag = /<[A-Za-z][A-Za-z0-9-]*/y
const endOfTag = /[ \t\n]*\/?>/y
/** An attribute, up to the quotation mark of its value. */
const attribute = /[ \t\n]+[A-Za-z_:][\w:.-]*(?:[ \t\n]*=[ \t\n]*(?:[^\0-\x20"'=<>`]+|(["'])))?/y

/** Finds where autolinks and raw HTML end. */
export class InlineHtml {
  readonly #text: string
  readonly #budget: StepBudget
  /** Closers that were searched for in vain: none of them follows later either. */
  readonly #missing = new Set<string>()

  constructor(text: string, budget: StepBudget) {
    this.#text = text
    this.#budget = budget
  }

  /** The offset after the construct that starts at a `<`; undefined when it is text. */
  endAt(at: number): number | Doubtful | undefined {
    const second = this.#text[at + 1]
    if (second === '!') return this.#endOfDeclaration(at)
    if (second === '?') return this.#endBehind('?>', at + 2)
    if (second === '/') return endOfMatch(closingTag, this.#text, at)
    return endOfMatch(email, this.#text, at) ?? endOfMatch(uri, this.#text, at) ?? this.#endOfOpenTag(at)
  }

  #endOfDeclaration(at: number): number | undefined {
    if (this.#text.startsWith('<!--', at)) {
      if (this.#text.startsWith('<!-->', at)) return at + 5
      return this.#text.startsWith('<!--->', at) ? at + 6 : this.#endBehind('-->', at + 4)
    }
    if (this.#text.startsWith('<![CDATA[', at)) return this.#endBehind(']]>', at + 9)
    return /[A-Za-z]/.test(this.#text.charAt(at + 2)) ? this.#endBehind('>', at + 3) : undefined
  }

  #endOfOpenTag(at: number): number | Doubtful | undefined {
    for (let next = endOfMatch(openTag, this.#text, at); next !== undefined; ) {
      const closed = endOfMatch(endOfTag, this.#text, next)
      if (closed !== undefined) return closed
      const quote = matchAt(attribute, this.#text, next)
      if (quote === null) return undefined
      const end = next + quote[0].length
      const valueEnd: number | undefined = quote[1] === undefined ? end : this.#endBehind(quote[1], end)
      if (valueEnd !== undefined && !this.#budget.spend(valueEnd - next)) return doubtful
      next = valueEnd
    }
    return undefined
  }

  #endBehind(closer: string, from: number): number | undefined {
    if (this.#missing.has(closer)) return undefined
    const found = this.#text.indexOf(closer, from)
    if (found >= 0) return found + closer.length
    this.#missing.add(closer)
    return undefined
  }
}
