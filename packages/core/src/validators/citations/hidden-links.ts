import type { ShownCharacters } from './shown-characters.ts'

const isSpace = (unit: string): boolean => unit === ' ' || unit === '\t' || unit === '\n' || unit === '\r'

const closers: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' }

/** What is read: the text of a link, what is behind its bracket, the parts of its address and title, or its label. */
type Part = 'text' | 'tail' | 'address' | 'pointed' | 'bare' | 'gap' | 'title' | 'label'

/** Continues at a bracket after another one that shows nothing. Returns whether only invisible links, images and tags are between such a bracket and a caret. */
export class HiddenLinks {
  readonly #shown: ShownCharacters
  /** How many brackets are open. */
  #depth: number
  /** Whether a bracket in a tag, or of a link that shows nothing, has come since the last bracket. */
  #hidden: boolean
  #part: Part = 'text'
  #parentheses = 0
  #closer = ''
  #before = ''

  /** The second bracket may be in a tag that has begun, of which it is part; the first may be the text of a link, whose bracket is open as well. */
  constructor(shown: ShownCharacters, isText: boolean) {
    this.#shown = shown
    this.#hidden = shown.inTag
    this.#depth = (shown.inTag ? 1 : 2) + (isText ? 1 : 0)
    if (shown.inTag) shown.take('[')
  }

  /** Takes the next code unit: `marker` for a caret behind such a link, `none` where something else is shown; undefined while nobody can tell. */
  take(unit: string, escaped: boolean): 'marker' | 'none' | undefined {
    const isBlank = unit === '\n' && /[\r\n]/.test(this.#before)
    if (unit !== ' ' && unit !== '\t') this.#before = unit
    if (isBlank) return 'none'
    if (this.#part === 'text') return this.#takeText(unit, escaped)
    if (this.#part === 'tail') return this.#takeTail(unit)
    return escaped || this.#takeAddress(unit) ? undefined : 'none'
  }

  #takeText(unit: string, escaped: boolean): 'marker' | 'none' | undefined {
    if (!escaped && !this.#shown.isOpen) {
      if (unit === '[') {
        this.#depth++
        this.#hidden = false
        return undefined
      }
      if (unit === ']') {
        this.#part = 'tail'
        return undefined
      }
      if (unit === '!') return undefined
    }
    if (unit === '[' && !escaped) this.#hidden = true
    const shown = this.#shown.take(unit).replace(/[*_~]/g, '')
    if (shown === '') return undefined
    return shown === '^' && this.#hidden ? 'marker' : 'none'
  }

  #takeTail(unit: string): 'none' | undefined {
    if (unit !== '(' && unit !== '[') return 'none'
    this.#part = unit === '(' ? 'address' : 'label'
    this.#parentheses = 0
    return undefined
  }

  /** Whether a link may go on; it may have ended. */
  #takeAddress(unit: string): boolean {
    switch (this.#part) {
      case 'address':
        if (unit === '<') this.#part = 'pointed'
        else if (unit !== ')' && !isSpace(unit)) return this.#takeBare(unit)
        return unit !== ')' || this.#end()
      case 'bare':
        return this.#takeBare(unit)
      case 'pointed':
        if (unit === '>') this.#part = 'gap'
        return unit !== '<' && unit !== '\n'
      case 'gap':
        if (unit === ')') return this.#end()
        if (isSpace(unit)) return true
        this.#closer = closers[unit] ?? ''
        this.#part = 'title'
        return this.#closer !== ''
      case 'title':
        if (unit === this.#closer) this.#part = 'gap'
        return true
      default:
        if (unit === ']') return this.#end()
        return unit !== '['
    }
  }

  #takeBare(unit: string): boolean {
    this.#part = isSpace(unit) ? 'gap' : 'bare'
    if (unit === '(') this.#parentheses++
    else if (unit === ')' && this.#parentheses-- === 0) return this.#end()
    return true
  }

  #end(): boolean {
    this.#part = 'text'
    this.#hidden = true
    return --this.#depth > 0
  }
}
