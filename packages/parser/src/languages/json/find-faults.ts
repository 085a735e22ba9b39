import { positionAt, skipSpace } from '@stickler/core/internal'
import type { SyntaxFault } from '@stickler/core/validators'
import { faultAt } from '../fault-at.ts'
import { quoted } from '../quoted.ts'
import { readQuoted } from './read-quoted.ts'
import { readWord } from './read-word.ts'

/** A model acts on the first faults. */
const mostFaults = 20

/** What may come next; `element` and `key` come after a comma, `member` after a colon, and `nothing` after the whole value. */
type Awaited = 'value' | 'element' | 'element or end' | 'key' | 'key or end' | 'colon' | 'member' | 'comma or end' | 'nothing'

interface Bracket {
  readonly isObject: boolean
  readonly at: number
}

/** Finds what is wrong with JSON, and reads on where it is clear what was meant; none exactly when it parses. */
export function findFaults(source: string, { isRelaxed = false } = {}): readonly SyntaxFault[] {
  return new JsonReader(source, isRelaxed).read()
}

class JsonReader {
  readonly #source: string
  readonly #isRelaxed: boolean
  readonly #faults: SyntaxFault[] = []
  readonly #open: Bracket[] = []
  #at = 0
  #awaited: Awaited = 'value'
  #lastComma = 0
  /** Nothing that follows can be understood. */
  #isLost = false

  constructor(source: string, isRelaxed: boolean) {
    this.#source = source
    this.#isRelaxed = isRelaxed
  }

  read(): readonly SyntaxFault[] {
    while (!this.#isLost && this.#faults.length < mostFaults) {
      this.#skipSpace()
      if (this.#isLost) break
      if (this.#at >= this.#source.length) {
        this.#end()
        break
      }
      this.#step(this.#source.charAt(this.#at))
    }
    return this.#faults
  }

  #step(char: string): void {
    if (this.#awaited === 'nothing') this.#afterAll(char)
    else if (this.#awaited === 'colon') this.#colon(char)
    else if (this.#awaited === 'comma or end') this.#commaOrEnd(char)
    else if (char === ',' && this.#awaited !== 'member') this.#report(1, 'Remove this comma: nothing comes before it.')
    else if (char === ']' || char === '}' || char === ',') this.#closeEarly(char)
    else if (this.#awaited === 'key' || this.#awaited === 'key or end') this.#key()
    else this.#value(char)
  }

  #value(char: string): void {
    if (char === '{' || char === '[') {
      this.#open.push({ isObject: char === '{', at: this.#at })
      this.#at++
      this.#awaited = char === '{' ? 'key or end' : 'element or end'
      return
    }
    if (this.#open.length === 0 && this.#isText()) return
    const isRead = this.#quoted('value') || this.#word('value')
    if (isRead) this.#valueRead()
  }

  /** Prose or a fence in front of the value. */
  #isText(): boolean {
    const start = this.#source.slice(this.#at, this.#at + 400)
    // backtracks: at most 400 characters
    if (!start.startsWith('```') && !/^\p{L}[^{[\r\n]*\s[^{[]*[{[]/u.test(start)) return false
    this.#report(
      Math.max(start.search(/[\r\n{[]/), 1),
      start.startsWith('```') ? 'Remove the fence: write only JSON.' : 'Remove the text before the JSON value.',
    )
    this.#isLost = true
    return true
  }

  #key(): void {
    if (this.#quoted('key') || this.#word('key')) this.#awaited = 'colon'
  }

  #colon(char: string): void {
    this.#awaited = 'member'
    if (char === ':') this.#at++
    else if (char === '=') this.#report(this.#source.startsWith('=>', this.#at) ? 2 : 1, 'Write `:` between key and value.', ':')
    else if (char === ',' || char === '}' || char === ']') {
      this.#report(0, 'Write `:` and a value after this key.')
      this.#awaited = 'comma or end'
    } else this.#report(0, 'Write `:` between key and value.')
  }

  #commaOrEnd(char: string): void {
    if (char === ',') {
      this.#lastComma = this.#at++
      this.#awaited = this.#open.at(-1)?.isObject ? 'key' : 'element'
    } else if (char === ']' || char === '}') this.#close(char)
    else if (this.#source.charAt(this.#at - 1) === '"' && /\p{L}/u.test(char)) {
      this.#faults.push(faultAt(this.#source, this.#at - 1, this.#at, 'Write a double quote inside a string as \\".'))
      this.#isLost = true
    } else {
      const isSeparator = char === ';'
      this.#report(
        isSeparator ? 1 : 0,
        isSeparator ? 'Separate values with `,`, not `;`.' : 'Write `,` before this.',
        isSeparator ? ',' : undefined,
      )
      this.#awaited = this.#open.at(-1)?.isObject ? 'key' : 'element'
      if (!isSeparator && !/["'“‘{[\w-]/.test(char)) this.#isLost = true
    }
  }

  #closeEarly(char: string): void {
    if (this.#awaited === 'member') {
      this.#report(0, 'Write a value after `:`.')
      this.#awaited = 'comma or end'
    } else if (this.#open.length === 0) {
      this.#report(1, `Write a value before \`${char}\`, or remove it: nothing is open here.`)
      this.#isLost = true
    } else {
      const isTrailing = this.#awaited === 'element' || this.#awaited === 'key'
      if (isTrailing && !this.#isRelaxed)
        this.#faults.push(faultAt(this.#source, this.#lastComma, this.#lastComma + 1, `Remove the comma before \`${char}\`.`))
      this.#close(char)
    }
  }

  #close(char: string): void {
    const bracket = this.#open.pop()
    if (bracket === undefined) return
    const wanted = bracket.isObject ? '}' : ']'
    if (char === wanted) this.#at++
    else {
      const opened = `\`${bracket.isObject ? '{' : '['}\` opened on line ${positionAt(this.#source, bracket.at).line}`
      this.#report(1, `Close the ${opened} with \`${wanted}\`, not with \`${char}\`.`, wanted)
    }
    this.#valueRead()
  }

  #afterAll(char: string): void {
    const rest = this.#source.length - this.#at
    if (char === ']' || char === '}') this.#report(1, `Remove this \`${char}\`: everything is closed already.`)
    else if (char === ',' || char === ';') this.#report(1, `Remove the \`${char}\` after the JSON value.`)
    else {
      this.#report(
        rest,
        char === '{' || char === '[' ? 'Write one JSON value only, or put them in an array.' : 'Remove the text after the JSON value.',
      )
      this.#isLost = true
    }
  }

  #end(): void {
    const bracket = this.#open.at(-1)
    const { length } = this.#source
    if (bracket !== undefined) {
      const [opening, closing] = bracket.isObject ? ['{', '}'] : ['[', ']']
      this.#faults.push(
        faultAt(
          this.#source,
          length,
          length,
          `Close the \`${opening}\` opened on line ${positionAt(this.#source, bracket.at).line} with \`${closing}\`.`,
        ),
      )
    } else if (this.#awaited === 'value') this.#faults.push(faultAt(this.#source, length, length, 'Write a JSON value.'))
  }

  #quoted(role: 'key' | 'value'): boolean {
    const read = readQuoted(this.#source, this.#at, role)
    if (read === undefined) return false
    for (const { start, end, message, suggestion } of read.faults.slice(0, mostFaults))
      this.#faults.push(faultAt(this.#source, start, end, message, suggestion))
    this.#at = read.end
    this.#isLost = !read.isClosed
    return true
  }

  #word(role: 'key' | 'value'): boolean {
    const { end, message, suggestion } = readWord(this.#source, this.#at, role)
    if (message !== undefined) this.#faults.push(faultAt(this.#source, this.#at, end, message, suggestion))
    this.#isLost = end === this.#at
    if (this.#isLost && message === undefined) this.#report(1, `Remove ${quoted(this.#source.charAt(this.#at))}.`)
    this.#at = end
    return !this.#isLost
  }

  #valueRead(): void {
    this.#awaited = this.#open.length > 0 ? 'comma or end' : 'nothing'
  }

  #report(length: number, message: string, suggestion?: string): void {
    this.#faults.push(faultAt(this.#source, this.#at, this.#at + Math.max(length, 1), message, suggestion))
    this.#at += length
  }

  #skipSpace(): void {
    const { length } = this.#source
    for (;;) {
      this.#at = skipSpace(this.#source, this.#at)
      if (!/^\/[/*]/.test(this.#source.slice(this.#at, this.#at + 2))) break
      this.#skipComment()
      if (this.#at >= length || this.#faults.length >= mostFaults) break
    }
  }

  #skipComment(): void {
    const isBlock = this.#source.charAt(this.#at + 1) === '*'
    const end = isBlock ? this.#source.indexOf('*/', this.#at + 2) : this.#lineEnd()
    if (end < 0) {
      this.#report(this.#source.length - this.#at, 'Close this comment with `*/`.')
      this.#isLost = true
      return
    }
    const length = end + (isBlock ? 2 : 0) - this.#at
    if (this.#isRelaxed) this.#at += length
    else this.#report(length, 'Remove the comment: JSON has none.')
  }

  #lineEnd(): number {
    const rest = /[^\r\n]*/y
    rest.lastIndex = this.#at
    return this.#at + (rest.exec(this.#source)?.[0].length ?? 0)
  }
}
