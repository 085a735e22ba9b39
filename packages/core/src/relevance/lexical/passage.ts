import { fold, wordTerms } from '../terms.ts'
import { type QuestionTerms, sharedStart, shortestPart } from './question.ts'

/** How much of a term's weight counts when it is met in another form: in a word of its family, in a compound, or abbreviated. */
const otherForm = 0.8
/** Words of one family have at least this share of their letters in common. */
const familyShare = 0.5

/** Finds the terms of one question in a passage, word by word. */
export class Passage {
  /** By number of a term: how well it is met, from 0 to 1. */
  readonly met: Float64Array
  readonly #question: QuestionTerms
  #text = ''
  #initials = ''

  constructor(question: QuestionTerms) {
    this.#question = question
    this.met = new Float64Array(question.terms.length)
  }

  /** Takes the next word. */
  push(word: string): void {
    const { starts, initials } = this.#question
    const lower = word.toLowerCase()
    const plain = isPlain(lower, word)
    const small = plain ? lower : fold(lower)
    this.#text += ` ${small}`
    if (initials.length > 0) this.#initials += small.charAt(0)
    // Most words need not be stemmed: plain ones that begin like none of the question's.
    if (plain && !starts.has(small.slice(0, 2))) return
    for (const term of wordTerms(word)) this.#meet(term)
  }

  /** Looks for what is not met yet in the passage as a whole. */
  end(): void {
    const { terms, initials } = this.#question
    const text = this.#text
    for (const [number, term] of terms.entries()) {
      if ((this.met[number] ?? 0) < otherForm && term.length >= shortestPart && text.includes(term)) this.met[number] = otherForm
    }
    for (const [word, number] of initials) if (this.#initials.includes(word)) this.#raise(number, otherForm)
  }

  #meet(term: string): void {
    const { index, terms, byStart, byEnd, abbreviations } = this.#question
    const number = index.get(term)
    if (number !== undefined) this.met[number] = 1
    for (const one of abbreviations.get(term) ?? []) this.#raise(one, otherForm)
    if (term.length < sharedStart) return
    for (const one of byStart.get(term.slice(0, sharedStart)) ?? []) {
      const share = startShare(term, terms[one] ?? '')
      if (share >= familyShare) this.#raise(one, otherForm * share)
    }
    for (const one of byEnd.get(term) ?? []) this.#raise(one, (otherForm * term.length) / (terms[one] ?? term).length)
  }

  #raise(number: number, strength: number): void {
    if (strength > (this.met[number] ?? 0)) this.met[number] = strength
  }
}

/** Whether a word is of small letters from a to z, but for the first, which may be a capital. */
function isPlain(lower: string, word: string): boolean {
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at)
    if (code < 97 || code > 122 || (at > 0 && code !== word.charCodeAt(at))) return false
  }
  return true
}

/** The letters that two words begin with alike, as a share of the longer one. */
function startShare(a: string, b: string): number {
  let shared = 0
  while (shared < a.length && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++
  return shared / Math.max(a.length, b.length)
}
