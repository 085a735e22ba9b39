import { closest, foldWord } from '../../contract/closest.ts'
import { foldText } from '../shared/fold-case.ts'
import { negatesOtherwise, ValueNames } from './named.ts'

/** What may occur around a value without saying anything: quotes, marks of emphasis and code, brackets, and the end of a sentence. */
const decoration = '"\'`*_“”„‘’«»()[].!,;:'

/** Marks on both sides of the text that they decorate. */
const pairs = ['""', "''", '``', '**', '__', '“”', '„“', '„”', '‘’', '«»', '»«', '()', '[]']

/** Marks at the end of a sentence. */
const endings = '.!,;:'

/** A longer answer is more than a value in other clothes; so much is added to the length of the longest value. */
const roomForDecoration = 64

/** A guess is made from so much of the answer. */
const mostRead = 2000

/** What is read of an answer; a sentence that is cut there could say anything. */
function wholeSentences(text: string): string {
  if (text.length <= mostRead) return text
  const start = text.slice(0, mostRead)
  return start.slice(0, Math.max(...['.', '!', '?', '\n', '。'].map((end) => start.lastIndexOf(end))) + 1)
}

/** How a value was found in an answer. */
type MatchKind = 'same' | 'lossless' | 'guess'

/** The value that an answer means. */
export interface ValueMatch {
  readonly value: string
  readonly kind: MatchKind
}

/** The values that an answer may be. */
export class Values {
  readonly #values: readonly string[]
  readonly #caseSensitive: boolean
  /** Values by their plain form. */
  readonly #plain: ReadonlyMap<string, readonly string[]>
  readonly #longest: number
  readonly #names: ValueNames

  constructor(values: readonly string[], caseSensitive: boolean) {
    this.#values = values.map((value) => value.trim())
    this.#caseSensitive = caseSensitive
    const plain = new Map<string, string[]>()
    for (const value of this.#values) plain.set(plainOf(value), [...(plain.get(plainOf(value)) ?? []), value])
    this.#plain = plain
    this.#names = new ValueNames(this.#values)
    this.#longest = Math.max(...this.#values.map(({ length }) => length)) + roomForDecoration
  }

  /** The value that an answer is: exactly, decorated, or as a guess. */
  match(body: string): ValueMatch | undefined {
    const text = body.trim()
    if (text.length <= this.#longest) {
      const same = this.#same(text)
      if (same !== undefined) return { value: same, kind: 'same' }
      const found = this.#undecorated(text)
      if (found !== undefined) return { value: found, kind: 'lossless' }
      const [plain, other] = this.#plain.get(plainOf(text)) ?? []
      // Values that differ in case or decoration alone cannot be told apart by what is left.
      if (other !== undefined) return undefined
      if (plain !== undefined) return { value: plain, kind: 'lossless' }
    }
    const guess = this.#names.find(wholeSentences(text)) ?? this.#misspelt(text)
    return guess === undefined ? undefined : { value: guess, kind: 'guess' }
  }

  /** The value that is most like a text: not one that the text denies, nor its opposite, as “invalid” is of “valid”. */
  #misspelt(text: string): string | undefined {
    const like = closest(text, this.#values)
    if (like === undefined || negatesOtherwise(text, like)) return undefined
    const [said, meant] = [foldWord(text), foldWord(like)]
    return said !== meant && (said.endsWith(meant) || meant.endsWith(said)) ? undefined : like
  }

  /** The value that a text is, unchanged. */
  #same(text: string): string | undefined {
    const exact = this.#values.find((value) => value === text)
    if (exact !== undefined || this.#caseSensitive) return exact
    return this.#values.find((value) => foldText(value) === foldText(text))
  }

  /** The value that comes to light when decoration is taken off, one mark or pair at a time. */
  #undecorated(text: string): string | undefined {
    for (let left = withoutMark(text); left !== undefined; left = withoutMark(left)) {
      const same = this.#same(left)
      if (same !== undefined) return same
    }
    return undefined
  }

  /** Whether text without white space at its start can still become a value, if need be in other clothes. */
  isPossible(start: string): boolean {
    if (start.length > this.#longest) return false
    // A value may still follow what is around it.
    if (Array.from(start).every((one) => decoration.includes(one) || one.trim() === '')) return true
    const plain = plainStartOf(start)
    const trimmed = withoutDecoration(plain)
    for (const candidate of this.#plain.keys()) if (candidate.startsWith(plain) || candidate === trimmed) return true
    return false
  }
}

/** A text without the pair of marks around it, or the mark at its end; undefined when it has none. */
function withoutMark(text: string): string | undefined {
  if (text.length > 2 && pairs.includes(text.charAt(0) + text.charAt(text.length - 1))) return text.slice(1, -1).trim()
  return text.length > 1 && endings.includes(text.charAt(text.length - 1)) ? text.slice(0, -1).trimEnd() : undefined
}

/** A text without decoration and case, with single spaces. */
function plainOf(text: string): string {
  return withoutDecoration(plainStartOf(text))
}

function plainStartOf(text: string): string {
  let start = 0
  while (start < text.length && (decoration.includes(text.charAt(start)) || text.charAt(start).trim() === '')) start++
  // A value may be made of decoration alone.
  return foldText(start === text.length ? text.trim() : text.slice(start)).replace(/\s+/g, ' ')
}

function withoutDecoration(text: string): string {
  let end = text.length
  while (end > 0 && (decoration.includes(text.charAt(end - 1)) || text.charAt(end - 1) === ' ')) end--
  return end === 0 ? text : text.slice(0, end)
}
