import type { Contract } from '@stickler/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Behaviour } from '../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../testing/programmable-upstream-answers.ts'
import { failing, shortBody } from '../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1 }
  kept: { checks: [{ max_words: { limit: 5 } }, step_marker], retries: 1, unresolved: deliver }
  data: { checks: [{ json: { schema: { type: object, required: [a] } } }, sensitive], retries: 0, repair: first }
  called: { checks: [tool_calls, { citations: {} }], retries: 1 }
  watched: { checks: [{ max_words: { limit: 2 } }], mode: shadow }
routes:
${['brief', 'kept', 'data', 'called', 'watched'].map((name) => `  - { model: ${name}, upstream: up, contract: ${name} }`).join('\n')}
  - { model: claude, upstream: claude, contract: brief }
  - { model: either, upstream: up, fallback: [claude], contract: kept }
`

/** The same contract whose checks all wait for something. */
function waiting(contract: Contract): Contract {
  const validators = contract.validators.map((validator) => {
    const { check } = validator.prepared
    const prepared = {
      ...validator.prepared,
      async *check(...given: Parameters<typeof check>) {
        await undefined
        yield* check.apply(validator.prepared, given)
      },
    }
    return { ...validator, prepared }
  })
  return { ...contract, validators }
}

const toolCalls = [{ id: 'c', name: 'ping', arguments: '{"count": "3"}' }]
const texts = [
  'Two words.',
  'This answer has more than five words in it.',
  '```json\n{"a": 1,}\n```',
  '{"a": 1, "a": 2}',
  'Done. [[STEP: 1]]',
  'See [1] and [2].',
  'The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD.',
  '',
]
const behaviours: Readonly<Record<string, Behaviour>> = {
  ...Object.fromEntries(texts.map((text) => [text, answering(text)])),
  zipped: answering('Two words.', { encoding: 'gzip', headers: { 'x-ratelimit-remaining-requests': '7' } }),
  'in pieces though not asked': answering('Two words.', { stream: true }),
  'cut off': answering('This answer has', { finishReason: 'length' }),
  calls: answering('', { toolCalls }),
  refusal: answering('', { refusal: 'No.' }),
  several: answering('One.', { more: ['This one has more than five words.', 'Three.'] }),
  'without usage': answering('Two words.', { usage: undefined, fields: { validation: 'forged', event: 'alert' } }),
  'not JSON': answeringBody('<html>'),
  'no choices': answeringBody({}),
  'keys twice': answeringBody('{"id":"1","choices":[],"choices":[{"index":0,"message":{"content":"Hi."},"finish_reason":"stop"}]}'),
  'an error that is one': answeringBody({ error: { message: 'sk-1', code: 'x' } }),
  'too many': failing(429),
  'out of order': failing(500),
  'broken off': shortBody('{"id":', 1000),
}

const failures = ['out of order', 'broken off']

const messages = [{ role: 'user', content: 'Q?' }]
const tools = [{ type: 'function', function: { name: 'ping', parameters: { type: 'object', properties: { count: { type: 'integer' } } } } }]
const requests: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { messages }],
  ['/v1/chat/completions', { messages, tools, n: 2 }],
  ['/v1/responses', { input: 'Q?' }],
  ['/v1/messages', { messages, max_tokens: 100 }],
]
const asked = fc.record({
  model: fc.constantFrom('brief', 'kept', 'data', 'called', 'watched', 'claude', 'either'),
  request: fc.constantFrom(...requests),
  replies: fc.array(fc.constantFrom(...Object.keys(behaviours)), { minLength: 1, maxLength: 3 }),
})

let gateways: readonly TestGateway[]
beforeAll(async () => {
  const today = (): number => 1_700_000_000_000
  gateways = await Promise.all([startTestGateway({ yaml, today }), startTestGateway({ yaml, today, contract: waiting })])
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())))

test('checks that wait give the same replies, headers and records as checks that do not', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(asked, async ({ model, request: [path, body], replies }) => {
      const id = `request-${count++}`
      const given = await Promise.all(
        gateways.map(async ({ upstream, post }) => {
          const before = upstream.requests.length
          const names = [...replies]
          upstream.otherwise((exchange) => (behaviours[names.shift() ?? ''] ?? answering('Once more.'))(exchange))
          const reply = await post(path, { ...body, model }, { 'x-request-id': id })
          const headers = Object.fromEntries([...reply.headers].filter(([name]) => name !== 'date'))
          const text = await reply.text()
          // Too many failures in a row would open the circuit.
          upstream.otherwise(answering('Two words.'))
          for (const other of replies.some((name) => failures.includes(name)) ? ['brief', 'claude'] : [])
            await post('/v1/chat/completions', { model: other, messages }, { 'x-request-id': 'closing' })
          return { status: reply.status, headers, text, sent: upstream.requests.slice(before).map((sent) => sent.body) }
        }),
      )
      expect(given[1]).toEqual(given[0])
    }),
    { numRuns: 40 },
  )
  const [direct, waited] = await Promise.all(gateways.map((gateway) => recordsOf(gateway)))
  expect(direct?.length).toBeGreaterThanOrEqual(count)
  expect(waited).toEqual(direct)
}, 120_000)

/** All runs, without what tells them apart in time. */
async function recordsOf({ get, post }: TestGateway): Promise<readonly string[]> {
  const read = async (path: string) => (await (await get(path)).json()) as { items: { id: string; requestId: string }[]; next?: string }
  const all = async () => {
    const items: { id: string; requestId: string }[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page = await read(`/api/v1/runs?limit=100${next === '' ? '' : `&cursor=${encodeURIComponent(next)}`}`)
      items.push(...page.items)
      next = page.next
    }
    return items
  }
  // They are written in their order.
  await post('/v1/chat/completions', { model: 'brief', messages }, { 'x-request-id': 'last' })
  const last = async () => (await read('/api/v1/runs?limit=5')).items.some(({ requestId }) => requestId === 'last')
  await expect.poll(last, { timeout: 20_000, interval: 250 }).toBe(true)
  const asked = (await all()).filter(({ requestId }) => requestId.startsWith('request-'))
  const runs = await Promise.all(asked.map(({ id }) => read(`/api/v1/runs/${id}`)))
  const timeless = (name: string, value: unknown) =>
    ['id', 'ms', 'at', 'firstTextMs', 'addedMs', 'timeline'].includes(name) ? undefined : value
  return runs.map((run) => JSON.stringify(run, timeless)).sort()
}
