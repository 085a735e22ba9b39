import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryTypes } from '@stickler/ask/internal'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AskedReply, type AskGateway, startAskGateway, usualSources } from '../../testing/ask-gateway.ts'
import { type Behaviour, closedPort } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing, silence } from '../../testing/programmable-upstream-faults.ts'
import { fillIndex, told } from './testing/ask-index.ts'

const question = 'How is a hash made with encodeSHA256?'
const good = 'Like this:\n\n```avap\naddVar(a, 1)\n```'
const bad = 'Like this:\n\n```avap\ngetSHA256(a)\n```'

let folder: string
/** With an index; with nothing that works but the model; without a pipeline; with models that prepare; with a small budget; with narrow limits. */
let full: AskGateway
let down: AskGateway
let plain: AskGateway
let helped: AskGateway
let poor: AskGateway
let tight: AskGateway

const asking = 'upstreams: [first, second], cache: { ttl: 5m }, limits: { completionTokens: 200, timeMs: 20000, dailyCostUsd: 1000 }'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-ask-'))
  const index = join(folder, 'index.db')
  await fillIndex(index)
  const gone = new URL(await closedPort()).port
  full = await startAskGateway(`{ ${asking}, pipeline: avap }`, { yaml: `retrieval: { index: "${index}" }\nparser: local\n` })
  down = await startAskGateway(`{ ${asking}, pipeline: avap }`, {
    yaml: `retrieval: { index: "postgres://127.0.0.1:${gone}/none" }\nparser: "grpc://127.0.0.1:${gone}"\n`,
  })
  plain = await startAskGateway(`{ ${asking} }`)
  tight = await startAskGateway('{ upstreams: [first], limits: { timeMs: 400 }, pipeline: avap }', {
    yaml: `retrieval: { index: "${index}" }\n`,
  })
  const models = 'classifier: { upstream: small }, relevance: { strategy: llm, upstream: small }'
  const empty = `retrieval: { index: "${join(folder, 'empty.db')}", ${models} }\n`
  helped = await startAskGateway(`{ ${asking}, pipeline: avap }`, { yaml: empty })
  poor = await startAskGateway(`{ ${asking}, pipeline: avap }`, { yaml: `${empty}server: { port: 0, perKey: { tokensPerDay: 30000 } }\n` })
})
afterAll(async () => {
  await Promise.all([full, down, plain, helped, poor, tight].map((one) => one?.close()))
  await rm(folder, { recursive: true, force: true })
})

/** Asks without sources of its own. */
const ask = (gateway: AskGateway, body: object = {}, headers = {}): Promise<AskedReply> =>
  gateway.ask({ question, sources: undefined, ...body }, headers)

const countOf = async (gateway: AskGateway): Promise<number> => (await gateway.audit()).length

/** The rows of the audit once there is one more: rows are safe before the reply, and can be read soon after it. */
async function oneMore(gateway: AskGateway, before: number): Promise<Awaited<ReturnType<AskGateway['audit']>>> {
  await expect.poll(() => countOf(gateway), { timeout: 10_000 }).toBeGreaterThan(before)
  const rows = await gateway.audit()
  expect(rows.length).toBe(before + 1)
  return rows
}

/** What was recorded of a reply. */
async function runOf(gateway: AskGateway, { headers }: AskedReply): Promise<Readonly<Record<string, unknown>>> {
  const found = async (): Promise<string | undefined> => {
    const { items } = (await (await gateway.gateway.get('/api/v1/runs?limit=5')).json()) as { items: { id: string; requestId: string }[] }
    return items.find(({ requestId }) => requestId === headers.get('x-request-id'))?.id
  }
  await expect.poll(found, { timeout: 10_000 }).toBeDefined()
  return (await (await gateway.gateway.get(`/api/v1/runs/${await found()}`)).json()) as Record<string, unknown>
}

const pathOf = ({ pipeline }: Readonly<Record<string, unknown>>): string =>
  ((pipeline ?? []) as { node: string }[]).map(({ node }) => node).join(' ')

interface Row {
  readonly name: string
  readonly on: () => AskGateway
  readonly body?: object
  readonly answers: readonly string[]
  readonly envelope: object
  readonly nodes: string
  readonly contract: string
  readonly status?: string
  readonly warnings?: readonly string[]
}

const rows: readonly Row[] = [
  {
    name: 'is answered from the index',
    on: () => full,
    answers: ['With encodeSHA256[^1].'],
    envelope: { type: 'RETRIEVAL', context_relevant: true, reformulations: 0, validation_status: '', citations: [{ urn: 'hashes.md#L1' }] },
    nodes: 'classify reformulate retrieve check_context_relevance generate',
    contract: 'avap.RETRIEVAL',
  },
  {
    name: 'is delivered with wrong citations, and says so',
    on: () => full,
    answers: ['Wrong[^9].', 'Wrong[^8].'],
    envelope: { validation_status: 'INVALID_UNRESOLVED', retry_count: 1, validation: { ok: false, errors: [{ kind: 'out_of_range' }] } },
    nodes: 'classify reformulate retrieve check_context_relevance generate',
    contract: 'avap.RETRIEVAL',
    status: 'unresolved',
    warnings: ['out_of_range'],
  },
  {
    name: 'has its code parsed, and corrected',
    on: () => full,
    body: { type: 'CODE_GENERATION' },
    answers: [bad, good],
    envelope: { type: 'CODE_GENERATION', context_relevant: null, validation_status: '', retry_count: 1 },
    nodes: 'classify reformulate retrieve generate_code validate_code generate_code_retry validate_code',
    contract: 'avap.CODE_GENERATION',
  },
  {
    name: 'is answered from given sources',
    on: () => full,
    body: { type: 'RETRIEVAL', sources: usualSources },
    answers: ['Green[^1].'],
    envelope: { type: 'RETRIEVAL', sources_flat: usualSources },
    nodes: 'classify generate',
    contract: 'avap.RETRIEVAL',
  },
  {
    name: 'is answered without sources while the index is down',
    on: () => down,
    answers: ['I have no sources.'],
    envelope: { type: 'RETRIEVAL', sources_flat: [], validation_status: '', validation: { ok: true } },
    nodes: 'classify reformulate retrieve generate',
    contract: 'avap.RETRIEVAL',
    warnings: ['retrieval_unavailable'],
  },
  {
    name: 'is answered with code that nobody has parsed, and says so',
    on: () => down,
    body: { type: 'CODE_GENERATION' },
    answers: [bad],
    envelope: { validation_status: 'PARSER_UNAVAILABLE', retry_count: 0, validation: { ok: true } },
    nodes: 'classify reformulate retrieve generate_code validate_code',
    contract: 'avap.CODE_GENERATION',
    status: 'unchecked',
    warnings: ['unchecked', 'retrieval_unavailable'],
  },
  {
    name: 'is talk',
    on: () => down,
    body: { type: 'CONVERSATIONAL' },
    answers: ['You are welcome.'],
    envelope: { type: 'CONVERSATIONAL', validation: { ok: true, warnings: [] } },
    nodes: 'classify respond_conversational',
    contract: 'avap.CONVERSATIONAL',
  },
]

describe.each(['whole', 'streamed'] as const)('a question through the pipeline, %s', (way) => {
  test.each(rows)('$name', async ({ on, body = {}, answers, envelope, nodes, contract, status = 'valid', warnings = [] }) => {
    const gateway = on()
    const before = await countOf(gateway)
    gateway.upstream.enqueue(...answers.map((text) => answering(text, { usage: { prompt: 100, completion: 10 } })))
    const reply = await ask(gateway, { ...body, stream: way === 'streamed' })
    expect([reply.status, reply.calls.length]).toEqual([200, answers.length])
    const [row] = await oneMore(gateway, before)
    const run = await runOf(gateway, reply)
    if (way === 'whole') {
      const given = JSON.parse(reply.text) as { validation: { warnings: { kind: string }[] }; validation_status: string }
      expect(given).toMatchObject(envelope)
      expect(Object.keys(given)).toEqual([...Object.keys(given)].sort())
      expect(given.validation.warnings.map(({ kind }) => kind)).toEqual(warnings)
      expect(reply.headers.get('x-stickler-validation-status') ?? '').toBe(given.validation_status)
      expect([reply.headers.get('x-stickler-status'), reply.headers.get('x-stickler-contract')]).toEqual([status, contract])
    } else {
      const { events, last, text } = told(reply.text)
      expect(events.join(' ')).toMatch(/^sources( answer_token)+ validation$/)
      expect(text).not.toContain(status === 'valid' ? 'getSHA256' : 'nothing')
      const { validation = {}, ...rest } = envelope as Record<string, object>
      const { citations: _citations, sources_flat: _sources, ...audited } = rest
      expect(last).toMatchObject({ ...validation, audit: audited })
    }
    expect(run).toMatchObject({ api: 'ask', contract, status, delivered: true, stream: way === 'streamed' })
    expect(pathOf(run)).toBe(nodes)
    expect(row).toMatchObject({ status, retry_count: answers.length - 1, pipeline: { nodes: nodes.split(' ') } })
  })
})

test('every response without a verdict on its code is logged', async () => {
  const count = (): number =>
    down.gateway.logLines.filter((line) => line.includes('[ptvl] parser unavailable — returning unvalidated')).length
  const before = count()
  const questions = [{ type: 'CODE_GENERATION' }, { type: 'CODE_GENERATION', stream: true }, { type: 'RETRIEVAL' }]
  for (const body of questions) {
    down.upstream.enqueue(answering(good))
    expect((await ask(down, { ...body, question: `Unparsed: ${JSON.stringify(body)}` })).status).toBe(200)
  }
  await expect.poll(count, { timeout: 10_000 }).toBe(before + questions.length)
})

describe('a request that is wrong', () => {
  const table: readonly (readonly [string, object, () => AskGateway, RegExp])[] = [
    ['a type without a pipeline', { type: 'RETRIEVAL' }, () => plain, /^type: needs a pipeline, and none is configured$/],
    [
      'a type that is close',
      { type: 'CODE_GENERATON' },
      () => full,
      /^type: unknown type \\?"CODE_GENERATON\\?"; did you mean \\?"CODE_GENERATION\\?"/,
    ],
    ['a type that is a list', { type: ['RETRIEVAL'] }, () => full, /^type: must be one of/],
    ['sources that are a text', { type: 'RETRIEVAL', sources: 'x' }, () => full, /^sources: must be a list/],
    ['sources without a urn', { type: 'RETRIEVAL', sources: [{ payload: 'x' }] }, () => full, /^sources\[0\]\.urn: must be a string/],
    [
      'sources for talk',
      { type: 'CONVERSATIONAL', sources: usualSources },
      () => full,
      /^sources: cannot be given with the type CONVERSATIONAL/,
    ],
    ['another field', { typ: 'RETRIEVAL' }, () => full, /^typ: unknown field "typ"; did you mean "type"\?$/],
    [
      'a field of the model APIs',
      { stickler: { sourcse: 2 } },
      () => full,
      /^stickler: unknown field "stickler"; known: question, .*, type$/,
    ],
  ]
  test.each(table)('%s', async (_name, body, on, error) => {
    for (const stream of [false, true]) {
      const before = await countOf(on())
      const { status, text, calls } = await ask(on(), { ...body, stream })
      expect(status).toBe(400)
      expect((JSON.parse(text) as { error: string }).error).toMatch(error)
      expect(calls).toEqual([])
      expect((await oneMore(on(), before))[0]).toMatchObject({ status: 'refused' })
    }
  })
})

test('bodies of any shape are never a 500, and each has its audit row', async () => {
  const odd = fc.constantFrom<unknown>(undefined, null, '', 0, true, [], {}, 'a', ['RETRIEVAL'], '\ud800', 'x'.repeat(3000))
  const body = fc.record(
    {
      question: fc.oneof(fc.constant(question), fc.string({ unit: 'binary' }), fc.constant('"OR" NEAR( * - ^'), odd),
      type: fc.oneof(fc.constantFrom(...queryTypes, 'retrieval'), odd),
      sources: fc.oneof(fc.constant(usualSources), fc.array(fc.record({ urn: odd, payload: odd }), { maxLength: 2 }), odd),
      stream: fc.constantFrom(true, false),
      strict: fc.constantFrom(true, false, 1),
      cache: fc.constantFrom(true, false, '5m', 'x'),
    },
    { requiredKeys: ['question'] },
  )
  full.upstream.otherwise(answering('Said[^1].'))
  const bodies = fc.sample(body, 60)
  const before = await countOf(full)
  const replies = await Promise.all(bodies.map((one, index) => full.gateway.post('/ask', one, { 'x-stickler-user': `odd-${index}` })))
  for (const [index, reply] of replies.entries()) {
    const text = await reply.text()
    expect([200, 400, 413, 422], JSON.stringify(bodies[index])).toContain(reply.status)
    if (reply.headers.get('content-type')?.includes('event-stream')) expect(told(text).events.at(-1)).toMatch(/^(validation|error)$/)
  }
  const users = async (): Promise<string[]> =>
    (await full.audit()).flatMap(({ user }) => (String(user).startsWith('odd-') ? [String(user)] : []))
  await expect.poll(async () => (await users()).length, { timeout: 10_000 }).toBe(bodies.length)
  expect(new Set(await users()).size).toBe(bodies.length)
  expect(await countOf(full)).toBe(before + bodies.length)
})

test('a question over sources and without a type has the same bytes with and without a pipeline', async () => {
  for (const answers of [['Green[^1].'], ['Green[^9].', 'Green[^2].'], ['Green[^9].', 'Green[^8].']]) {
    for (const body of [{}, { strict: false }, { stream: true }, { sources: [] }, { sources: undefined, question: ' ' }]) {
      const [one, two] = await Promise.all(
        [plain, full].map(async (gateway) => {
          gateway.upstream.otherwise((exchange) =>
            answering(answers[exchange.request.body.includes('previous answer') ? 1 : 0] ?? '')(exchange),
          )
          const { status, text, headers, calls } = await gateway.ask(body)
          const told = ['status', 'attempts', 'contract', 'validation-status'].map((name) => headers.get(`x-stickler-${name}`))
          return { status, text, told, type: headers.get('content-type'), calls: calls.map((call) => call.body) }
        }),
      )
      expect(two).toEqual(one)
    }
  }
})

test('the next provider answers when the first one fails, from the same passages', async () => {
  full.upstream.enqueue(failing(503), answering('With encodeSHA256[^1].'))
  const { text, calls } = await ask(full)
  expect(JSON.parse(text)).toMatchObject({ provider: 'groq', type: 'RETRIEVAL' })
  expect(calls[1]?.json?.messages).toEqual(calls[0]?.json?.messages)
  await expect
    .poll(async () => (await full.audit()).slice(0, 2).map(({ status, upstream }) => [status, upstream]))
    .toEqual([
      ['valid', 'second'],
      ['failed', 'first'],
    ])
})

test('a kept answer is given again without a model, and audited', async () => {
  full.upstream.enqueue(answering('Kept[^1].'))
  const body = { cache: '5m', question: `${question} Exactly?` }
  const [first, second] = [await ask(full, body), await ask(full, body)]
  expect([JSON.parse(first.text), first.calls.length]).toMatchObject([{ cache_hit: false }, 1])
  expect([JSON.parse(second.text), second.calls.length]).toMatchObject([{ answer: 'Kept[^1].', cache_hit: true, type: 'RETRIEVAL' }, 0])
  const typed = await ask(full, { ...body, type: 'CONVERSATIONAL' })
  expect(JSON.parse(typed.text)).toMatchObject({ cache_hit: false })
  await expect.poll(async () => (await full.audit())[1]).toMatchObject({ status: 'cached', pipeline: { type: 'RETRIEVAL' } })
})

test('a client that leaves is audited and recorded once, in whatever phase', async () => {
  full.upstream.otherwise(silence)
  for (const afterMs of [60, 200]) {
    for (const stream of [false, true]) {
      const before = await countOf(full)
      const controller = new AbortController()
      const response = full.gateway.post('/ask', { question: `${question} ${afterMs}`, stream }, {}, controller.signal)
      const read = response.then((one) => one.text()).catch(() => undefined)
      setTimeout(() => controller.abort(), afterMs)
      await read
      expect((await oneMore(full, before))[0]).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
    }
  }
  full.upstream.otherwise(answering('Hello.'))
})

describe('a limit that is passed', () => {
  const long = 'word '.repeat(3000)
  test.each<[string, number, object, Behaviour[], () => AskGateway]>([
    ['max_prompt_tokens', 413, { question: long.repeat(3) }, [], () => full],
    ['max_completion_tokens', 413, {}, [answering(long)], () => full],
    ['timeout_ms', 504, { type: 'CONVERSATIONAL' }, [silence], () => tight],
  ])('%s is a %d, streamed or not', async (limit, code, body, answers, on) => {
    for (const stream of [false, true]) {
      const before = await countOf(on())
      on().upstream.enqueue(...answers)
      const { status, text } = await ask(on(), { ...body, stream })
      const isEvent = stream && answers.length > 0
      expect(status).toBe(isEvent ? 200 : code)
      expect(isEvent ? told(text).last : JSON.parse(text)).toMatchObject(isEvent ? { code, limit } : { ok: false, limit })
      expect((await oneMore(on(), before))[0]).toMatchObject({ status: 'refused', limit })
    }
  })

  test('the cost of the day is a 413', async () => {
    down.upstream.enqueue(answering('Hello.', { usage: { prompt: 2_000_000_000, completion: 10 } }))
    await ask(down, { type: 'CONVERSATIONAL' })
    const { status, text, calls } = await ask(down, { type: 'CONVERSATIONAL' })
    expect([status, JSON.parse(text), calls.length]).toMatchObject([413, { limit: 'daily_cost_cap_usd' }, 0])
  })
})

describe('models that prepare', () => {
  const usage = { prompt: 100, completion: 10 }

  test('are asked, counted and recorded; an empty index is no error', async () => {
    helped.upstream.enqueue(answering('RETRIEVAL', { usage }), answering('I have no sources.', { usage }))
    const reply = await ask(helped)
    const { status, text, calls } = reply
    expect([status, calls.map(({ path }) => path.split('/')[1])]).toEqual([200, ['small', 'v1']])
    expect(JSON.parse(text)).toMatchObject({ type: 'RETRIEVAL', prompt_tokens: 200, sources_flat: [], reformulations: 1 })
    expect(await runOf(helped, reply)).toMatchObject({ usage: { promptTokens: 200 } })
  })

  test('that fail are done without, and said so', async () => {
    helped.upstream.enqueue(failing(500), answering('I have no sources.', { usage }))
    const { status, text } = await ask(helped)
    expect([status, JSON.parse(text)]).toMatchObject([200, { type: 'RETRIEVAL' }])
    expect(text).toContain('pipeline_degraded')
  })

  test('are part of what a budget must cover', async () => {
    const retrieving = await ask(poor)
    expect([retrieving.status, retrieving.calls.length]).toEqual([429, 0])
    expect((await ask(poor, { type: 'CONVERSATIONAL' })).status).toBe(200)
  })
})
