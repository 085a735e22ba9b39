// A plugin for tests, written as ordinary ones are: with classes, assignments over inherited members, and zod.
import { defineValidator, issue } from '@stickler/core'
import * as z from 'zod'

class Word extends Map {
  constructor() {
    super()
    this.toString = () => 'fine'
  }
}
class OwnError extends Error {
  constructor(message) {
    super(message)
    this.name = 'OwnError'
    this.constructor = OwnError
  }
}
function Old() {}
Old.prototype.toString = () => 'old'
Old.prototype.constructor = Old
const copied = Object.assign({}, { toString: () => 'copied', valueOf: () => 1, hasOwnProperty: () => true })
const schema = z.object({ a: z.string().default('x') }).strict()

export const steady = defineValidator({
  name: 'steady',
  summary: 'No word is loud.',
  options: z.strictObject({ word: z.string().default('loud') }),
  codes: { LOUD: { severity: 'error', when: 'The word occurs.', fix: 'Leave it out.' } },
  instruct: ({ word }) => `Do not say ${word}.`,
  prepare: ({ word }) => ({
    *check({ text }) {
      const told = `${new Word()} ${new OwnError('x').name} ${new Old()} ${copied} ${schema.parse({}).a}`
      if (told !== 'fine OwnError old copied x') throw new OwnError(told)
      const start = text.indexOf(word)
      if (start >= 0) yield issue('LOUD', `Do not say ${word}.`, { span: { start, end: start + word.length } })
    },
    *repair({ text }) {
      const start = text.indexOf(word)
      if (start >= 0) yield { rule: 'soften', class: 'lossless', span: { start, end: start + word.length }, before: word, after: 'calm' }
    },
  }),
})
