import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunRecord } from '../../records/run/run-record.ts'
import { answering, answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { apiNames, ask, recordOf, ways } from '../../testing/wire.ts'

const contracts = `
contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1, stream: hold }
  live: { checks: [{ max_words: { limit: 3 } }], retries: 1, stop: early }
  stricter: { checks: [{ max_words: { limit: 3 } }, { contains: { none: [wrong] } }] }
  other: { checks: [step_marker] }
  down: { checks: [{ remote: { name: policy, url: "http://127.0.0.1:1/rule", timeoutMs: 500 } }, { max_words: { limit: 1 } }] }
  when: { checks: [{ contains: { none: [wrong] }, when: { tag: internal } }] }
`
const routes = (shadow: (name: string) => string) => `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
${contracts}
routes:
  - { model: brief, upstream: up, contract: brief${shadow('stricter')} }
  - { model: claude, upstream: claude, contract: brief${shadow('other')} }
  - { model: live, upstream: up, contract: live${shadow('stricter')} }
  - { model: open, upstream: up, exemptTasks: [title_generation]${shadow('stricter')} }
  - { model: down, upstream: up, contract: brief${shadow('down')} }
  - { model: tagged, upstream: up, contract: brief, clientTags: [internal]${shadow('when')} }
  - { model: alone, upstream: up, contract: brief }
`
/** Times and names that are the same in both gateways, as long as both make as many. */
const sameNames = () => {
  let count = 0
  return { today: () => 1_800_000_000_000, random: () => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}` }
}

let shadowed: TestGateway
let plain: TestGateway
beforeAll(async () => {
  shadowed = await startTestGateway({ yaml: routes((name) => `, shadow: ${name}`), ...sameNames() })
  plain = await startTestGateway({ yaml: routes(() => ''), ...sameNames() })
})
afterAll(() => Promise.all([shadowed.close(), plain.close()]))

type Reply = Awaited<ReturnType<typeof ask>>

/** The verdict in the record of a reply, once it is there. */
async function verdictIn(gateway: TestGateway, reply: Reply): Promise<RunRecord['shadow']> {
  await expect.poll(async () => (await recordOf(gateway, reply)).shadow, { timeout: 5000 }).toBeDefined()
  return (await recordOf(gateway, reply)).shadow as RunRecord['shadow']
}

describe.each(ways)('a shadow contract, %s %s', (api, way) => {
  const stream = way === 'streamed'
  test.each([
    ['agrees', 'brief', ['All is well'], { status: 'valid', liveStatus: 'valid', codes: '', liveCodes: '' }],
    ['finds more', 'brief', ['All is wrong'], { status: 'unresolved', liveStatus: 'valid', codes: 'TEXT_FORBIDDEN', liveCodes: '' }],
    [
      'judges the first answer',
      'brief',
      ['one two three wrong', 'Better'],
      { status: 'unresolved', liveStatus: 'unresolved', codes: 'TEXT_FORBIDDEN', liveCodes: '' },
    ],
    ['repairs', 'claude', ['Tell me more'], { status: 'repaired', liveStatus: 'valid', codes: 'MISSING_STEP_MARKER', liveCodes: '' }],
    [
      'finds less',
      'claude',
      ['a b c d\n\n<!-- STEP: what -->', 'a b'],
      { status: 'valid', liveStatus: 'unresolved', codes: '', liveCodes: 'MAX_WORDS' },
    ],
    [
      'judges what no contract holds',
      'open',
      ['This is all wrong'],
      { status: 'unresolved', liveStatus: 'unenforced', codes: 'MAX_WORDS, TEXT_FORBIDDEN', liveCodes: '' },
    ],
    ['cannot judge', 'down', ['one two'], { status: 'unresolved', liveStatus: 'valid', codes: 'MAX_WORDS', liveCodes: '' }],
    ['cannot judge the rest', 'down', ['one'], { status: 'unchecked', liveStatus: 'valid', codes: '', liveCodes: '' }],
  ] as const)('%s', async (_, model, answers, expected) => {
    shadowed.upstream.enqueue(...answers.map((text) => answering(text)))
    const reply = await ask(shadowed, api, { model, stream })
    expect(await verdictIn(shadowed, reply)).toEqual({ contract: expect.any(String), ...expected })
  })
})

const toolCalls = [{ id: 'c', name: 'f', arguments: '{}' }]

test('the client gets the same bytes with and without a shadow contract', async () => {
  const words = fc.array(fc.constantFrom('a', 'wrong', 'ü👍', '\n\n', '<!-- STEP: what -->', '```'), { maxLength: 6 })
  const answer = fc.record({ text: words.map((all) => all.join(' ')), calls: fc.boolean(), cut: fc.boolean() })
  const model = fc.constantFrom('brief', 'claude', 'live', 'open', 'down', 'tagged', 'alone')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ways), model, fc.tuple(answer, answer), async ([api, way], name, answers) => {
      const replies = [shadowed, plain].map(async (gateway) => {
        const said = answers.map(({ text, calls, cut }) =>
          answering(text, { ...(calls && { toolCalls }), ...(cut && { finishReason: 'length' }) }),
        )
        let call = 0
        gateway.upstream.otherwise((exchange) => said[call++ % said.length]?.(exchange))
        const reply = await ask(gateway, api, { model: name, stream: way === 'streamed', headers: { 'x-request-id': 'the-same' } })
        return { status: reply.status, headers: [...reply.headers].filter(([header]) => header !== 'date'), body: reply.body }
      })
      const [one, other] = await Promise.all(replies)
      expect(one).toEqual(other)
    }),
    { numRuns: 60 },
  )
})

test('an answer that was stopped is unchecked, because nobody knows its rest', async () => {
  shadowed.upstream.enqueue(answering('one two three four five six seven'), answering('Better'))
  const reply = await ask(shadowed, 'chat', { model: 'live', stream: true })
  const record = await recordOf(shadowed, reply)
  expect(record.attempts).toMatchObject([{ stoppedAt: expect.any(Number) }, {}])
  expect(await verdictIn(shadowed, reply)).toMatchObject({ status: 'unchecked', liveStatus: 'unresolved', codes: '', liveCodes: '' })
})

test('each of several choices has its verdict', async () => {
  shadowed.upstream.enqueue(answering('All is wrong', { more: ['All is well'] }))
  const reply = await ask(shadowed, 'chat', { model: 'brief', fields: { n: 2 } })
  expect(reply.status).toBe(200)
  await expect
    .poll(async () => {
      const { items } = (await (await shadowed.get('/api/v1/runs?limit=2')).json()) as { items: RunRecord[] }
      return items.map(({ choice, shadow }) => [choice, shadow?.status])
    })
    .toEqual([
      [1, 'valid'],
      [0, 'unresolved'],
    ])
})

test('what is exempt from the contract is exempt from its shadow, and conditions hold for both', async () => {
  shadowed.upstream.enqueue(answering('wrong'), answering('wrong'), answering('wrong'))
  const exempt = await ask(shadowed, 'chat', { model: 'open', headers: { 'x-stickler-task': 'title_generation' } })
  const other = await ask(shadowed, 'chat', { model: 'tagged' })
  const tagged = await ask(shadowed, 'chat', { model: 'tagged', headers: { 'x-stickler-tags': 'internal' } })
  expect(await verdictIn(shadowed, tagged)).toMatchObject({ status: 'unresolved', codes: 'TEXT_FORBIDDEN' })
  expect(await verdictIn(shadowed, other)).toMatchObject({ status: 'valid', codes: '' })
  expect((await recordOf(shadowed, exempt)).shadow).toBeUndefined()
})

test('a call without an answer has no verdict', async () => {
  shadowed.upstream.enqueue(answeringBody({ error: { message: 'down' } }, { status: 500 }))
  const reply = await ask(shadowed, 'chat', { model: 'brief' })
  shadowed.upstream.enqueue(answering('All is well'))
  await verdictIn(shadowed, await ask(shadowed, 'chat', { model: 'brief' }))
  expect((await recordOf(shadowed, reply)).shadow).toBeUndefined()
})

test('verdicts are counted by both statuses, and differences are logged without a word of the answer', async () => {
  shadowed.upstream.enqueue(answering('hush wrong'))
  await verdictIn(shadowed, await ask(shadowed, 'chat', { model: 'brief' }))
  const metrics = await (await shadowed.get('/metrics')).text()
  expect(metrics).toMatch(
    /stickler_shadow_verdicts_total\{contract="brief",shadow_contract="stricter",status="valid",shadow_status="unresolved"\} [1-9]/,
  )
  const line = shadowed.logLines.findLast((one) => one.includes('shadow contract')) ?? ''
  expect(JSON.parse(line)).toMatchObject({
    event: 'shadow',
    contract: 'brief',
    verdict: 'valid',
    shadow: 'stricter',
    shadowVerdict: 'unresolved',
    codes: 'TEXT_FORBIDDEN',
  })
  expect(shadowed.logLines.join()).not.toContain('hush')
})

test('a shadow contract that hangs delays neither replies nor the end of the gateway', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  const yaml = routes((name) => `, shadow: ${name}`)
    .replace('127.0.0.1:1/', `127.0.0.1:${port}/`)
    .replace('timeoutMs: 500', 'timeoutMs: 60000')
  const gateway = await startTestGateway({ yaml })
  try {
    for (const api of apiNames) {
      for (let count = 0; count < 30; count++) {
        gateway.upstream.enqueue(answering('one'))
        expect((await ask(gateway, api, { model: 'down' })).status).toBe(200)
      }
    }
    expect(await (await gateway.get('/metrics')).text()).toMatch(/stickler_shadow_dropped_total\{shadow_contract="down"\} [1-9]/)
  } finally {
    await gateway.close(2000)
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})
