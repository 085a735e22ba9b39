import { words } from '../terms.ts'
import { Passage } from './passage.ts'
import { type QuestionTerms, readQuestion } from './question.ts'

/** Two passages of this many words that follow each other are looked at together; a long text would have every word somewhere. */
const passageWords = 250

/** The coverage that is as likely that of a relevant text as of another, and how sharply the score turns there. */
const evenCoverage = 0.4
const sharpness = 3

/** A word that says what a question is about is in fewer than one of eight passages; no word of `what is it` is. */
const leastWeight = 1.7

/** Scores texts against one question. */
export class LexicalScorer {
  readonly #question: QuestionTerms

  constructor(question: string) {
    this.#question = readQuestion(question)
  }

  /** Whether the words of the question say what it is about. */
  get hasTopic(): boolean {
    return this.#question.weights.some((weight) => weight >= leastWeight)
  }

  /** How likely a text is about the question, from 0 to 1. */
  score(text: string): number {
    const coverage = this.#coverage(text) ** sharpness
    return coverage / (coverage + evenCoverage ** sharpness)
  }

  /** The weight of the terms that the best part of a text holds, as a share of that of all. */
  #coverage(text: string): number {
    if (this.#question.weight === 0) return 0
    let best = 0
    let before: Passage | undefined
    let passage = new Passage(this.#question)
    let count = 0
    for (const word of words(text)) {
      if (count === passageWords) {
        best = Math.max(best, this.#covered(passage, before))
        before = passage
        passage = new Passage(this.#question)
        count = 0
      }
      passage.push(word)
      count++
    }
    return Math.max(best, this.#covered(passage, before)) / this.#question.weight
  }

  #covered(passage: Passage, before: Passage | undefined): number {
    passage.end()
    let sum = 0
    for (const [number, weight] of this.#question.weights.entries()) {
      sum += weight * Math.max(passage.met[number] ?? 0, before?.met[number] ?? 0)
    }
    return sum
  }
}
