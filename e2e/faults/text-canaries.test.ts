import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attributes, INVALID_SPAN_CONTEXT, type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { endingEarly, failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { testEngines } from '../../packages/gateway/src/testing/store-engines.ts'
import { temporaryFolder } from '../../packages/gateway/src/testing/store-fixtures.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, ways } from '../../packages/gateway/src/testing/wire.ts'

/** Stands for what a model, a prompt or a provider says; letters, so that it also fits where only names do. */
const canary = /canary/i

const contracts = `
contracts:
  shaped: { checks: [{ json: { schema: { type: object, properties: { city: { type: number } }, required: [zip], additionalProperties: false } } }], retries: 1 }
  brief: { checks: [{ max_words: { limit: 2 } }], retries: 1, stream: hold }
  marked: { checks: [step_marker], retries: 1 }
  grounded: { checks: [{ citations: { sources: 2 } }], retries: 1 }
  called: { checks: [tool_calls, phantom_tools], retries: 1 }
  decided: { checks: [adr_structure], retries: 0 }
  consulted: { preset: helix }
routes:
  - { model: shaped, upstream: up, contract: shaped }
  - { model: brief, upstream: up, contract: brief }
  - { model: marked, upstream: up, contract: marked }
  - { model: grounded, upstream: up, contract: grounded }
  - { model: called, upstream: up, contract: called }
  - { model: decided, upstream: up, contract: decided }
  - { model: consulted, upstream: up, contract: consulted }
  - { model: plain, upstream: up }
ask: { upstreams: [up] }
`
const models = ['shaped', 'brief', 'marked', 'grounded', 'called', 'decided', 'consulted', 'plain']
const yaml = (keepText: boolean) => `
log: { level: debug }
store: { urlEnv: STORE_URL, keepText: ${keepText} }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0, model: m, timeouts: { firstByte: 2, idle: 2, total: 10 } }]
${contracts}`

/** An answer whose names beside the text are worded by the provider. */
function worded(name: string): Behaviour {
  const { id, object, created } = { id: name, object: name, created: 1 }
  const top = { id, object, created, model: name, system_fingerprint: name, service_tier: name, provider: name }
  const message = { role: 'assistant', content: 'canary canary canary' }
  const whole = { ...top, choices: [{ index: 0, message, finish_reason: name, native_finish_reason: name }] }
  const event = { ...top, choices: [{ index: 0, delta: message, finish_reason: name, native_finish_reason: name }] }
  return (exchange) => (exchange.request.json?.stream === true ? answeringEvents([event]) : answeringBody(whole))(exchange)
}

const answers: readonly Behaviour[] = [
  answering('{"canaryKey": "canary value", "city": "canary city", "zip": {"canary": [1]}}'),
  answering('{"city": 7, "canary": "cut off, no longer a val'),
  answering('{"city": 7, "zip": 1, "canary": 1,}'),
  answering('The canary sings [^canary], [^99] and [canary].'),
  answering('Some canary words.\n\n<!-- STEP: canary -->'),
  answering('---\ncanary: 1\nstatus: canary\n---\n# Canary\n\n## Canary section\n'),
  answering('{"name": "canary_tool", "arguments": {"canary": 1}}'),
  answering('I call `canary_tool(canary=1)` for you: <tool_call>{"name": "canary_tool", "arguments": {}}</tool_call>'),
  answering('', { toolCalls: [{ id: 'c1', name: 'canary_tool', arguments: '{"canaryArgument": "canary"}' }] }),
  answering('', { toolCalls: [{ id: 'c1', name: 'look_up', arguments: '{"canaryArgument": "canary", "term": 7, "canary"' }] }),
  answering('canary canary canary', { finishReason: 'length' }),
  answering('canary canary canary', { finishReason: 'the canary stopped singing' }),
  answering('canary canary canary', { finishReason: 'canary' }),
  worded('the canary model'),
  worded('canary-model'),
  worded('Canary_7'),
  failing(400, {}, 'Invalid prompt: "canary question"'),
  failing(500, {}, 'canary question made us fail'),
  answeringBody('<html>canary</html>', { contentType: 'text/html' }),
  answeringBody({ error: { message: 'canary question' } }),
  endingEarly('canary words that never end', 3),
]

const tools = [
  {
    type: 'function',
    function: {
      name: 'look_up',
      description: 'canary description',
      parameters: {
        type: 'object',
        properties: { term: { type: 'string' }, canaryParameter: { type: 'string' } },
        required: ['canaryParameter'],
      },
    },
  },
]

/** Records the spans of everything in this process. */
function watchSpans(): unknown[] {
  const told: unknown[] = []
  const startSpan = (name: string, options: SpanOptions = {}): Span => {
    told.push(name, options)
    const span = trace.wrapSpanContext({ ...INVALID_SPAN_CONTEXT })
    const take = (...values: unknown[]): Span => {
      told.push(...values)
      return span
    }
    return Object.assign(span, {
      isRecording: () => true,
      setAttribute: take,
      setAttributes: (more: Attributes) => take(more),
      addEvent: take,
      setStatus: take,
      recordException: take,
      updateName: take,
      end: () => undefined,
    })
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer })
  onTestFinished(() => trace.disable())
  return told
}

async function rowsOf(url: string): Promise<string> {
  if (!url.startsWith('postgres')) return ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select table_name as name from information_schema.tables where table_schema = 'public'`)
  let all = ''
  for (const { name } of rows) all += JSON.stringify((await client.query(`select * from "${name}"`)).rows)
  await client.end()
  return all
}

/** Asks with every answer in every way, and gives what can be seen of it afterwards, by place. */
async function play(
  gateway: TestGateway,
  url: string,
  spans: readonly unknown[],
  some: readonly Behaviour[],
): Promise<Readonly<Record<string, string>>> {
  const live = (await gateway.get('/api/v1/live?cursor=0')).body?.getReader()
  let asked = 0
  for (const [number, behaviour] of some.entries()) {
    gateway.upstream.otherwise(behaviour)
    await gateway.reload(gateway.config)
    for (const [index, [api, how]] of ways.entries()) {
      const chosen = models.filter((_, place) => index === 0 || place === (number + index) % models.length)
      await Promise.all(
        chosen.map((model) => {
          const fields = api === 'chat' ? { tools, user: 'a-user' } : {}
          return ask(gateway, api, { model, stream: how === 'streamed', prompt: 'canary question?', system: 'canary system', fields })
        }),
      )
      asked += chosen.length
    }
    const question = { question: 'canary question?', sources: [{ urn: 'urn:a', payload: 'canary source' }] }
    await (await gateway.post('/ask', question)).text()
    for (const text of ['{"canaryKey": 1}', 'canary [^canary]'])
      await gateway.post('/v1/check', { contract: 'shaped', text, question: 'canary?', tools, context: { canary: 1 } })
    asked += 3
  }
  type Listed = { readonly items: readonly { readonly id: string }[]; readonly next?: string }
  const listed: { readonly id: string }[] = []
  await expect
    .poll(
      async () => {
        listed.length = 0
        let page: Listed | undefined
        do {
          page = (await (await gateway.get(`/api/v1/runs?limit=200&cursor=${page?.next ?? ''}`)).json()) as Listed
          listed.push(...page.items)
        } while (page.next !== undefined)
        return listed.length
      },
      { timeout: 20_000 },
    )
    .toBe(asked)
  const runs: string[] = []
  for (const { id } of listed) runs.push(await (await gateway.get(`/api/v1/runs/${id}`)).text())
  let events = ''
  while (live !== undefined && events.length < 10_000) events += Buffer.from((await live.read()).value ?? []).toString()
  await live?.cancel()
  return {
    list: JSON.stringify(listed),
    runs: runs.join('\n'),
    live: events,
    audit: await (await gateway.get('/api/v1/audit?limit=200')).text(),
    csv: await (await gateway.get('/api/v1/runs.csv?limit=50000')).text(),
    stats: await (await gateway.get('/api/v1/stats')).text(),
    summary: await (await gateway.get('/api/v1/summary')).text(),
    metrics: await (await gateway.get('/metrics')).text(),
    log: gateway.logLines.join('\n'),
    spans: JSON.stringify(spans),
    files: readdirSync(gateway.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n'),
    rows: await rowsOf(url),
  }
}

describe.each(testEngines())('words of models, prompts and providers on $name', (engine) => {
  beforeAll(() => engine.start())
  afterAll(() => engine.stop())

  const playOn = async (keepText: boolean): Promise<Readonly<Record<string, string>>> => {
    const folder = temporaryFolder((remove) => onTestFinished(remove))
    const database = await engine.newDatabase(folder)
    const spans = watchSpans()
    const gateway = await startTestGateway({ yaml: yaml(keepText), env: { STORE_URL: database.url }, folder })
    try {
      // A database of its own says no more about words of models than a file does.
      const some = keepText || engine.name === 'postgres' ? answers.filter((_, index) => index % 4 === 0) : answers
      return await play(gateway, database.url, spans, some)
    } finally {
      await gateway.close()
      await database.close()
    }
  }

  test('are nowhere without keepText, and what was found still is', { timeout: 120_000 }, async () => {
    const seen = await playOn(false)
    const found = Object.entries(seen).flatMap(([place, text]) => {
      const at = text.search(canary)
      return at < 0 ? [] : [`${place}: ${text.slice(Math.max(0, at - 150), at + 50)}`]
    })
    expect(found).toEqual([])
    expect(seen.spans).toContain('stickler.decision')
    expect(seen.log).toContain('"level":"debug"')
    for (const code of ['MAX_WORDS', 'UNKNOWN_TOOL']) expect(seen.runs).toContain(code)
    // Names of the contract stay, others do not.
    expect(seen.runs).toContain('"path":["city"]')
    expect(seen.runs).toContain('"path":["*"]')
    expect(seen.runs).toContain('The answer has more words than')
  })

  test('stay with keepText', { timeout: 120_000 }, async () => {
    const { runs = '', files = '', rows = '', log, metrics, spans } = await playOn(true)
    for (const words of ['canary city', 'canary question?', 'canaryKey']) {
      expect(runs).toContain(words)
      expect(files + rows).toContain(words)
    }
    for (const text of [metrics, spans]) expect(text).not.toMatch(canary)
    // Only what a provider says of a call that failed.
    for (const line of log?.split('\n') ?? []) if (!line.includes('"an upstream call failed"')) expect(line).not.toMatch(canary)
    expect(log).toContain('canary question')
  })
})
