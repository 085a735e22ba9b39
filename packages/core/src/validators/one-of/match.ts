import { closest } from '../../contract/closest.ts'
import { foldText } from '../shared/fold-case.ts'

/** What may occur around a value without saying anything: quotes, marks of emphasis and code, brackets, and the end of a sentence. */
const decoration = '"\'`*_“”„‘’«»()[].!,;:'

/** A longer answer is more than a value in other clothes; so much is added to the length of the longest value. */
const roomForDecoration = 64

/** How a value was found in an answer. */
export type MatchKind = 'same' | 'lossless' | 'guess'

/** The value that an answer means. */
export interface ValueMatch {
  readonly value: string
  readonly kind: MatchKind
}

/** The values that an answer may be. */
export class Values {
  readonly #values: readonly string[]
  readonly #caseSensitive: boolean
  readonly #plain: ReadonlyMap<string, string>
  readonly #longest: number

  constructor(values: readonly string[], caseSensitive: boolean) {
    this.#values = values.map((value) => value.trim())
    this.#caseSensitive = caseSensitive
    this.#plain = new Map(this.#values.map((value) => [plainOf(value), value]))
    this.#longest = Math.max(...this.#values.map(({ length }) => length)) + roomForDecoration
  }

  /** The value that an answer is: exactly, decorated, or as a guess. */
  match(body: string): ValueMatch | undefined {
    const text = body.trim()
    if (text.length <= this.#longest) {
      const same = this.#values.find((value) => (this.#caseSensitive ? value === text : foldText(value) === foldText(text)))
      if (same !== undefined) return { value: same, kind: 'same' }
      const plain = this.#plain.get(plainOf(text))
      if (plain !== undefined) return { value: plain, kind: 'lossless' }
    }
    const guess = this.#named(text) ?? closest(text, this.#values)
    return guess === undefined ? undefined : { value: guess, kind: 'guess' }
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

  /** The only value that the answer names as a whole word. */
  #named(text: string): string | undefined {
    const words = ` ${foldText(text.slice(0, 2000)).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')} `
    const named = this.#values.filter((value) =>
      words.includes(
        ` ${foldText(value)
          .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
          .trim()} `,
      ),
    )
    return named.length === 1 ? named[0] : undefined
  }
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
