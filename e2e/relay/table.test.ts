import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answeringBody, answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { differences } from './differences.ts'
import { mayWait, shrink } from './not-yet.ts'
import { comparable, requestText, send } from './raw.ts'
import { chatRecordings } from './recordings/chat.ts'
import { messagesRecordings } from './recordings/messages.ts'
import type { Api, Recording } from './recordings/recording.ts'
import { responsesRecordings } from './recordings/responses.ts'
import { relayYaml } from './relay-yaml.ts'
import { framed, replaying } from './replaying.ts'

// One test for each line of what a gateway was seen to change, over HTTP and without a client.
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: relayYaml })
})
afterAll(async () => {
  await gateway.close()
  shrink()
})

const all = [...chatRecordings, ...messagesRecordings, ...responsesRecordings]
const named = (api: Api, ...names: string[]) =>
  names.map((name) => all.find((one) => one.api === api && one.name === name) ?? missing(name))
function missing(name: string): never {
  throw new Error(`no recording is named ${name}`)
}
const modelOf = (api: Api, contract: string) => `${api === 'messages' ? 'anthropic' : 'openai'}-${contract}`
const chunk = (delta: object, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})

/** Whole and streamed, with and without a contract: both sides see what they would see of each other. */
async function unchanged(recordings: readonly Recording[]): Promise<void> {
  const found: string[] = []
  for (const recording of recordings)
    for (const stream of [false, true])
      for (const contract of ['plain', 'kept']) {
        if (recording.isCut && contract === 'kept') continue
        if ((stream ? recording.events : recording.whole) === undefined) continue
        const { api, request } = recording
        gateway.upstream.otherwise(replaying(recording))
        const body = requestText(api, modelOf(api, contract), stream, request)
        const seen: unknown[] = []
        for (const url of [gateway.upstream.url, gateway.url]) {
          const said = comparable(api, await send(url, api, body), contract === 'kept')
          // The gateway asks for the usage of chat streams, which budgets count.
          seen.push({ said, sent: { ...gateway.upstream.requests.at(-1)?.json, model: '', stream_options: {} } })
        }
        found.push(...differences(seen[0], seen[1]).map((one) => `${recording.name} ${stream ? 'streamed' : 'whole'} ${contract} ${one}`))
      }
  expect(found.join('\n')).toBe('')
}

async function asked(behaviour: Behaviour, { api = 'chat' as Api, model = 'openai-kept', stream = false, more = {} } = {}) {
  const before = gateway.upstream.requests.length
  gateway.upstream.otherwise(behaviour)
  const reply = await send(gateway.url, api, requestText(api, model, stream, more))
  return { ...reply, calls: gateway.upstream.requests.slice(before), json: reply.data.map((one) => JSON.parse(one)) }
}

const lines: Readonly<Record<string, () => Promise<void>>> = {
  'deltas of reasoning_details arrive as sent': () => unchanged(named('chat', 'reasoning')),
  'an empty function_call beside tool_calls is nothing': () => unchanged(named('chat', 'calls beside an empty function call')),
  'each token of logprobs arrives with its text': () => unchanged(named('chat', 'logprobs')),
  "total_tokens is the provider's on one attempt, the sum on several": async () => {
    await unchanged(named('chat', 'usage beside choices'))
    const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 334, prompt_tokens_details: { cached_tokens: 2 } }
    const said = (content: string) =>
      answeringBody({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage })
    gateway.upstream.enqueue(said('one two three four five six'))
    const { json } = await asked(said('one two'), { model: 'openai-brief' })
    expect(json[0]?.usage).toEqual({
      prompt_tokens: 20,
      completion_tokens: 8,
      total_tokens: 668,
      prompt_tokens_details: { cached_tokens: 4 },
    })
  },
  'fields that come late in a stream are kept': () => unchanged(named('chat', 'fields of other providers', 'documents with citations')),
  'usage is passed on as it comes, and not made up': async () => {
    await unchanged(named('chat', 'usage beside choices', 'usage in streams'))
    for (const model of ['openai-plain', 'openai-kept']) {
      const events = answeringEvents([chunk({ role: 'assistant', content: 'Hi.' }), chunk({}, { finish_reason: 'stop' })])
      const { json } = await asked(events, { model, stream: true, more: { stream_options: { include_usage: true } } })
      expect(json.map(({ usage }) => usage ?? undefined)).toEqual(json.map(() => undefined))
    }
  },
  'content as an array of thinking and text stays one': () => {
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]
    const whole = {
      choices: [
        { index: 0, message: { role: 'assistant', content: [...thinking, { type: 'text', text: 'Use spaces.' }] }, finish_reason: 'stop' },
      ],
    }
    const events = [
      chunk({ role: 'assistant', content: thinking }),
      chunk({ content: 'Use ' }),
      chunk({ content: 'spaces.' }),
      chunk({}, { finish_reason: 'stop' }),
    ]
    return unchanged([{ api: 'chat', name: 'thinking', whole, events }])
  },
  'custom tool calls keep id, name and input': () => unchanged(named('chat', 'custom tools')),
  'tools without a type are accepted': () =>
    unchanged(
      named('chat', 'tools').map((one) => ({ ...one, request: { tools: [{ function: { name: 'get_weather', parameters: {} } }] } })),
    ),
  'a stream labelled as JSON is read, and an error in it keeps its status': async () => {
    for (const model of ['openai-plain', 'openai-kept']) {
      const text = framed('chat', [JSON.stringify(chunk({ content: 'Hi.' })), JSON.stringify(chunk({}, { finish_reason: 'stop' }))])
      const labelled = await asked(answeringBody(text, { contentType: 'application/json' }), { model, stream: true })
      expect([labelled.status, labelled.json.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')]).toEqual([200, 'Hi.'])
      const failing = answeringEvents([{ error: { message: 'Bad request.', status_code: 400 } }])
      const failed = await asked(failing, { model, stream: true })
      expect([failed.status, failed.json.at(-1)?.error?.message]).toEqual([400, expect.stringContaining('Bad request.')])
    }
  },
  'audio alone and refusals are delivered as they are, for one call': async () => {
    await unchanged(named('chat', 'audio', 'refusal'))
    for (const name of ['audio', 'refusal']) {
      const { status, calls, headers } = await asked(replaying(named('chat', name)[0] ?? missing(name)))
      expect([name, status, calls.length]).toEqual([name, 200, 1])
      if (name === 'audio') expect(headers.get('x-stickler-status')).toBe('unchecked')
    }
  },
  'text blocks have citations only where the provider sent them': () => unchanged(named('messages', 'text', 'documents with citations')),
  'thinking with a signature alone, and content of the first event, are kept': () =>
    unchanged(named('messages', 'reasoning with a signature only', 'content in the first event')),
  'stop sequences, paused turns, failed results and system messages stay what they are': () =>
    unchanged(named('messages', 'stop sequences', 'server tools', 'results of tools', 'system messages in the middle')),
  'what only messages know passes as it is': () =>
    unchanged(
      named(
        'messages',
        'structured output',
        'tools',
        'results of tools',
        'context management',
        'documents with citations',
        'caching',
        'server tools',
        'servers of tools',
      ),
    ),
  'usage of messages keeps its details': () => unchanged(named('messages', 'caching')),
  'response_format reaches an Anthropic provider, or is refused by name': async () => {
    const [text] = named('messages', 'text')
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
    const response_format = { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } }
    const { status, calls, json } = await asked(replaying(text ?? missing('text')), { model: 'anthropic-plain', more: { response_format } })
    if (status === 400) expect(json[0]?.error?.message).toContain('response_format')
    else expect(calls[0]?.json).toMatchObject({ output_config: { format: { type: 'json_schema', schema } } })
  },
  'responses pass natively where the provider has them': () =>
    unchanged(responsesRecordings.filter(({ status, events, whole }) => status === undefined && events && whole)),
  'other ways in are passed on, and marked': async () => {
    const ways: readonly [string, string][] = [
      ['/v1/messages/count_tokens', 'anthropic-kept'],
      ['/v1/moderations', 'openai-kept'],
      ['/v1/images/generations', 'openai-kept'],
      ['/v1/audio/speech', 'openai-kept'],
    ]
    for (const [path, model] of ways) {
      gateway.upstream.otherwise(answeringBody({ input_tokens: 7, extra: [1] }))
      const response = await gateway.post(path, { model, input: 'x', messages: [{ role: 'user', content: 'x' }] })
      expect([path, response.status, await response.json()]).toEqual([path, 200, { input_tokens: 7, extra: [1] }])
      expect([path, gateway.upstream.requests.at(-1)?.path]).toEqual([path, path])
      expect([path, response.headers.get('x-stickler-status')]).toEqual([path, 'unenforced'])
    }
  },
}

describe('nothing is changed that need not be', () => {
  for (const [name, compare] of Object.entries(lines)) it(name, () => mayWait(`table: ${name}`, compare))
})
