import { parseJson } from './parse-json.ts'
import { endOfString, skipSpace } from './scan.ts'

export const comma = 0x2c
export const colon = 0x3a
export const quote = 0x22
export const openObject = 0x7b
export const closeObject = 0x7d
export const openList = 0x5b
/** What `next` gives at the end of the text. */
export const endOfText = -1

/**
 * Walks over JSON text: brackets, separators, strings, and words such as `true` and `12`, each with its place. It knows no grammar, so what is not JSON
 * can be walked over too. Linear, and without recursion.
 */
export class JsonWalker {
  readonly text: string
  /** Where the last part begins, and after it; one more than there is text for a string without its quote. */
  start: number
  end: number
  /** Where the next backslash is. */
  #backslash = -1

  constructor(text: string, from = 0) {
    this.text = text
    this.start = from
    this.end = from
  }

  /** The next part: its first character. */
  next(): number {
    const { text } = this
    const at = skipSpace(text, this.end)
    const code = at < text.length ? text.charCodeAt(at) : endOfText
    this.start = at
    if (code === quote) this.end = endOfString(text, at + 1) + 1
    else if (code === endOfText) this.end = at
    else this.end = isSign(code) ? at + 1 : endOfWord(text, at)
    return code
  }

  /** The next bracket or string, whatever is before it: for walks to the end of the text. */
  mark(): number {
    const { text } = this
    const { length } = text
    for (let at = this.end; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.start = at
        this.end = this.#endOfString(at + 1) + 1
        return code
      }
      if (isOpening(code) || isClosing(code)) {
        this.start = at
        this.end = at + 1
        return code
      }
    }
    this.start = length
    this.end = length
    return endOfText
  }

  /** Searches cost less than to look at each character, where all of the text is walked over. */
  #endOfString(from: number): number {
    const found = this.text.indexOf('"', from)
    if (this.#backslash < from) {
      const next = this.text.indexOf('\\', from)
      this.#backslash = next < 0 ? this.text.length : next
    }
    return found >= 0 && this.#backslash > found ? found : endOfString(this.text, from)
  }

  /** Passes over the object or list that the last part opens; false when nothing closes it. */
  close(): boolean {
    const end = endOfBrackets(this.text, this.start, this.text.length)
    this.end = end ?? this.text.length
    return end !== undefined
  }

  /** Whether the last part, a string, is the name of a member. */
  isName(): boolean {
    return this.text.charCodeAt(skipSpace(this.text, this.end)) === colon
  }
}

/** Whether a character opens an object or a list; brackets and braces differ in one bit. */
export function isOpening(code: number): boolean {
  return (code | 0x20) === openObject
}

/** Whether a character closes an object or a list. */
export function isClosing(code: number): boolean {
  return (code | 0x20) === closeObject
}

function isSign(code: number): boolean {
  return code === comma || code === colon || isOpening(code) || isClosing(code)
}

function endOfWord(text: string, from: number): number {
  let at = from + 1
  for (let code = text.charCodeAt(at); code > 32 && code !== quote && !isSign(code); ) code = text.charCodeAt(++at)
  return at
}

/** The offset after the bracket that closes the one at `start`, by JSON's own rules for strings; undefined when none does. */
export function endOfBrackets(text: string, start: number, end: number): number | undefined {
  let depth = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1, end)
    else if (isOpening(code)) depth++
    else if (isClosing(code) && --depth === 0) return at + 1
  }
  return undefined
}

/** Visits the members of an object or the elements of a list that begins at `from`; gives where it is closed. The text must be JSON. */
export function eachEntry(
  json: string,
  from: number,
  visit: (name: string | number, from: number, start: number, end: number) => void,
): number {
  const walker = new JsonWalker(json, from)
  const isObject = walker.next() === openObject
  for (let number = 0; ; number++) {
    let code = walker.next()
    if (code === comma) code = walker.next()
    if (code === endOfText || isClosing(code)) return walker.start
    const begin = walker.start
    let name: string | number = number
    if (isObject) {
      name = readKey(json.slice(begin, walker.end))
      walker.next()
      code = walker.next()
    }
    const { start } = walker
    if (isOpening(code)) walker.close()
    visit(name, begin, start, walker.end)
  }
}

/** The name that is written there, quotes included; as it is written where that is not JSON. */
export function readKey(written: string): string {
  return written.includes('\\') ? ((parseJson(written) as string | undefined) ?? written) : written.slice(1, -1)
}
