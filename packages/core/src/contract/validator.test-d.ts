import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../catalogue.ts'
import { enforce } from '../engine/enforce.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { FailureKind } from '../engine/runner-failure.ts'
import { scripted } from '../testing/index.ts'
import { json } from '../validators/json/index.ts'
import { maxWords } from '../validators/max-words.ts'
import type { Contract } from './contract.ts'
import { issue } from './issue.ts'
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
  expectTypeOf(contract({ checks: ['step_marker'], retries: 1 })).toEqualTypeOf<Contract>()
  expectTypeOf<Outcome['status']>().toEqualTypeOf<'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed'>()
  // @ts-expect-error: no such mode
  contract({ mode: 'loose' })
})

test('the value of an outcome has the type of the schema', async () => {
  const rules = contract({ checks: ['step_marker', json({ schema: z.object({ n: z.number() }) })], retries: 1 })
  expectTypeOf(rules).toEqualTypeOf<Contract<{ n: number }>>()
  const outcome = await enforce({ contract: rules, runner: scripted([]), prompt: 'p' })
  expectTypeOf(outcome.value).toEqualTypeOf<{ n: number } | undefined>()
  if (outcome.status === 'valid' || outcome.status === 'repaired') {
    // @ts-expect-error: a turn that only calls tools is valid and has no value
    void outcome.value.n
    expectTypeOf(outcome.delivered).toEqualTypeOf<true>()
    if (outcome.value !== undefined) {
      expectTypeOf(outcome.value).toEqualTypeOf<{ n: number }>()
      // The outcome itself is known to have it, so it may be handed on.
      expectTypeOf(outcome).toExtend<{ readonly status: 'valid' | 'repaired'; readonly value: { n: number } }>()
    } else expectTypeOf(outcome.value).toEqualTypeOf<undefined>()
  } else if (outcome.status === 'failed') {
    expectTypeOf(outcome.value).toEqualTypeOf<undefined>()
    expectTypeOf(outcome.delivered).toEqualTypeOf<false>()
    expectTypeOf(outcome.failure.kind).toEqualTypeOf<FailureKind>()
  } else {
    expectTypeOf(outcome.value).toEqualTypeOf<{ n: number } | undefined>()
    expectTypeOf(outcome.delivered).toEqualTypeOf<boolean>()
  }
  const untyped = await enforce({
    contract: contract({ checks: [json({ schema: { type: 'object' } })] }),
    runner: scripted([]),
    prompt: 'p',
  })
  expectTypeOf(untyped.value).toEqualTypeOf<unknown>()
})
