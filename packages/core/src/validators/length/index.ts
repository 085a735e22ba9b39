import { defineValidator } from '../../contract/validator.ts'
import { releaseAll } from '../shared/release-all.ts'
import { LimitStream } from '../shared/units/limits.ts'
import { checkUnit, limitsOf } from './check.ts'
import { lengthMessages } from './messages.ts'
import { lengthOptions } from './options.ts'
import { unitsOf } from './units.ts'

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
  prepare: (options) => {
    const units = unitsOf(options)
    return {
      *check(answer, { locale }) {
        for (const unit of units) yield* checkUnit(answer, unit, locale)
      },
      incremental: ({ locale }) => {
        const limits = limitsOf(units, locale)
        return limits.length === 0 ? releaseAll() : new LimitStream(limits)
      },
    }
  },
})
