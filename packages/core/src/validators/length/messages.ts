import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { Unit } from './units.ts'

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
export const lengthMessages: Readonly<Record<Locale, LengthMessages>> = {
  en: {
    instruct: (unit, min, max) => {
      const rule = `Write ${range(english, unit, min, max, ['exactly', 'at least', 'at most', 'and'])}`
      return unit.separator === undefined ? `${rule}.` : `${rule}, separated by ${quote(unit.separator)}.`
    },
    tooLong: (unit, max, observed) => `Cut the answer to at most ${counted(english, unit, max)}; it has ${observed}.`,
    tooShort: (unit, min, observed) => `Write at least ${counted(english, unit, min)}; the answer has ${observed}.`,
    emptyPart: ({ separator = '' }, part) => `Write text between the separators ${quote(separator)}; part ${part} is empty.`,
    repeatedPart: (_unit, part, same) => `Write different parts; part ${part} is the same as part ${same}.`,
    hint: (unit, observed, min, max) =>
      max !== undefined && observed > max
        ? `Remove ${counted(english, unit, observed - max)} or more.`
        : `Add ${counted(english, unit, (min ?? 0) - observed)} or more.`,
  },
  de: {
    instruct: (unit, min, max) => {
      const rule = `Schreibe ${range(german, unit, min, max, ['genau', 'mindestens', 'höchstens', 'und'])}`
      return unit.separator === undefined ? `${rule}.` : `${rule}, getrennt durch ${quote(unit.separator)}.`
    },
    tooLong: (unit, max, observed) => `Kürze die Antwort auf höchstens ${counted(german, unit, max)}; sie hat ${observed}.`,
    tooShort: (unit, min, observed) => `Schreibe mindestens ${counted(german, unit, min)}; die Antwort hat ${observed}.`,
    emptyPart: ({ separator = '' }, part) => `Schreibe Text zwischen die Trenner ${quote(separator)}; Teil ${part} ist leer.`,
    repeatedPart: (_unit, part, same) => `Schreibe verschiedene Teile; Teil ${part} ist derselbe wie Teil ${same}.`,
    hint: (unit, observed, min, max) =>
      max !== undefined && observed > max
        ? `Streiche ${counted(german, unit, observed - max)} oder mehr.`
        : `Ergänze ${counted(german, unit, (min ?? 0) - observed)} oder mehr.`,
  },
}
