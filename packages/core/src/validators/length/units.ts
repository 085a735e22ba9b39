import { WordCounter } from '../../answer/words.ts'
import { Characters } from '../shared/units/characters.ts'
import { Lines } from '../shared/units/lines.ts'
import { Parts } from '../shared/units/parts.ts'
import { Sentences } from '../shared/units/sentences.ts'
import { TokenWords } from '../shared/units/token-words.ts'
import type { UnitCounter } from '../shared/units/unit-counter.ts'
import type { LengthOptions } from './options.ts'

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
