import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import {
  answeringBody,
  answering as answeringOnce,
  type Manner as Wording,
} from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, ask, ways } from '../../packages/gateway/src/testing/wire.ts'

const retries = [0, 1, 3, 1000] as const
const budgets = { none: '{}', one: '{ attempts: 1 }', two: '{ attempts: 2 }', five: '{ attempts: 5 }', tokens: '{ tokens: 250 }' } as const
type Budget = keyof typeof budgets

const names = retries.flatMap((most) => (Object.keys(budgets) as Budget[]).map((budget) => [most, budget] as const))
const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
${names.map(([most, budget]) => `  c${most}-${budget}: { checks: [{ max_words: { limit: 3 } }], retries: ${most}, stream: hold, budget: ${budgets[budget]} }`).join('\n')}
routes:
${names.map(([most, budget]) => `  - { model: c${most}-${budget}, upstream: up, contract: c${most}-${budget} }`).join('\n')}
`

/** More attempts would go on for ever. */
const patience = 60

/** Every choice that was asked for says the same. */
const answering =
  (text: string, wording: Wording = {}): Behaviour =>
  (exchange) =>
    answeringOnce(text, { ...wording, more: Array(Number(exchange.request.json?.n ?? 1) - 1).fill(text) })(exchange)

let number = 0
const usage = { prompt: 60, completion: 40 }
const behaviours = {
  same: answering('one two three four five', { usage }),
  'same, usage untold': answering('one two three four five'),
  changing: (exchange) => answering(`${++number} two three four five`, { usage })(exchange),
  'in the end good': (exchange) => answering(++number % 7 === 0 ? 'Fine.' : `${number} two three four`, { usage })(exchange),
  'broken off': answering('one two three', { events: 1, afterwards: ({ socket }) => void socket.destroy(), stream: true }),
  'an error': answeringBody({ error: { message: 'no' } }, { status: 500 }),
  empty: answering(''),
} satisfies Record<string, Behaviour>
type Manner = keyof typeof behaviours

const faults: readonly Manner[] = ['broken off', 'an error', 'empty']

let gateway: TestGateway
/** Faults open its circuit breaker, which must not be felt elsewhere. */
let faulty: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
  faulty = await startTestGateway({ yaml })
})
afterAll(async () => {
  await gateway.close()
  await faulty.close()
})

/** How often the upstream is called for one request. */
async function callsFor(model: string, api: ApiName, stream: boolean, manner: Manner, n = 1): Promise<number> {
  number = 0
  let calls = 0
  const behaviour: Behaviour = behaviours[manner]
  const asked = faults.includes(manner) ? faulty : gateway
  asked.upstream.otherwise((exchange) => (++calls > patience ? answering('Fine.')(exchange) : behaviour(exchange)))
  await ask(asked, api, { model, stream, ...(n === 1 ? {} : { fields: { n } }) })
  return calls
}

function boundOf(most: number, budget: Budget, n: number): number {
  const attempts = { none: Number.POSITIVE_INFINITY, one: 1, two: 2, five: 5, tokens: Number.POSITIVE_INFINITY }[budget]
  return Math.min(1 + n * most, attempts)
}

describe('an upstream that is never right', () => {
  test.each(ways)('%s %s: the same answer twice is the last, with a thousand retries left', async (api, how) => {
    expect(await callsFor('c1000-none', api, how === 'streamed', 'same')).toBe(2)
  })

  test.each(ways)('%s %s: the budget of tokens ends it, told or estimated', async (api, how) => {
    const calls = await callsFor('c1000-tokens', api, how === 'streamed', 'changing')
    // A stream that is stopped is paid for as far as it came; told are 100 for each call.
    if (how === 'whole') expect(calls).toBe(2)
    expect(calls).toBeLessThan(20)
  })

  test.each([
    ['two', 2],
    ['five', 5],
  ] as const)('eight choices keep the budget of %s attempts together, whole and streamed', async (budget, calls) => {
    expect(await callsFor(`c1000-${budget}`, 'chat', false, 'changing', 8)).toBe(calls)
    expect(await callsFor(`c1000-${budget}`, 'chat', true, 'changing', 8)).toBe(calls)
  })

  test('eight choices keep the budget of tokens together', async () => {
    expect(await callsFor('c1000-tokens', 'chat', false, 'changing', 8)).toBeLessThanOrEqual(2)
  })
})

test('no mixture of choices, retries, budgets and faults calls more often than it may, and a stream as often as a whole answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.constantFrom(...ways.map(([api]) => api)),
      fc.constantFrom(...(Object.keys(behaviours) as Manner[])),
      fc.integer({ min: 1, max: 8 }),
      async ([most, budget], api, manner, choices) => {
        const n = api === 'chat' ? choices : 1
        const whole = await callsFor(`c${most}-${budget}`, api, false, manner, n)
        const streamed = await callsFor(`c${most}-${budget}`, api, true, manner, n)
        expect(Math.max(whole, streamed)).toBeLessThanOrEqual(Math.min(patience + n, boundOf(most, budget, n)))
        // Tokens of a stream that was stopped are fewer; changes come at other times when choices run beside each other.
        const isComparable = budget !== 'tokens' && !faults.includes(manner) && (n === 1 || manner.startsWith('same'))
        if (isComparable) expect(streamed).toBe(whole)
      },
    ),
    { numRuns: 40 },
  )
})
