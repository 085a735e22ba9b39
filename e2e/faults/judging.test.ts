import { type Contract, contract, type Validator } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../packages/gateway/src/testing/built-judge.ts'
import { sumOf } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

interface Outside {
  readonly looping: Validator
  readonly noSix: Validator
}
const { looping, noSix } = (await import('../../packages/gateway/src/testing/outside-validators.mjs' as string)) as Outside

const yaml = (deadline: number) => `
server: { port: 0, judging: { threshold: 2000, threads: 1, deadline: ${deadline}, queue: 100 } }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  object: { checks: [{ json: { schema: { type: object, required: [a] } } }], retries: 0, stop: end }
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 0 }
  looping: { checks: [] }
  mixed: { checks: [] }
  withheld: { checks: [] }
routes:
  - { model: object, upstream: up, contract: object }
  - { model: brief, upstream: up, contract: brief }
  - { model: looping, upstream: up, contract: looping }
  - { model: mixed, upstream: up, contract: mixed }
  - { model: withheld, upstream: up, contract: withheld }
`

/** One whose jobs may take as long as a busy machine needs, and one that ends them soon. */
let gateway: TestGateway
let hasty: TestGateway

beforeAll(async () => {
  requireBuiltJudge()
  gateway = await start(60)
  hasty = await start(1.5)
})
afterAll(() => Promise.all([gateway.close(), hasty.close()]))

async function start(deadline: number): Promise<TestGateway> {
  const started = await startTestGateway({ yaml: yaml(deadline) })
  const contracts = new Map<string, Contract>([
    ...started.config.contracts,
    ['looping', contract({ checks: [looping({})], retries: 0, unchecked: 'deliver' })],
    ['mixed', contract({ checks: [looping({}), noSix({}), { max_words: { limit: 50 } }], retries: 0 })],
    ['withheld', contract({ checks: [looping({})], retries: 0, unchecked: 'withhold' })],
  ])
  await started.reload({ ...started.config, contracts })
  return started
}

const done = () => sumOf(gateway, 'stickler_judging_jobs_total', 'end="done"')
const blank = ' '.repeat(3000)

describe('an answer over the threshold is judged in a thread', () => {
  test.each(ways)('%s %s: the verdict, the text and the repair are those of a small one', async (api, how) => {
    const judged = async (text: string) => {
      gateway.upstream.enqueue(answering(text))
      const reply = await ask(gateway, api, { model: 'object', stream: how === 'streamed' })
      const { status, issues } = verdictOf(reply) as { status: string; issues: { code: string; message: string }[] }
      const shown = reply.status === 200 ? textOf(api, reply).replaceAll(' ', '') : ''
      return { http: reply.status, status, issues: issues.map(({ code, message }) => ({ code, message })), shown }
    }
    const before = await done()
    const small = [await judged("{'a': 1}"), await judged('{"b": 1}')]
    expect(small.map(({ http, status }) => [http, status])).toEqual([
      [200, 'repaired'],
      [422, 'unresolved'],
    ])
    expect(await done()).toBe(before)
    expect([await judged(`{'a': 1${blank}}`), await judged(`{"b": 1${blank}}`)]).toEqual(small)
    // Two checks and two repairs.
    expect(await done()).toBe(before + 4)
  })

  test('/v1/check: with the value', async () => {
    const before = await done()
    const check = async (text: string) =>
      (await gateway.post('/v1/check', { contract: 'object', text })).json() as Promise<Record<string, unknown>>
    const large = await check(`{"a": [1, {"__proto__": -0}]${blank}}`)
    expect(large).toMatchObject({ status: 'valid', value: { a: [1, { ['__proto__']: 0 }] } })
    expect(await done()).toBe(before + 1)
    expect(await check('{"a": 1}')).toMatchObject({ status: 'valid', value: { a: 1 } })
    expect(await done()).toBe(before + 1)
  })
})

describe('a validator from outside', () => {
  test.each(ways)('%s %s: one that never ends is unchecked, and everybody else is served meanwhile', async (api, how) => {
    hasty.upstream.on('loop', answering('LOOP'))
    hasty.upstream.otherwise(answering('Fine.'))
    let isOver = false
    const slow = ask(hasty, api, { model: 'looping', prompt: 'loop', stream: how === 'streamed' }).finally(() => {
      isOver = true
    })
    let served = 0
    for (; !isOver; served++) expect((await ask(hasty, 'chat', { model: 'brief' })).status).toBe(200)
    expect(served).toBeGreaterThan(1)
    const reply = await slow
    expect([reply.status, textOf(api, reply)]).toEqual([200, 'LOOP'])
    expect(verdictOf(reply)).toMatchObject({ status: 'unchecked', unchecked: ['looping'] })
  })

  test('leaves the verdicts of the others alone', async () => {
    hasty.upstream.enqueue(answering('LOOP and six'))
    const reply = await ask(hasty, 'chat', { model: 'mixed' })
    // What the others find is repaired all the same.
    expect(verdictOf(reply)).toMatchObject({ status: 'unchecked', unchecked: ['looping'], issues: [], fixed: [{ code: 'SIX' }] })
  })

  test('repairs in its thread', async () => {
    gateway.upstream.enqueue(answering('four and six'))
    const reply = await ask(gateway, 'chat', { model: 'mixed' })
    expect([reply.status, textOf('chat', reply)]).toEqual([200, 'four and five'])
    expect(verdictOf(reply)).toMatchObject({ status: 'repaired' })
  })

  test('that never ends is withheld where the contract says so', async () => {
    hasty.upstream.enqueue(answering('LOOP'))
    const reply = await ask(hasty, 'chat', { model: 'withheld' })
    expect(reply.status).toBe(424)
    expect(reply.body).not.toContain('LOOP')
  })

  test('is counted', async () => {
    const ended = (how: string) => sumOf(hasty, 'stickler_judging_jobs_total', `end="${how}"`)
    const before = await ended('deadline')
    hasty.upstream.enqueue(answering('LOOP'))
    await ask(hasty, 'chat', { model: 'looping' })
    expect(await ended('deadline')).toBe(before + 1)
    expect(await ended('full')).toBe(0)
  })
})

test('a reload makes a new pool, and the old one ends', async () => {
  await gateway.reload(gateway.config)
  gateway.upstream.enqueue(answering(`{"a": 1${blank}}`))
  expect(verdictOf(await ask(gateway, 'chat', { model: 'object' }))).toMatchObject({ status: 'valid' })
  const threads = async () => /^stickler_judging_threads (\d+)$/m.exec(await (await gateway.get('/metrics')).text())?.[1]
  await expect.poll(threads, { timeout: 20_000 }).toBe('1')
})
