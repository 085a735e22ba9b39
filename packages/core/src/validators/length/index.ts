import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { Counting, type Limit } from '../shared/units/counting.ts'
import { Parts } from '../shared/units/parts.ts'
import { lengthOptions } from './options.ts'
import { type Unit, unitsOf } from './units.ts'

interface LengthMessages {
  instruct(unit: Unit, min: number | undefined, max: number | undefined): string
  tooLong(unit: Unit, max: number, observed: number): string
  tooShort(unit: Unit, min: number, observed: number): string
  emptyPart(unit: Unit, part: number): string
  repeatedPart(unit: Unit, part: number, same: number): string
  /** How to correct the number of a unit. */
  hint(unit: Unit, observed: number, min: number | undefined, max: number | undefined): string
}

type Names = Readonly<Record<Unit['name'], readonly [one: string, several: string]>>

const english: Names = {
  words: ['word', 'words'],
  characters: ['character', 'characters'],
  sentences: ['sentence', 'sentences'],
  lines: ['line', 'lines'],
  paragraphs: ['paragraph', 'paragraphs'],
  parts: ['part', 'parts'],
}

const german: Names = {
  words: ['Wort', 'Wörter'],
  characters: ['Zeichen', 'Zeichen'],
  sentences: ['Satz', 'Sätze'],
  lines: ['Zeile', 'Zeilen'],
  paragraphs: ['Absatz', 'Absätze'],
  parts: ['Teil', 'Teile'],
}

/** What parts are separated by; nothing of other units. */
function separated({ separator }: Unit, by: string): string {
  return separator === undefined ? '' : `, ${by} ${quoteJson(separator)}`
}

function counted(names: Names, { name }: Unit, count: number): string {
  return `${count} ${names[name][count === 1 ? 0 : 1]}`
}

function range(
  names: Names,
  unit: Unit,
  min: number | undefined,
  max: number | undefined,
  words: readonly [string, string, string, string],
): string {
  const [exactly, atLeast, atMost, and] = words
  if (min !== undefined && min === max) return `${exactly} ${counted(names, unit, min)}`
  if (max === undefined) return `${atLeast} ${counted(names, unit, min ?? 0)}`
  if (min === undefined || min === 0) return `${atMost} ${counted(names, unit, max)}`
  return `${atLeast} ${min} ${and} ${atMost} ${counted(names, unit, max)}`
}

/** The wording of `length` in both languages. */
const lengthMessages: Readonly<Record<Locale, LengthMessages>> = {
  en: {
    instruct: (unit, min, max) => {
      const rule = range(english, unit, min, max, ['exactly', 'at least', 'at most', 'and'])
      return `Write ${rule}${separated(unit, 'separated by')}.`
    },
    tooLong: (unit, max, observed) =>
      `Cut the answer to at most ${counted(english, unit, max)}${separated(unit, 'separated by')}; it has ${observed}.`,
    tooShort: (unit, min, observed) =>
      `Write at least ${counted(english, unit, min)}${separated(unit, 'separated by')}; the answer has ${observed}.`,
    emptyPart: ({ separator = '' }, part) => `Write text between the separators ${quoteJson(separator)}; part ${part} is empty.`,
    repeatedPart: (_unit, part, same) => `Write different parts; part ${part} is the same as part ${same}.`,
    hint: (unit, observed, min, max) =>
      max !== undefined && observed > max
        ? `Remove ${counted(english, unit, observed - max)} or more.`
        : `Add ${counted(english, unit, (min ?? 0) - observed)} or more.`,
  },
  de: {
    instruct: (unit, min, max) => {
      const rule = range(german, unit, min, max, ['genau', 'mindestens', 'höchstens', 'und'])
      return `Schreibe ${rule}${separated(unit, 'getrennt durch')}.`
    },
    tooLong: (unit, max, observed) =>
      `Kürze die Antwort auf höchstens ${counted(german, unit, max)}${separated(unit, 'getrennt durch')}; sie hat ${observed}.`,
    tooShort: (unit, min, observed) =>
      `Schreibe mindestens ${counted(german, unit, min)}${separated(unit, 'getrennt durch')}; die Antwort hat ${observed}.`,
    emptyPart: ({ separator = '' }, part) => `Schreibe Text zwischen die Trenner ${quoteJson(separator)}; Teil ${part} ist leer.`,
    repeatedPart: (_unit, part, same) => `Schreibe verschiedene Teile; Teil ${part} ist derselbe wie Teil ${same}.`,
    hint: (unit, observed, min, max) =>
      max !== undefined && observed > max
        ? `Streiche ${counted(german, unit, observed - max)} oder mehr.`
        : `Ergänze ${counted(german, unit, (min ?? 0) - observed)} oder mehr.`,
  },
}

/** Fails when the answer has too few or too many words, characters, sentences, lines, paragraphs or parts; reasoning does not count. */
export const length = defineValidator({
  name: 'length',
  summary: 'The answer has the right number of words, characters, sentences, lines, paragraphs or parts.',
  get options() {
    return lengthOptions()
  },
  codes: {
    TOO_LONG: { severity: 'error', when: 'The answer has more of a unit than `max`.', fix: 'Cut the answer, or raise `max`.' },
    TOO_SHORT: { severity: 'error', when: 'The answer has less of a unit than `min`.', fix: 'Write more, or lower `min`.' },
    EMPTY_PART: {
      severity: 'error',
      when: 'There is nothing between two separators of `parts`.',
      fix: 'Write the part, or remove one of the separators.',
    },
    REPEATED_PART: { severity: 'error', when: 'With `distinct`, two parts are the same.', fix: 'Write a different part.' },
  },
  instruct: (options, locale) =>
    unitsOf(options)
      .map((unit) => lengthMessages[locale].instruct(unit, unit.min, unit.max))
      .join(' '),
  machine: (options) => {
    const units = unitsOf(options)
    return (reading) => new Counting<LengthCode>(reading, limitsOf(units, reading.locale))
  },
})

/** What `length` can complain about. */
type LengthCode = 'TOO_SHORT' | 'TOO_LONG' | 'EMPTY_PART' | 'REPEATED_PART'

function limitsOf(units: readonly Unit[], locale: Locale): Limit<LengthCode>[] {
  const say = lengthMessages[locale]
  return units.map((unit) => ({
    min: unit.min,
    max: unit.max,
    counter: unit.counter,
    tooMany: (observed, span) => ({ ...tooLong(unit, observed, locale), ...(span && { span }) }),
    tooFew: (observed) =>
      issue('TOO_SHORT', say.tooShort(unit, unit.min ?? 0, observed), {
        hint: say.hint(unit, observed, unit.min, unit.max),
        path: [unit.name],
      }),
    fault: (counter) => {
      const empty = counter instanceof Parts ? counter.empty : undefined
      return empty && { at: empty.at, issue: issue('EMPTY_PART', say.emptyPart(unit, empty.part), { path: [unit.name] }) }
    },
    ...(unit.distinct && { atEnd: (body: string) => repeatedPart(unit, body, locale) }),
  }))
}

function tooLong(unit: Unit, observed: number, locale: Locale): IssueDraft<'TOO_LONG'> {
  const say = lengthMessages[locale]
  const max = unit.max ?? 0
  return issue('TOO_LONG', say.tooLong(unit, max, observed), { hint: say.hint(unit, observed, unit.min, max), path: [unit.name] })
}

function repeatedPart(unit: Unit, body: string, locale: Locale): IssueDraft<'REPEATED_PART'> | undefined {
  const seen = new Map<string, number>()
  for (const [index, part] of body.split(unit.separator ?? '').entries()) {
    const text = part.trim()
    const same = seen.get(text)
    if (text === '') continue
    if (same !== undefined) return issue('REPEATED_PART', lengthMessages[locale].repeatedPart(unit, index + 1, same), { path: [unit.name] })
    seen.set(text, index + 1)
  }
  return undefined
}
