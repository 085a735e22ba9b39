import type { Detector, Sample } from './detector.ts'
import { languageOf, namesOf } from './languages.ts'
import { scripts } from './scripts.ts'

/** Text is judged in passages of so many letters. */
const passageLength = 500

/** Fewer letters say nothing about a language, and so few nothing about a script either. */
const fewestLetters = 100
const fewestForScript = 20

/** An answer is wrong when so many more letters are in other languages than in the right ones, whatever follows. */
const enough = 2 * passageLength

/** No more passages are judged, so that a long answer costs no more than that. */
const mostPassages = 20

/** The share of a passage that must be in a script for it to be in that script, and the same for a short passage. */
const mostlyInScript = 0.65
const almostAllInScript = 0.8

/** Japanese has at least this share of kana among its kanji. */
const fewestKana = 0.1

/** How much less the trigrams may say for a given language than for the best one, as a share of that: the fewer letters, the more. */
const allowanceFor = (letters: number): number => (letters < 150 ? 0.25 : letters < 300 ? 0.15 : 0.1)

type Judgement = 'right' | 'wrong' | 'unknown'

const han = scripts.findIndex(({ name }) => name === 'cmn') + 1
const kana = scripts.findIndex(({ name }) => name === 'jpn') + 1

/** Judges an answer passage by passage. */
export class LanguageTally {
  readonly #detector: Detector
  readonly #right: readonly boolean[]
  #sample: Sample
  #rightLetters = 0
  #wrongLetters = 0
  #passages = 0
  /** The language of the first passage that is in another one. */
  observed: string | undefined
  /** Whether the answer is in another language whatever follows. */
  failed = false
  /** Whether the text so far is in the right language. */
  trusted = false

  constructor(detector: Detector, allowed: readonly string[]) {
    this.#detector = detector
    const names = allowed.flatMap(namesOf)
    this.#right = detector.candidates.map(({ name }) => names.includes(name))
    this.#sample = detector.sample()
  }

  /** Whether the verdict is known whatever follows. */
  get settled(): boolean {
    return this.failed || this.#passages >= mostPassages
  }

  /** Whether nothing that was taken says anything. */
  get isSilent(): boolean {
    return this.#passages === 0 && this.#sample.total < fewestForScript
  }

  /** Takes a line that says nothing, such as code: a start that is too short to be judged is trusted before it if no other language fits better. */
  skip(): void {
    if (this.trusted || this.#passages > 0 || this.#sample.total < fewestForScript || this.#sample.total >= fewestLetters) return
    this.trusted = this.#judge(0).kind === 'right'
  }

  /** Takes the next line of prose. */
  take(prose: string): void {
    for (let at = 0; at < prose.length && !this.settled; ) {
      at = this.#detector.read(prose, at, this.#sample, passageLength)
      if (this.#sample.total >= passageLength) this.#close()
    }
    this.#detector.read('\n', 0, this.#sample, passageLength)
    if (!this.trusted && !this.settled && this.#sample.total >= fewestLetters) this.trusted = this.#judge().kind === 'right'
  }

  /** Takes the start of a line that is not complete: only whether the text is trusted depends on it. */
  look(prose: string): void {
    const sample = this.#sample
    this.#sample = this.#detector.sample(sample)
    this.#detector.read(prose, 0, this.#sample, passageLength)
    if (this.#sample.total >= fewestLetters) this.trusted = this.#judge().kind === 'right'
    this.#sample = sample
  }

  /** Judges what is left; returns whether the answer is in another language. */
  end(): boolean {
    if (!this.settled && (this.#sample.total >= fewestLetters || this.#passages === 0)) this.#close()
    return this.failed || this.#wrongLetters > this.#rightLetters
  }

  #close(): void {
    const { kind, name } = this.#judge()
    if (kind === 'right') this.#rightLetters += this.#sample.total
    if (kind === 'wrong') {
      this.#wrongLetters += this.#sample.total
      this.observed ??= languageOf(name)
    }
    if (kind !== 'unknown') this.trusted = kind === 'right'
    this.#passages++
    this.failed ||= this.#wrongLetters - this.#rightLetters >= enough
    this.failed ||= this.#passages === mostPassages && this.#wrongLetters > this.#rightLetters
    this.#detector.clear(this.#sample)
  }

  #judge(short?: number): { readonly kind: Judgement; readonly name: string } {
    const { letters, total, scores } = this.#sample
    const unknown = { kind: 'unknown', name: '' } as const
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
    if (most < total * (total < fewestLetters ? almostAllInScript : mostlyInScript)) return unknown
    let best = -1
    let bestRight = -1
    for (const [index, candidate] of this.#detector.candidates.entries()) {
      if (candidate.script !== top) continue
      if (best < 0 || (scores[index] ?? 0) > (scores[best] ?? 0)) best = index
      if (this.#right[index] && (bestRight < 0 || (scores[index] ?? 0) > (scores[bestRight] ?? 0))) bestRight = index
    }
    const name = this.#detector.candidates[best]?.name ?? ''
    if (bestRight < 0) return { kind: 'wrong', name }
    if (total < fewestLetters && short === undefined) return unknown
    const allowance = short ?? allowanceFor(total)
    return { kind: (scores[bestRight] ?? 0) >= (scores[best] ?? 0) * (1 - allowance) ? 'right' : 'wrong', name }
  }
}
