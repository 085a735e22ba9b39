import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventNames } from '../chat/chat-head.ts'
import { weightOf } from './event-weight.ts'

test('an event never weighs less than the texts in it that are kept, wherever they are', () => {
  const texts = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.string({ maxLength: 40 }), fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
  })).value
  const lengthOf = (value: unknown): number =>
    typeof value === 'string' ? value.length : Object.values(value as object).reduce((sum: number, one) => sum + lengthOf(one), 0)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), texts), texts, (delta, other) => {
      expect(weightOf({ id: 'x'.repeat(100), choices: [{ delta, other }] }, eventNames)).toBeGreaterThan(lengthOf(delta) + lengthOf(other))
    }),
  )
})

test('an event weighs more, the more empty values it has', () => {
  const kept = [{}, [], { a: {} }, [[]]]
  for (const value of kept) {
    const many = { choices: [{ delta: { content: 'x' }, logprobs: { content: Array.from({ length: 1000 }, () => value) } }] }
    expect(weightOf(many, eventNames), JSON.stringify(value)).toBeGreaterThan(15_000)
  }
  expect(weightOf({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }] }, eventNames)).toBeLessThan(20)
})
