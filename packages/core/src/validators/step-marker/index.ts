import * as z from 'zod'
import { fact, issue } from '../../contract/issue.ts'
import { defineValidator } from '../../contract/validator.ts'
import { lastStepMarker, nearStep, steps } from './extract.ts'
import { stepMarkerMessages } from './messages.ts'
import { repairStepMarker } from './repair.ts'
import { StepMarkerStream } from './stream.ts'

export { type Step, type StepMarker, steps } from './extract.ts'

/** Fails when the last STEP marker outside of code is missing or names no step. */
export const stepMarker = defineValidator({
  name: 'step_marker',
  summary: 'The answer has a marker `<!-- STEP: … -->` that names the step of the consultation.',
  get options() {
    return z.strictObject({
      requireAtEnd: z.boolean().default(false).describe('Only white space may follow the marker.'),
      default: z.enum(steps).default('done').describe('The step that a repair assumes if it cannot infer one from the answer.'),
    })
  },
  codes: {
    MISSING_STEP_MARKER: {
      severity: 'error',
      when: 'There is no STEP marker outside code, or with `requireAtEnd` text follows the last one.',
      fix: 'End the answer with `<!-- STEP: name -->`; a repair infers the step from the answer and appends the marker.',
    },
    INVALID_STEP: {
      severity: 'error',
      when: 'The last STEP marker names an unknown step.',
      fix: `Use one of ${steps.join(', ')}; a repair replaces the name in place.`,
    },
  },
  facts: { step: { use: 'step', last: ['done'] } },
  instruct: (_options, locale) => stepMarkerMessages[locale].instruct,
  prepare: (options) => ({
    check(answer, { locale }) {
      const say = stepMarkerMessages[locale]
      const marker = lastStepMarker(answer)
      // A turn that only calls tools says nothing to anybody yet.
      if (marker === undefined && !answer.visible && answer.isBetween) return []
      if (marker === undefined) return [issue('MISSING_STEP_MARKER', say.missing, { hint: say.addHint })]
      if (marker.step === undefined) {
        const suggestion = nearStep(marker.name)
        const advice = suggestion === undefined ? {} : { suggestion }
        return [issue('INVALID_STEP', say.invalid(marker.name), { hint: say.validHint, span: marker.span, ...advice })]
      }
      const step = fact('step', marker.step)
      if (!options.requireAtEnd || answer.text.slice(marker.span.end).trim() === '') return [step]
      return [step, issue('MISSING_STEP_MARKER', say.notAtEnd, { hint: say.addHint, span: marker.span })]
    },
    incremental: () => new StepMarkerStream(),
    repair: (answer) => repairStepMarker(answer, options),
  }),
})
