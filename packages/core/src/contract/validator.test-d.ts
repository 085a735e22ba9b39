import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import type { Answer } from '../answer/answer.ts'
import { contract } from '../catalogue.ts'
import type { Outcome } from '../engine/outcome.ts'
import { maxWords } from '../validators/max-words.ts'
import type { Contract } from './contract.ts'
import { issue } from './issue.ts'
import type { Reading } from './machine/machine.ts'
import { type Check, defineValidator } from './validator.ts'

test('options are typed from the one object', () => {
  expectTypeOf(maxWords).toBeCallableWith({ limit: 3 })
  expectTypeOf(maxWords({ limit: 3 })).toEqualTypeOf<Check<never>>()
  // @ts-expect-error: the limit is a number
  maxWords({ limit: '3' })
  // @ts-expect-error: there is no such option
  maxWords({ limit: 3, max: 3 })
})

test('a validator yields only its own codes', () => {
  defineValidator({
    name: 'polite',
    summary: 's',
    options: z.strictObject({ word: z.string().default('please') }),
    codes: { RUDE: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: ({ word }) => {
      expectTypeOf(word).toEqualTypeOf<string>()
      return word
    },
    prepare: ({ word }) => ({
      *check({ text }) {
        if (!text.includes(word)) yield issue('RUDE', 'm')
      },
    }),
  })
  defineValidator({
    name: 'polite',
    summary: 's',
    options: z.strictObject({}),
    codes: { RUDE: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: () => 'i',
    prepare: () => ({
      // @ts-expect-error: UNKNOWN is not among the codes
      *check() {
        yield issue('UNKNOWN', 'm')
      },
    }),
  })
})

test('contracts and outcomes are closed types', () => {
  expectTypeOf(contract({ checks: ['complete'], retries: 1 })).toEqualTypeOf<Contract>()
  expectTypeOf<Outcome['status']>().toEqualTypeOf<'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed'>()
  // @ts-expect-error: no such mode
  contract({ mode: 'loose' })
})

test('nobody who looks at an outline can add to it', () => {
  expectTypeOf<Reading['outline']>().not.toHaveProperty('push')
  expectTypeOf<Answer['outline']>().not.toHaveProperty('end')
})
