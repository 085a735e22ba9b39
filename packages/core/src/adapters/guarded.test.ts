import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../catalogue.ts'
import { check } from '../engine/check/check.ts'
import { defineValidator, issue } from '../index.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createBreaker } from './breaker.ts'
import { guarded } from './guarded.ts'

test('a validator that calls a service is unchecked while the service is gone, and does not wait for it', async () => {
  const clock = manualClock()
  const breaker = createBreaker({ failures: 2, openMs: 1000 }, { clock })
  let answers: () => Promise<boolean> = () => Promise.reject(new Error('connection refused'))
  let asked = 0
  const spelling = defineValidator({
    name: 'spelling',
    summary: 'The answer is spelt correctly.',
    options: z.strictObject({}),
    codes: { MISSPELT: { severity: 'error', when: 'A word is misspelt.', fix: 'Correct it.' } },
    instruct: () => 'Spell correctly.',
    prepare: () => ({
      async *check(_answer, { signal }) {
        const call = (): Promise<boolean> => {
          asked++
          return answers()
        }
        if (!(await guarded(breaker, call, { timeoutMs: 500, signal, clock }))) yield issue('MISSPELT', 'Correct the spelling.')
      },
    }),
  })
  const own = contract({ checks: [spelling({})] })
  const why = async () => (await check(own, 'x')).unchecked
  const fault = { validator: 'spelling', cause: 'unavailable', message: 'the service failed: connection refused', reason: 'fault' }
  expect([await why(), await why(), asked]).toEqual([[fault], [fault], 2])
  expect([await why(), await why(), asked]).toMatchObject([[{ cause: 'unavailable', reason: 'open' }], [{ reason: 'open' }], 2])
  clock.advance(1000)
  answers = async () => false
  expect((await check(own, 'x')).issues).toMatchObject([{ code: 'MISSPELT' }])
  expect([breaker.state, clock.pending]).toEqual(['closed', 0])
})

test('a call that is aborted before it begins does not reach the service', async () => {
  const breaker = createBreaker({ failures: 1 })
  let asked = 0
  const call = async (): Promise<void> => void asked++
  await expect(guarded(breaker, call, { timeoutMs: 500, signal: AbortSignal.abort('left') })).rejects.toBe('left')
  expect([asked, breaker.state]).toEqual([0, 'closed'])
})

test('a call that throws at once, and one whose fault is not that of the service', async () => {
  const clock = manualClock()
  const breaker = createBreaker({ failures: 1 }, { clock })
  const throws = (): Promise<never> => {
    throw new TypeError('bad request')
  }
  const isFault = (thrown: unknown) => !(thrown instanceof TypeError)
  await expect(guarded(breaker, throws, { timeoutMs: 500, clock, isFault })).rejects.toThrow(/^bad request$/)
  expect(breaker.state).toBe('closed')
  await expect(guarded(breaker, throws, { timeoutMs: 500, clock, name: 'the dictionary' })).rejects.toMatchObject({
    message: 'the dictionary failed: bad request',
    reason: 'fault',
    cause: expect.any(TypeError),
  })
  expect([breaker.state, clock.pending]).toEqual(['open', 0])
})
