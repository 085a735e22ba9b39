import type { Detector, Sample } from './detector.ts'
import { languageOf, namesOf } from './languages.ts'
import { scripts } from './scripts.ts'

/** Text is judged in passages of so many letters. */
const passageLength = 500

/** From so many letters on a passage is judged among the languages of a script, and by its script alone. */
const fewestLetters = 25
const fewestForScript = 20

/** From so many letters on a passage in which no other language clearly leads is in the right one; in a shorter one the right language has to lead. */
const enoughLetters = 100

/** Another language leads when the signs say so much more for it, with more of its frequent words and without, and so much for each letter; the right one when they say so much more for it. */
const leadInWords = 15
const leadInLetters = 23
const leadPerLetter = 0.2
const leadOfRight = 5

/** An answer is wrong when so many more letters are in other languages than in the right ones, whatever follows. */
const enough = 2 * passageLength

/** No more passages are judged, so that a long answer costs no more than that. */
const mostPassages = 20

/** The share of a passage that must be in a script for it to be in that script, and the same for a short passage. */
const mostlyInScript = 0.65
const almostAllInScript = 0.8

/** Japanese has at least this share of kana among its kanji. */
const fewestKana = 0.1

/** What is known of a text: whether it is in one of the right languages, and the language that it is in; `unknown` when it says too little. */
interface Judgement {
  readonly kind: 'right' | 'wrong' | 'unknown'
  readonly language: string
}

const unknown: Judgement = { kind: 'unknown', language: 'unknown' }

const han = scripts.findIndex(({ name }) => name === 'cmn') + 1
const kana = scripts.findIndex(({ name }) => name === 'jpn') + 1

/** Judges an answer passage by passage. */
export class LanguageTally {
  readonly #detector: Detector
  readonly #right: readonly boolean[]
  readonly #allowed: readonly string[]
  #sample: Sample
  #rightLetters = 0
  #wrongLetters = 0
  #passages = 0
  /** The languages of the first passages that are right and wrong. */
  #spoken: string | undefined
  #observed: string | undefined
  /** Whether the answer is in another language whatever follows. */
  failed = false
  /** Whether the text so far is in the right language. */
  trusted = false

  constructor(detector: Detector, allowed: readonly string[]) {
    this.#detector = detector
    this.#allowed = allowed
    const names = allowed.flatMap(namesOf)
    this.#right = detector.candidates.map(({ name }) => names.includes(name))
    this.#sample = detector.sample()
  }

  /** The verdict on what was judged. */
  get judgement(): Judgement {
    if (this.failed || this.#wrongLetters > this.#rightLetters) return { kind: 'wrong', language: this.#observed ?? '' }
    return this.#spoken === undefined ? unknown : { kind: 'right', language: this.#spoken }
  }

  /** Whether the verdict is known whatever follows. */
  get settled(): boolean {
    return this.failed || this.#passages >= mostPassages
  }

  /** Whether nothing that was taken says anything. */
  get isSilent(): boolean {
    return this.#passages === 0 && this.#sample.total < fewestForScript
  }

  /** Takes the next line of prose. */
  take(prose: string): void {
    for (let at = 0; at < prose.length && !this.settled; ) {
      at = this.#detector.read(prose, at, this.#sample, passageLength)
      if (this.#sample.total >= passageLength) this.#close()
    }
    this.#detector.read('\n', 0, this.#sample, passageLength)
    if (!this.trusted && !this.settled) this.trusted = this.#judge().kind === 'right'
  }

  /** Takes the start of a line that is not complete: only whether the text is trusted depends on it. */
  look(prose: string): void {
    const sample = this.#sample
    this.#sample = this.#detector.sample(sample)
    this.#detector.read(prose, 0, this.#sample, passageLength)
    this.trusted = this.#judge().kind === 'right'
    this.#sample = sample
  }

  /** Judges what is left. */
  end(): Judgement {
    if (!this.settled && (this.#sample.total >= enoughLetters || this.#passages === 0)) this.#close()
    return this.judgement
  }

  #close(): void {
    const { kind, language } = this.#judge()
    if (kind === 'right') {
      this.#rightLetters += this.#sample.total
      this.#spoken ??= language
    }
    if (kind === 'wrong') {
      this.#wrongLetters += this.#sample.total
      this.#observed ??= language
    }
    if (kind !== 'unknown') this.trusted = kind === 'right'
    this.#passages++
    this.failed ||= this.#wrongLetters - this.#rightLetters >= enough
    this.failed ||= this.#passages === mostPassages && this.#wrongLetters > this.#rightLetters
    this.#detector.clear(this.#sample)
  }

  #judge(): Judgement {
    const { letters, total, scores, words } = this.#sample
    if (total < fewestForScript) return unknown
    const isJapanese = (letters[kana] ?? 0) >= ((letters[kana] ?? 0) + (letters[han] ?? 0)) * fewestKana
    const script = isJapanese ? kana : han
    const chinese = (letters[kana] ?? 0) + (letters[han] ?? 0)
    let top = script
    let most = chinese
    for (let one = 1; one < letters.length; one++) {
      if (one === han || one === kana || (letters[one] ?? 0) <= most) continue
      top = one
      most = letters[one] ?? 0
    }
    if (most < total * (total < enoughLetters ? almostAllInScript : mostlyInScript)) return unknown
    let right = -1
    let other = -1
    for (const [index, candidate] of this.#detector.candidates.entries()) {
      if (candidate.script !== top) continue
      const score = scores[index] ?? 0
      if (this.#right[index]) {
        if (right < 0 || score > (scores[right] ?? 0)) right = index
      } else if (other < 0 || score > (scores[other] ?? 0)) other = index
    }
    if (right < 0) return { kind: 'wrong', language: languageOf(this.#nameOf(other)) }
    const name = this.#nameOf(right)
    const asRight = { kind: 'right', language: this.#allowed.find((code) => namesOf(code).includes(name)) ?? name } as const
    if (other < 0) return asRight
    if (total < fewestLetters) return unknown
    const lead = (scores[other] ?? 0) - (scores[right] ?? 0)
    const isSpoken = (words[other] ?? 0) > (words[right] ?? 0)
    if (lead > (isSpoken ? leadInWords : leadInLetters) && lead > leadPerLetter * total)
      return { kind: 'wrong', language: languageOf(this.#nameOf(other)) }
    return total >= enoughLetters || lead < -leadOfRight ? asRight : unknown
  }

  #nameOf(candidate: number): string {
    return this.#detector.candidates[candidate]?.name ?? ''
  }
}
