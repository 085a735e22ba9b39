import { defineValidator, issue } from '@stickler/core'
import * as z from 'zod'

const described = {
  summary: 'For tests.',
  module: import.meta.url,
  options: z.strictObject({}),
  codes: { SIX: { severity: 'error', when: 'It says six.', fix: 'Leave it out.' } },
  instruct: () => '',
}

/** Never ends on a text with `LOOP`. */
export const looping = defineValidator({
  ...described,
  name: 'looping',
  prepare: () => ({
    check({ text }) {
      if (text.includes('LOOP')) for (;;);
      return []
    },
  }),
})

/** Takes all memory on a text with `HOARD`. */
export const hoarding = defineValidator({
  ...described,
  name: 'hoarding',
  prepare: () => ({
    check({ text }) {
      const hoard = []
      while (text.includes('HOARD')) hoard.push(Array.from({ length: 10_000 }, (_, index) => ({ index })))
      return []
    },
  }),
})

/** Ends its process on a text with `EXIT`, and throws past everybody on one with `THROW`. */
export const leaving = defineValidator({
  ...described,
  name: 'leaving',
  prepare: () => ({
    async *check({ text }) {
      if (text.includes('EXIT')) process.exit(7)
      if (!text.includes('THROW')) return
      setTimeout(() => {
        throw new Error('past everybody')
      })
      await new Promise(() => {})
    },
  }),
})

/** Yields something that cannot be copied on a text with `FUNCTION`. */
export const uncopied = defineValidator({
  ...described,
  name: 'uncopied',
  prepare: () => ({
    *check({ text }) {
      if (text.includes('FUNCTION')) yield { kind: 'fact', name: 'f', value: () => text }
    },
  }),
})

/** Allows no `six`, and makes it `five`. */
export const noSix = defineValidator({
  ...described,
  name: 'no_six',
  prepare: () => ({
    *check({ text }) {
      if (text.includes('six')) yield issue('SIX', 'Leave six out.')
    },
    *repair({ text }) {
      const start = text.indexOf('six')
      yield { rule: 'six_to_five', class: 'lossless', span: { start, end: start + 3 }, before: 'six', after: 'five' }
    },
  }),
})
