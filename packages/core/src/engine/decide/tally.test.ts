import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { scripted } from '../../testing/index.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { Outcome } from '../outcome.ts'
import { Tally } from './budget.ts'

/** The same model in every call, as often as it is called. */
function model(turns: readonly string[]) {
  return scripted(Array.from({ length: 1100 }, (_, call) => ({ text: turns[call % turns.length] ?? '', chunkSize: 3 })))
}

async function play(policy: Omit<ContractByName, 'checks'>, turns: readonly string[], isStreamed: boolean, n = 1) {
  const built = contract({ checks: [{ max_words: { limit: 2 } }], ...policy })
  const tally = new Tally()
  const runners = Array.from({ length: n }, () => model(turns))
  const outcomes = await Promise.all(
    runners.map(async (runner): Promise<Outcome> => {
      const options = { contract: built, runner, prompt: 'Say two words.', tally }
      if (!isStreamed) return enforce(options)
      const stream = enforceStream(options)
      for await (const _piece of stream);
      return stream.outcome
    }),
  )
  const calls = runners.reduce((sum, { calls }) => sum + calls.length, 0)
  // The first calls of runs that share a tally are one.
  return { outcomes, calls: calls - (n - 1) }
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('%s', (_how, isStreamed) => {
  test('the same answer twice ends it, stopped or not', async () => {
    const { outcomes, calls } = await play({ retries: 1000 }, ['one two three four'], isStreamed)
    expect([outcomes[0]?.reason, calls]).toEqual(['no-progress', 2])
  })

  test('the same answer twice ends it, also when a repair mends a part of it', async () => {
    const policy = { retries: 1000, checks: ['step_marker', { max_words: { limit: 2 } }] } as ContractByName
    const { outcomes, calls } = await play(policy, ['one two three four'], isStreamed)
    expect([outcomes[0]?.reason, calls]).toEqual(['no-progress', 2])
  })

  test('tokens are estimated where nobody tells them', async () => {
    const turns = Array.from({ length: 50 }, (_, index) => `${index} two three four`)
    const { outcomes, calls } = await play({ retries: 1000, budget: { tokens: 200 } }, turns, isStreamed)
    expect(outcomes[0]?.reason).toBe('budget-tokens')
    expect(calls).toBeLessThan(15)
  })

  test('runs that share a budget keep it together', async () => {
    const turns = Array.from({ length: 50 }, (_, index) => `${index} two three four`)
    const { outcomes, calls } = await play({ retries: 1000, budget: { attempts: 5 } }, turns, isStreamed, 4)
    expect(calls).toBe(5)
    expect(new Set(outcomes.map(({ reason }) => reason))).toEqual(new Set(['budget-attempts']))
  })
})

test('no budget, number of runs or way of reading lets more calls through than the bound, and streamed is as whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 6 }),
      fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      fc.array(fc.constantFrom('one two three', 'four five six', 'two words', 'seven eight nine ten'), { minLength: 1, maxLength: 4 }),
      async (n, retries, attempts, turns) => {
        const policy = { retries, budget: attempts === undefined ? {} : { attempts } }
        const whole = await play(policy, turns, false, n)
        const held = await play({ ...policy, stream: 'hold' }, turns, true, n)
        // What has been shown can only be continued, so the model is asked something else.
        const verified = await play(policy, turns, true, n)
        const bound = Math.min(1 + n * retries, attempts ?? Number.POSITIVE_INFINITY)
        expect(Math.max(whole.calls, verified.calls)).toBeLessThanOrEqual(bound)
        expect(held.calls).toBe(whole.calls)
      },
    ),
    { numRuns: 100 },
  )
})
