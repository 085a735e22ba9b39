import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { responseEvents } from '../../packages/core/src/apis/responses/testing/response-events.ts'
import { fakeClaude } from '../../packages/gateway/src/testing/fake-claude.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answeringBody, answering as answeringText } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { apis } from '../../packages/gateway/src/testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

type Json = Readonly<Record<string, unknown>>
type Api = keyof typeof apis

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer' } },
  required: ['city', 'days'],
}
const strict = {
  type: 'object',
  properties: { city: { description: '{minLength: 2}', type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
}
/** The gateway checks calls of tools too. */
const sentence = `Answer with one JSON value that matches the schema and nothing else.
Call only the tools that are offered, with one JSON object of arguments that matches the schema of the tool.`
const fenced = `This is the JSON Schema of the answer:\n\`\`\`json\n${JSON.stringify(schema)}\n\`\`\``
const told = `${sentence}\n\n${fenced}`
const toldAlone = `${sentence.split('\n')[0]}\n\n${fenced}`
const good = '{"city": "Ulm", "days": 2}'
const bad = 'No.'

/** Answers in the words of the API that was asked. */
const answering =
  (text: string): Behaviour =>
  (exchange) => {
    const { path, json } = exchange.request
    if (!path.endsWith('/responses')) return answeringText(text)(exchange)
    const events = responseEvents([{ text: [text] }])
    const { response } = JSON.parse(events.at(-1) ?? '')
    const stream = events.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join('')
    return json?.stream === true ? answeringBody(stream, { contentType: 'text/event-stream' })(exchange) : answeringBody(response)(exchange)
  }

/** The places where APIs take a schema. */
const native: Readonly<Record<Api, Json>> = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: strict, strict: true } } },
  responses: { text: { format: { type: 'json_schema', name: 'answer', schema: strict, strict: true } } },
  messages: { output_config: { format: { type: 'json_schema', schema: strict } } },
}

/** Upstreams by name: which API their provider is asked in, for a client of each API, and whether it takes a schema. */
const upstreams: readonly (readonly [name: string, asked: Readonly<Record<Api, Api>>, isNative: boolean])[] = [
  ['both', { chat: 'chat', responses: 'responses', messages: 'chat' }, true],
  ['ollama', { chat: 'chat', responses: 'chat', messages: 'chat' }, true],
  ['claude', { chat: 'messages', responses: 'messages', messages: 'messages' }, true],
  ['compatible', { chat: 'chat', responses: 'chat', messages: 'chat' }, false],
  ['compatible-both', { chat: 'chat', responses: 'responses', messages: 'chat' }, false],
  ['compatible-claude', { chat: 'messages', responses: 'messages', messages: 'messages' }, false],
]
const pairs = upstreams.flatMap(([upstream, asked, isNative]) =>
  (Object.keys(apis) as Api[]).map((api) => [api, upstream, asked[api], isNative] as const),
)

let folder: string
let claude: ReturnType<typeof fakeClaude>
let gateway: TestGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-claude-'))
  claude = fakeClaude(folder)
  const routes = [...upstreams.map(([name]) => name), 'cli'].flatMap((name) =>
    ['told', 'usual', 'silent', 'anew'].map((contract) => `  - { model: ${name}-${contract}, upstream: ${name}, contract: ${contract} }`),
  )
  const yaml = `
upstreams:
  - { name: both, kind: openai, baseUrl: $UP/v1, apis: [chat, responses], capabilities: { structuredOutput: true }, retries: 0 }
  - { name: ollama, kind: openai, baseUrl: $UP/v1, provider: ollama, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, capabilities: { structuredOutput: true }, retries: 0 }
  - { name: compatible, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: compatible-both, kind: openai, baseUrl: $UP/v1, apis: [chat, responses], retries: 0 }
  - { name: compatible-claude, kind: anthropic, baseUrl: $UP, retries: 0 }
  - { name: cli, kind: claude-cli, command: ${JSON.stringify(claude.command)} }
contracts:
  told: { checks: [{ json: { schema: ${JSON.stringify(schema)} } }], retries: 1, instruct: true }
  anew: { checks: [{ json: { schema: ${JSON.stringify(schema)} } }], retries: 1, instruct: true, askAgain: anew }
  usual: { checks: [{ json: { schema: ${JSON.stringify(schema)} } }], retries: 1 }
  silent: { checks: [{ json: { schema: ${JSON.stringify(schema)} } }], retries: 1, instruct: false }
routes:
${routes.join('\n')}
  - { model: switched, upstream: compatible, fallback: [claude], contract: told }
`
  gateway = await startTestGateway({ yaml })
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => gateway.upstream.otherwise(answering(good)))

async function ask(
  api: Api,
  model: string,
  more: { readonly stream?: boolean; readonly prompt?: string; readonly fields?: Json; readonly tools?: never[] } = {},
) {
  const from = gateway.upstream.requests.length
  const reply = await apis[api](gateway, { model, stream: false, ...more })
  expect(reply.text).toBe(good)
  return gateway.upstream.requests.slice(from).map(({ json }) => json ?? {})
}

/** What a request has in the places for schemas. */
const formatsIn = ({ response_format, text, output_config }: Json): Json =>
  JSON.parse(JSON.stringify({ response_format, text, output_config }))
const times = (request: Json): number => JSON.stringify(request).split('This is the JSON Schema of the answer').length - 1
/** What the provider is told beside the conversation. */
const rulesIn = ({ messages, instructions, system }: Json): unknown =>
  instructions ??
  system ??
  (messages as Json[] | undefined)
    ?.filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n')

describe.each([false, true])('streamed: %s', (stream) => {
  it.each(pairs)('%s through %s reaches the model as %s, natively: %s', async (api, upstream, asked, isNative) => {
    const [request = {}, ...others] = await ask(api, `${upstream}-told`, { stream })
    expect(others).toEqual([])
    expect(formatsIn(request)).toEqual(isNative ? native[asked] : {})
    expect(rulesIn(request)).toBe(isNative ? sentence : told)
  })

  it.each(pairs)('%s through %s by default, as %s, natively: %s: the schema, and no other rule', async (api, upstream, asked, isNative) => {
    const [request = {}] = await ask(api, `${upstream}-usual`, { stream })
    expect(formatsIn(request)).toEqual(isNative ? native[asked] : {})
    expect(rulesIn(request) ?? '').toBe(isNative ? '' : toldAlone)
  })

  it.each(pairs)('%s through %s: nothing with instruct: false, but in feedback', async (api, upstream) => {
    gateway.upstream.enqueue(answering(bad))
    const [request = {}, again = {}] = await ask(api, `${upstream}-silent`, { stream })
    expect(times(again)).toBe(1)
    expect(formatsIn(again)).toEqual({})
    expect(formatsIn(request)).toEqual({})
    expect(JSON.stringify(request)).not.toMatch(/schema/i)
  })

  it.each(pairs.flatMap((pair) => ['told', 'anew'].map((contract) => [...pair, contract] as const)))(
    '%s through %s, asked again as %s, natively: %s, %s: as before, once',
    async (api, upstream, asked, isNative, contract) => {
      gateway.upstream.enqueue(answering(bad))
      const requests = await ask(api, `${upstream}-${contract}`, { stream })
      expect(requests).toHaveLength(2)
      for (const request of requests) {
        expect(formatsIn(request)).toEqual(isNative ? native[asked] : {})
        expect(times(request)).toBe(isNative ? 0 : 1)
      }
    },
  )
})

describe("a client's own format", () => {
  const own = { type: 'object', properties: { city: { type: 'string' } } }
  const formats: Readonly<Record<Api, Json>> = {
    chat: { response_format: { type: 'json_schema', json_schema: { name: 'own', schema: own, strict: false } } },
    responses: { text: { format: { type: 'json_schema', name: 'own', schema: own, strict: false }, verbosity: 'low' } },
    messages: { output_config: { format: { type: 'json_schema', schema: own } } },
  }
  it.each(pairs)('%s through %s stays as it is, and alone', async (api, upstream, asked) => {
    const [request = {}] = await ask(api, `${upstream}-told`, { fields: formats[api] })
    if (api === asked) expect(formatsIn(request)).toEqual(formats[api])
    // The Messages API refuses objects that are open.
    const sent = asked === 'messages' && api !== asked ? { ...own, required: [], additionalProperties: false } : own
    expect(JSON.stringify(formatsIn(request))).toContain(JSON.stringify(sent))
    expect(JSON.stringify(request)).not.toContain('minLength')
    expect(rulesIn(request)).toBe(sentence)
  })
  it.each([
    ['chat', 'both', { response_format: { type: 'json_object' } }],
    ['chat', 'both', { response_format: { type: 'text' } }],
    ['responses', 'both', { text: { format: { type: 'text' } } }],
    ['responses', 'both', { text: { format: { type: 'json_object' } } }],
  ] as const)('without a schema, %s through %s %j: the prompt has it', async (api, upstream, fields) => {
    const [request = {}] = await ask(api, `${upstream}-told`, { fields })
    expect(formatsIn(request)).toEqual(fields)
    expect(rulesIn(request)).toBe(told)
  })
  it('that is null is none', async () => {
    const [request = {}] = await ask('chat', 'both-told', { fields: { response_format: null } })
    expect(formatsIn(request)).toEqual(native.chat)
  })
  it.each([
    ['responses', 'both', { text: { verbosity: 'low' } }, { text: { verbosity: 'low', ...(native.responses.text as Json) } }],
    [
      'messages',
      'claude',
      { output_config: { effort: 'low' } },
      { output_config: { effort: 'low', ...(native.messages.output_config as Json) } },
    ],
    ['chat', 'claude', { reasoning_effort: 'low' }, { output_config: { effort: 'low', ...(native.messages.output_config as Json) } }],
  ] as const)('%s through %s: other options stay beside it', async (api, upstream, fields, expected) => {
    const [request = {}] = await ask(api, `${upstream}-told`, { fields })
    expect(formatsIn(request)).toEqual(expected)
  })
})

const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }

describe('what providers may refuse beside a format', () => {
  it.each([
    ['chat', 'both', { tools: [tool] }],
    ['responses', 'both', { tools: [{ type: 'function', name: 'look', parameters: tool.function.parameters, strict: false }] }],
    ['messages', 'claude', { tools: [{ name: 'look', input_schema: tool.function.parameters }] }],
    ['chat', 'claude', { tools: [tool] }],
  ] as const)('%s through %s with tools: the prompt has the schema', async (api, upstream, fields) => {
    const [request = {}] = await ask(api, `${upstream}-told`, { fields })
    expect(formatsIn(request)).toEqual({})
    expect(rulesIn(request)).toBe(told)
  })
})

describe('other ways to a model', () => {
  it.each(Object.keys(apis) as Api[])('%s: a prompt that has the schema is not given it again', async (api) => {
    const [request = {}] = await ask(api, 'compatible-both-told', { prompt: `Plan by this: ${JSON.stringify(schema, null, 2)}` })
    expect(rulesIn(request)).toBe(sentence)
  })
  it('each upstream of a fail-over gets it in its own way', async () => {
    gateway.upstream.enqueue(failing(503))
    const [first = {}, second = {}] = await ask('chat', 'switched')
    expect([formatsIn(first), rulesIn(first)]).toEqual([{}, told])
    expect([formatsIn(second), rulesIn(second)]).toEqual([native.messages, sentence])
  })
  it('several choices share it', async () => {
    const from = gateway.upstream.requests.length
    await gateway.post('/v1/chat/completions', { model: 'claude-told', n: 2, messages: [{ role: 'user', content: 'Plan.' }] })
    const requests = gateway.upstream.requests.slice(from).map(({ json }) => json ?? {})
    expect(requests.map(formatsIn)).toEqual([native.messages, native.messages])
  })
  it('a command finds it in its prompt, and not again in the session', async () => {
    claude.play([
      { when: 'Plan', say: bad },
      { when: '', say: good },
    ])
    const reply = await apis.chat(gateway, { model: 'cli-told', stream: false, prompt: 'Plan.' })
    expect(reply.text).toBe(good)
    const inputs = claude.calls().map(({ input }) => input)
    expect(inputs.map((input) => times({ input }))).toEqual([1, 0])
    expect(inputs[0]).toContain(told)
  })
})
