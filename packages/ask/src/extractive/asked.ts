import { Passage, readQuestion, terms, words, wordWeight } from '@stickler/core/relevance'
import { commonTerms } from './common-terms.ts'

/** Words of less weight occur in most texts. */
const leastWeight = 1

/** Only the start of longer questions is read. */
const longest = 2000
const most = 64

const asksForAmount = /\b(?:how (?:long|many|much|often|big|large|old)|wie (?:lang|lange|viel|viele|oft|hoch|groß|alt))\b/i

const asksForMeaning =
  /^¿?(?:(?:what (?:is|are)|was (?:ist|sind|bedeute[nt])|qué (?:es|son|significan?)) [^?!,;:]{1,40}|what (?:does|do) [^?!,;:]{1,40} mean)\??$/iu
const asksForWay =
  /^¿?(?:how (?:do|can|could|should|would|must) (?:i|we|you|one)|wie (?:\p{L}{2,20} )?(?:ich|man|wir)|cómo (?:puedo|se|podemos))(?=\s)/iu
const instructs = /`|:\/\/|\b(?:you|your|to|use|set|run|add|write|open|call|man|Sie|du|mit|durch)\b/i
/** What may stand before the name of something in a sentence that says what it is. */
const articles: ReadonlySet<string> = new Set('a an the der die das ein eine un una el la los las'.split(' '))
const opening = 60

const negation = /\b(?:not|no|never|without|cannot|nicht|kein\w{0,2}|ohne|nie|sin|nunca)\b|n['’]t\b/i
const denied = /\b(?:not|never|cannot|nicht|nie|nunca)\s(?:(?:be|been|yet|have)\s)?([\p{L}\p{N}_]{2,40})/giu

/** A word that describes the subject of a question. */
interface AskedWord {
  readonly text: string
  readonly weight: number
  /** The number of its term; identifiers are looked for as they are written. */
  readonly term: number | 'identifier'
}

/** The content of a question, and how well texts match each word of it. */
export class Asked {
  readonly words: readonly AskedWord[]
  /** Whether it asks for several things. */
  readonly asksSeveral: boolean
  /** Whether the question is about a number or a time. */
  readonly forAmount: boolean
  readonly #question: ReturnType<typeof readQuestion>
  readonly #hasIdentifiers: boolean
  readonly #denies: boolean
  readonly #forMeaning: boolean
  readonly #forWay: boolean

  constructor(question: string) {
    const read = readQuestion(question.slice(0, longest))
    const found = new Map<string, AskedWord>()
    for (const word of words(question.slice(0, longest))) {
      const parts = terms(word)
      const text = word.toLowerCase()
      if (parts.length > 1 && /^\w+$/.test(word)) found.set(text, { text, weight: wordWeight(parts.at(-1) ?? ''), term: 'identifier' })
      else for (const part of parts) found.set(part, { text: part, weight: wordWeight(part), term: read.index.get(part) ?? 'identifier' })
    }
    this.#question = read
    this.words = [...found.values()].filter(({ text, weight }) => weight >= leastWeight && !commonTerms.has(text)).slice(0, most)
    this.asksSeveral = /\s(?:and|und|y)\s/i.test(question.slice(0, longest))
    this.#denies = negation.test(question.slice(0, longest))
    this.#forWay = asksForWay.test(question.slice(0, longest).trim())
    this.#forMeaning = asksForMeaning.test(question.slice(0, longest).trim())
    this.forAmount = asksForAmount.test(question.slice(0, longest))
    this.#hasIdentifiers = this.words.some(({ term }) => term === 'identifier')
  }

  /** Whether a sentence is of the kind that is asked for: a meaning begins with what it explains, an instruction names what to do. */
  mayAnswer(sentence: string): boolean {
    if (this.#forWay) return instructs.test(sentence)
    // Settings are often explained in the middle of a sentence, and their names mean nothing else.
    if (!this.#forMeaning || this.#hasIdentifiers) return true
    for (const word of words(sentence.slice(0, opening)))
      if (!articles.has(word.toLowerCase())) return this.heldBy(word).some((strength) => strength >= 0.5)
    return false
  }

  /** By word: whether a text only denies it, right after `not` or the like, unless the question denies something too. */
  negatedIn(text: string): readonly boolean[] {
    const found = this.#denies ? [] : [...text.matchAll(denied)].map(([, word = '']) => this.heldBy(word))
    return this.words.map((_, word) => found.some((strengths) => (strengths[word] ?? 0) >= 1))
  }

  /** By word: how well a text matches it, from 0 to 1. */
  heldBy(text: string): readonly number[] {
    const passage = new Passage(this.#question)
    const written = new Set<string>()
    for (const word of words(text)) {
      passage.push(word)
      if (this.#hasIdentifiers) written.add(word.toLowerCase())
    }
    passage.end()
    return this.words.map(({ text: word, term }) => (term === 'identifier' ? Number(written.has(word)) : (passage.met[term] ?? 0)))
  }
}
