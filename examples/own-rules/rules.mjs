import { defineValidator, issue } from '@stickler/core'
import * as z from 'zod'

/** Fails when the answer has too many exclamation marks. */
export const calm = defineValidator({
  name: 'calm',
  summary: 'The answer has few exclamation marks.',
  options: z.strictObject({ most: z.int().min(0).describe('Most exclamation marks.') }),
  codes: { EXCITED: { severity: 'error', when: 'There are more exclamation marks.', fix: 'End sentences with a full stop.' } },
  instruct: ({ most }) => `Use at most ${most} exclamation marks.`,
  prepare: ({ most }) => ({
    *check({ text }) {
      const count = text.split('!').length - 1
      if (count > most) yield issue('EXCITED', `Use at most ${most} exclamation marks; there are ${count}.`)
    },
  }),
})
