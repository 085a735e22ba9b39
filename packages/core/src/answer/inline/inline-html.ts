import { isDigit, isLetter } from '../characters.ts'
import { type Doubtful, doubtful, type StepBudget } from './scan-result.ts'

const greaterThan = 62
const slash = 47
const equals = 61

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
    return this.#endOfEmail(at) ?? this.#endOfUri(at) ?? this.#endOfHtml(at)
  }

  #endOfHtml(at: number): number | Doubtful | undefined {
    const second = this.#text.charCodeAt(at + 1)
    if (second === 33) return this.#endOfDeclaration(at)
    if (second === 63) return this.#endBehind('?>', at + 2)
    if (second === slash) return isLetter(this.#text.charCodeAt(at + 2)) ? this.#endOfClosingTag(at + 2) : undefined
    return isLetter(second) ? this.#endOfOpenTag(at + 1) : undefined
  }

  #endOfDeclaration(at: number): number | undefined {
    if (this.#text.startsWith('<!--', at)) {
      if (this.#text.startsWith('<!-->', at)) return at + 5
      return this.#text.startsWith('<!--->', at) ? at + 6 : this.#endBehind('-->', at + 4)
    }
    if (this.#text.startsWith('<![CDATA[', at)) return this.#endBehind(']]>', at + 9)
    return isLetter(this.#text.charCodeAt(at + 2)) ? this.#endBehind('>', at + 3) : undefined
  }

  #endBehind(closer: string, from: number): number | undefined {
    if (this.#missing.has(closer)) return undefined
    const found = this.#text.indexOf(closer, from)
    if (found >= 0) return found + closer.length
    this.#missing.add(closer)
    return undefined
  }

  /** `<scheme:anything>`. */
  #endOfUri(at: number): number | undefined {
    const scheme = /^[A-Za-z][A-Za-z0-9.+-]{1,31}:/.exec(this.#text.slice(at + 1, at + 34))?.[0]
    if (scheme === undefined) return undefined
    let end = at + 1 + scheme.length
    while (isUriPart(this.#text.charCodeAt(end))) end++
    return this.#text.charCodeAt(end) === greaterThan ? end + 1 : undefined
  }

  /** `<local@domain>`. */
  #endOfEmail(at: number): number | undefined {
    let local = at + 1
    while (localPart.has(this.#text.charCodeAt(local))) local++
    if (local === at + 1 || this.#text[local] !== '@') return undefined
    let end = local + 1
    while (isDomainPart(this.#text.charCodeAt(end))) end++
    if (this.#text.charCodeAt(end) !== greaterThan) return undefined
    const labels = this.#text.slice(local + 1, end).split('.')
    return labels.every(isDomainLabel) ? end + 1 : undefined
  }

  #endOfClosingTag(name: number): number | undefined {
    const space = this.#skipSpace(this.#skipName(name))
    return this.#text.charCodeAt(space) === greaterThan ? space + 1 : undefined
  }

  #endOfOpenTag(name: number): number | Doubtful | undefined {
    let at = this.#skipName(name)
    for (;;) {
      const space = this.#skipSpace(at)
      const code = this.#text.charCodeAt(space)
      if (code === greaterThan) return space + 1
      if (code === slash) return this.#text.charCodeAt(space + 1) === greaterThan ? space + 2 : undefined
      if (space === at || !isAttributeStart(code)) return undefined
      const end = this.#endOfAttribute(space)
      if (end === undefined || end === doubtful) return end
      if (!this.#budget.spend(end - at)) return doubtful
      at = end
    }
  }

  #endOfAttribute(start: number): number | Doubtful | undefined {
    let end = start
    while (isAttributePart(this.#text.charCodeAt(end))) end++
    const sign = this.#skipSpace(end)
    if (this.#text.charCodeAt(sign) !== equals) return end
    return this.#endOfValue(this.#skipSpace(sign + 1))
  }

  #endOfValue(start: number): number | Doubtful | undefined {
    const quote = this.#text[start]
    if (quote === '"' || quote === "'") {
      const end = this.#endBehind(quote, start + 1)
      return end !== undefined && !this.#budget.spend(end - start) ? doubtful : end
    }
    let end = start
    while (isBareValue(this.#text.charCodeAt(end))) end++
    return end > start ? end : undefined
  }

  #skipName(at: number): number {
    let end = at
    while (isLetter(this.#text.charCodeAt(end)) || isDigit(this.#text.charCodeAt(end)) || this.#text[end] === '-') end++
    return end
  }

  #skipSpace(at: number): number {
    let end = at
    while (isSpace(this.#text.charCodeAt(end))) end++
    return end
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10
}

function isUriPart(code: number): boolean {
  return code > 32 && code !== 60 && code !== greaterThan
}

const localPart = new Set(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+/=?^_`{|}~-"].map((char) => char.charCodeAt(0)),
)

function isDomainPart(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 45 || code === 46
}

function isDomainLabel(label: string): boolean {
  return label.length >= 1 && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-')
}

function isAttributeStart(code: number): boolean {
  return isLetter(code) || code === 95 || code === 58
}

function isAttributePart(code: number): boolean {
  return isAttributeStart(code) || isDigit(code) || code === 46 || code === 45
}

/** Anything but quotes, `=`, `<`, `>`, backticks and what is not visible. */
function isBareValue(code: number): boolean {
  return code > 32 && code !== 34 && code !== 39 && code !== 60 && code !== 61 && code !== 62 && code !== 96
}
