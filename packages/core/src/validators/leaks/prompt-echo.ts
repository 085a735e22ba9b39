import { contentText } from '../../answer/content.ts'
import { userText } from '../../answer/request/user-text.ts'
import type { TextSpan } from '../../answer/span.ts'
import { field } from '../../answer/tool-shapes/fields.ts'
import { TokenSplitter } from '../shared/tokens.ts'

/** An echo of the system prompt. */
export interface PromptEcho {
  readonly span: TextSpan
  readonly words: number
}

/** So many words in a row make it likely enough that the prompt is repeated. */
const gramLength = 8
/** Prompts with fewer words say nothing that is worth hiding. */
const leastWords = 10
/** So much of a prompt is compared. */
const mostWords = 50_000

/** The words of the system prompt that may not be repeated, and those of the user that may. */
export class SecretPrompt {
  readonly words: readonly number[]
  readonly positions: ReadonlyMap<number, number>
  readonly ofUser: ReadonlySet<number>
  /** How many words in a row are an echo. */
  readonly limit: number

  constructor(words: readonly number[], ofUser: readonly number[], limit: number) {
    this.words = words
    this.positions = new Map(gramsOf(words))
    this.ofUser = new Set(gramsOf(ofUser).map(([gram]) => gram))
    this.limit = limit
  }

  /** Reads it from the context of a check; undefined when there is no system prompt. */
  static of(context: Readonly<Record<string, unknown>>, limit: number): SecretPrompt | undefined {
    const { prompt } = context
    if (!Array.isArray(prompt)) return undefined
    const texts = prompt.filter(isSystems).map((message) => wordsOf(contentText(field(message, 'content'))))
    const long = texts.filter(({ length }) => length >= leastWords)
    if (long.length === 0) return undefined
    // Between two messages nothing matches.
    const words = long.flatMap((text, at) => (at === 0 ? text : [0, ...text]))
    return new SecretPrompt(
      words,
      wordsOf(userText(context)),
      long.reduce((least, { length }) => Math.min(least, length), limit),
    )
  }
}

function isSystems(message: unknown): boolean {
  const role = field(message, 'role')
  return role === 'system' || role === 'developer'
}

/** The words of a text, as numbers; case, signs and white space do not matter. */
function wordsOf(text: string): number[] {
  const words: number[] = []
  const splitter = new TokenSplitter((_hash, kind, _start, _end, exact) => {
    if (kind === 'word' || kind === 'number') words.push(exact)
  })
  splitter.push(text)
  splitter.end()
  return words.slice(0, mostWords)
}

/** Each run of words, as one number, with the place of its last word. */
function gramsOf(words: readonly number[]): (readonly [gram: number, at: number])[] {
  return words.flatMap((_, at) => (at < gramLength - 1 ? [] : [[gramOf(words, at), at] as const]))
}

function gramOf(words: readonly number[], at: number): number {
  let gram = 0
  for (let index = at - gramLength + 1; index <= at; index++) gram = (Math.imul(gram, 0x01000193) ^ (words[index] as number)) | 0
  return gram
}

/** Follows a text word by word, and sees where it repeats the system prompt. */
export class EchoFinder {
  found: PromptEcho | undefined
  readonly #secret: SecretPrompt
  readonly #tokens: TokenSplitter
  readonly #last: number[] = []
  #words = 0
  /** The word of the prompt that was repeated last. */
  #at = -1
  #from = Number.POSITIVE_INFINITY

  constructor(secret: SecretPrompt, start: number) {
    this.#secret = secret
    this.#tokens = new TokenSplitter((_hash, kind, _start, end, exact) => {
      if (kind === 'word' || kind === 'number') this.#take(exact, end)
    }, start)
  }

  /** From where on the text repeats the prompt; Infinity when it does not. */
  get heldFrom(): number {
    return this.#from
  }

  /** Takes the next piece of text. */
  push(text: string): void {
    this.#tokens.push(text)
  }

  /** Ends the text. */
  end(): void {
    this.#tokens.end()
  }

  #take(word: number, end: number): void {
    if (this.found !== undefined) return
    const { words, positions, ofUser, limit } = this.#secret
    this.#last.push(word)
    if (this.#last.length > gramLength) this.#last.shift()
    if (this.#last.length < gramLength) return
    const gram = gramOf(this.#last, gramLength - 1)
    if (this.#words > 0 && words[this.#at + 1] === word && !ofUser.has(gram)) {
      this.#at++
      this.#words++
    } else this.#follow(ofUser.has(gram) ? undefined : positions.get(gram), end)
    if (this.#words >= limit) this.found = { span: { start: this.#from, end }, words: this.#words }
  }

  #follow(at: number | undefined, end: number): void {
    this.#words = at === undefined ? 0 : gramLength
    this.#at = at ?? -1
    this.#from = at === undefined ? Number.POSITIVE_INFINITY : end
  }
}
