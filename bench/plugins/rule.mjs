import { defineValidator, issue } from '@stickler/core'
import * as z from 'zod'

/** A rule as users write them: one pass over the text. */
export const noShouting = defineValidator({
  name: 'no_shouting',
  summary: 'No more than some words are in capitals.',
  options: z.strictObject({ most: z.int().min(0).default(10_000) }),
  codes: { SHOUTING: { severity: 'error', when: 'Too many words are in capitals.', fix: 'Use small letters.' } },
  instruct: ({ most }) => `Write at most ${most} words in capitals.`,
  prepare: ({ most }) => ({
    *check({ text }) {
      let count = 0
      for (const _word of text.matchAll(/\b[A-Z]{2,}\b/g)) count++
      if (count > most) yield issue('SHOUTING', `Write at most ${most} words in capitals, not ${count}.`)
    },
  }),
})
