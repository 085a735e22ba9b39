import { isWordCharacter } from '../shared/units/token-words.ts'
import { detectorCodes, languageOf, namesOf } from './languages.ts'

/** Text is judged in passages of so many letters. */
const passageLength = 500

/** Fewer letters say nothing about a language, and so few nothing about a script either. */
const fewestLetters = 100
const fewestForScript = 20

/** So many passages in another language at the start are enough. */
const enough = 2

/** No more passages are judged, so that a long answer costs no more than that. */
const mostPassages = 20

type Judgement = 'right' | 'wrong' | 'unknown'

/** Judges an answer passage by passage. */
export class LanguageTally {
  readonly #detect: Detector
  readonly #allowed: readonly string[]
  #passage = ''
  #letters = 0
  #rightLetters = 0
  #wrongLetters = 0
  #passages = 0
  /** Letters at which the open passage is looked at next. */
  #nextLook = fewestLetters
  /** The language of the first passage that is in another one. */
  observed: string | undefined
  /** Whether the answer is in another language whatever follows. */
  failed = false
  /** Whether the text so far is in the right language. */
  trusted = false

  constructor(detect: Detector, allowed: readonly string[]) {
    this.#detect = detect
    this.#allowed = allowed.flatMap(namesOf)
  }

  /** Whether the verdict is known whatever follows. */
  get settled(): boolean {
    return this.failed || this.#passages >= mostPassages
  }

  /** Takes the next line of prose. */
  take(line: string): void {
    if (this.settled) return
    let from = 0
    for (let at = 0; at < line.length; at++) {
      const point = line.codePointAt(at) ?? 0
      if (point > 0xffff) at++
      if (!isWordCharacter(point)) continue
      this.#letters++
      if (this.#letters < passageLength) continue
      this.#passage += line.slice(from, at + 1)
      from = at + 1
      this.#close()
      if (this.settled) return
    }
    this.#passage += `${line.slice(from)}\n`
    if (!this.trusted && this.#letters >= this.#nextLook) this.#look()
  }

  /** Judges what is left; returns whether the answer is in another language. */
  end(): boolean {
    if (!this.settled && (this.#letters >= fewestLetters || this.#passages === 0)) this.#close()
    return this.failed || this.#wrongLetters > this.#rightLetters
  }

  /** Looks at a passage before it is complete, at most three times. */
  #look(): void {
    this.#nextLook = this.#letters * 2
    this.trusted = this.#judge() === 'right'
  }

  #close(): void {
    const judgement = this.#judge()
    if (judgement === 'right') this.#rightLetters += this.#letters
    if (judgement === 'wrong') {
      this.#wrongLetters += this.#letters
      this.observed ??= languageOf(this.#detect(this.#passage)[0]?.[0] ?? '')
    }
    if (judgement !== 'unknown') this.trusted = judgement === 'right'
    this.#passages++
    this.failed ||= this.#passages === enough && this.#rightLetters === 0 && this.#wrongLetters >= enough * passageLength
    this.failed ||= this.#passages === mostPassages && this.#wrongLetters > this.#rightLetters
    this.#passage = ''
    this.#letters = 0
    this.#nextLook = fewestLetters
  }

  #judge(): Judgement {
    if (this.#letters < fewestForScript) return 'unknown'
    const scores = this.#detect(this.#passage)
    if (scores.length === 0) return 'unknown'
    const best = Math.max(-1, ...scores.filter(([name]) => this.#allowed.includes(name)).map(([, score]) => score))
    // The detector scores only the languages of one script.
    if (best < 0) return 'wrong'
    if (this.#letters < fewestLetters) return 'unknown'
    return best >= (this.#letters < 2 * fewestLetters ? 0.92 : 0.97) ? 'right' : 'wrong'
  }
}

/** Scores the languages of the script that a text is written in, best first, from 1 down; empty when undecided. */
export type Detector = (text: string) => readonly (readonly [name: string, score: number])[]

/** Loads the detector: only contracts that check the language pay for it. */
export async function loadDetector(): Promise<Detector> {
  const { francAll } = await import('franc')
  const only = [...detectorCodes]
  return (text) => francAll(text, { only }).filter(([name]) => name !== 'und')
}
