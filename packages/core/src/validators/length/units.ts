import { isSpace, WordCounter } from '../../answer/words.ts'
import { Parts } from '../shared/units/parts.ts'
import { Sentences } from '../shared/units/sentences.ts'
import { TokenWords } from '../shared/units/token-words.ts'
import type { UnitCounter } from '../shared/units/unit-counter.ts'
import type { LengthOptions } from './options.ts'

/** Counts blocks of visible text with at least so many line breaks between them: lines that are not blank, or paragraphs. */
class Lines implements UnitCounter {
  count = 0
  readonly #breaks: number
  /** Line breaks since the last visible character; as many as needed at the start of the text. */
  #seen: number
  #afterReturn = false

  constructor(kind: 'lines' | 'paragraphs') {
    this.#breaks = kind === 'lines' ? 1 : 2
    this.#seen = this.#breaks
  }

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 13 || (code === 10 && !this.#afterReturn)) this.#seen++
      this.#afterReturn = code === 13
      if (isSpace(code)) continue
      if (this.#seen >= this.#breaks) {
        this.count++
        if (this.count >= stop) return at
      }
      this.#seen = 0
    }
    return undefined
  }
}

/** Counts code points, without white space at both ends of the text. */
class Characters implements UnitCounter {
  count = 0
  /** White space that counts once something visible follows it. */
  #spaces = 0

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isSpace(code)) {
        if (this.count > 0) this.#spaces++
        continue
      }
      this.count += this.#spaces + 1
      this.#spaces = 0
      if (this.count >= stop) return at
      if ((text.codePointAt(at) ?? 0) > 0xffff) at++
    }
    return undefined
  }
}

/** One unit of an answer that is limited. */
export interface Unit {
  readonly name: keyof LengthOptions
  readonly min: number | undefined
  readonly max: number | undefined
  /** Of parts: what separates them. */
  readonly separator?: string
  readonly distinct?: boolean
  counter(): UnitCounter
}

/** The units that are limited, in the order of the options. */
export function unitsOf({ words, characters, sentences, lines, paragraphs, parts }: LengthOptions): Unit[] {
  const units: Unit[] = []
  if (words)
    units.push({ name: 'words', ...limits(words), counter: () => (words.split === 'spaces' ? new WordCounter() : new TokenWords()) })
  if (characters) units.push({ name: 'characters', ...limits(characters), counter: () => new Characters() })
  if (sentences) units.push({ name: 'sentences', ...limits(sentences), counter: () => new Sentences() })
  if (lines) units.push({ name: 'lines', ...limits(lines), counter: () => new Lines('lines') })
  if (paragraphs) units.push({ name: 'paragraphs', ...limits(paragraphs), counter: () => new Lines('paragraphs') })
  if (parts) {
    const { separator, distinct } = parts
    units.push({ name: 'parts', ...limits(parts), separator, distinct, counter: () => new Parts(separator) })
  }
  return units
}

function limits({ min, max }: { readonly min?: number | undefined; readonly max?: number | undefined }): Pick<Unit, 'min' | 'max'> {
  return { min, max }
}
