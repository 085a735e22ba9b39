import type { Answer } from '../../answer/answer.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { countUnits, type Limit } from '../shared/units/limits.ts'
import { Parts } from '../shared/units/parts.ts'
import { lengthMessages } from './messages.ts'
import type { Unit } from './units.ts'

/** What `length` can complain about. */
export type LengthCode = 'TOO_SHORT' | 'TOO_LONG' | 'EMPTY_PART' | 'REPEATED_PART'

/** Yields what is wrong with one unit of a whole answer. */
export function* checkUnit(answer: Answer, unit: Unit, locale: Locale): Generator<IssueDraft<LengthCode>> {
  const body = answer.text.slice(answer.bodyStart)
  const counter = unit.counter()
  const observed = countUnits(counter, body)
  const { min = 0, max = Number.POSITIVE_INFINITY } = unit
  if (observed > max) {
    const start = answer.bodyStart + Math.max(0, unit.counter().push(body, max + 1) ?? body.length)
    yield { ...tooLong(unit, observed, locale), span: { start, end: answer.text.length } }
  }
  // More may follow once the tools have answered.
  if (observed < min && !answer.isBetween) {
    const say = lengthMessages[locale]
    yield issue('TOO_SHORT', say.tooShort(unit, min, observed), { hint: say.hint(unit, observed, min, unit.max), path: [unit.name] })
  }
  if (counter instanceof Parts && counter.empty) yield emptyPart(unit, counter.empty.part, locale)
  if (unit.distinct) yield* repeatedParts(unit, body, locale)
}

/** The limits that a stream can break before its end. */
export function limitsOf(units: readonly Unit[], locale: Locale): Limit<LengthCode>[] {
  return units
    .filter(({ name, max }) => max !== undefined || name === 'parts')
    .map((unit) => ({
      max: unit.max ?? Number.POSITIVE_INFINITY,
      counter: unit.counter,
      tooMany: (observed) => tooLong(unit, observed, locale),
      fault: (counter) => {
        const empty = counter instanceof Parts ? counter.empty : undefined
        return empty && { at: empty.at, issue: emptyPart(unit, empty.part, locale) }
      },
    }))
}

function tooLong(unit: Unit, observed: number, locale: Locale): IssueDraft<'TOO_LONG'> {
  const say = lengthMessages[locale]
  const max = unit.max ?? 0
  return issue('TOO_LONG', say.tooLong(unit, max, observed), { hint: say.hint(unit, observed, unit.min, max), path: [unit.name] })
}

function emptyPart(unit: Unit, part: number, locale: Locale): IssueDraft<'EMPTY_PART'> {
  return issue('EMPTY_PART', lengthMessages[locale].emptyPart(unit, part), { path: [unit.name] })
}

function* repeatedParts(unit: Unit, body: string, locale: Locale): Generator<IssueDraft<'REPEATED_PART'>> {
  const seen = new Map<string, number>()
  for (const [index, part] of body.split(unit.separator ?? '').entries()) {
    const text = part.trim()
    const same = seen.get(text)
    if (text === '') continue
    if (same !== undefined) {
      yield issue('REPEATED_PART', lengthMessages[locale].repeatedPart(unit, index + 1, same), { path: [unit.name] })
      return
    }
    seen.set(text, index + 1)
  }
}
