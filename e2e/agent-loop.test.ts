import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../packages/gateway/src/testing/test-gateway.ts'

const names = ['check_adapter_status', 'get_ip_config', 'ping_gateway']
const parameters = { type: 'object' as const, properties: {} }
const tools = names.map((name) => ({ type: 'function' as const, function: { name, parameters } }))

/** What the model calls, one tool each turn: a turn is known by the results that it has seen. */
let plan: readonly string[] = []
const agent: Behaviour = (exchange) => {
  const { messages } = exchange.request.json as { messages: readonly { role: string; content: unknown }[] }
  const isResult = ({ role, content }: (typeof messages)[number]): boolean =>
    role === 'tool' || (Array.isArray(content) && content.some((part: { type?: string }) => part.type === 'tool_result'))
  const turn = messages.filter(isResult).length
  const name = plan[turn]
  // The last turn is the answer.
  if (name === undefined) return answering('{"cause": "no link"}')(exchange)
  return answering('', { toolCalls: [{ id: `call_${turn}`, name, arguments: '{}' }] })(exchange)
}

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  techtime: { preset: techtime, retries: 0 }
  report: { checks: [tool_calls, { json: { schema: { type: object, required: [cause] } } }], retries: 0 }
  reboot: { checks: [{ tool_sequence: { requires: { ping_gateway: [get_ip_config] } } }], retries: 0 }
routes:
  - { model: agent, upstream: up, contract: techtime }
  - { model: claude, upstream: claude, contract: techtime }
  - { model: report, upstream: up, contract: report }
  - { model: reboot, upstream: up, contract: reboot }
`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml, behaviour: agent })
})
afterAll(() => gateway.close())

interface Told {
  readonly stickler: { readonly status: string; readonly issues: readonly { readonly code: string; readonly message: string }[] }
}

/** A client that runs the agent to its end, and tells the codes of every turn; results after `failing` are errors. */
type Loop = (
  model: string,
  turns: number,
  more?: { readonly failing?: string; readonly expected?: readonly string[] },
) => Promise<string[][]>

const codesOf = (reply: unknown): string[] => (reply as Told).stickler.issues.map(({ code }) => code)
const extra = (expected: readonly string[] | undefined) => (expected === undefined ? {} : { stickler: { expected_sequence: expected } })

const openai: Loop = async (model, turns, { failing, expected } = {}) => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Why is the network down?' }]
  const codes: string[][] = []
  for (let turn = 0; turn < turns; turn++) {
    const reply = await client.chat.completions.create({ model, messages, tools, ...extra(expected) })
    codes.push(codesOf(reply))
    const message = reply.choices[0]?.message
    if (message === undefined) break
    messages.push(message)
    for (const call of message.tool_calls ?? [])
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: call.type === 'function' && call.function.name === failing ? 'Error: no link' : 'ok',
      })
  }
  return codes
}

const streamed: Loop = async (model, turns, { failing } = {}) => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Why is the network down?' }]
  const codes: string[][] = []
  for (let turn = 0; turn < turns; turn++) {
    const stream = client.chat.completions.stream({ model, messages, tools })
    for await (const chunk of stream) if ('stickler' in chunk) codes.push(codesOf(chunk))
    const message = (await stream.finalChatCompletion()).choices[0]?.message
    if (message === undefined) break
    messages.push(message)
    for (const call of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: call.id, content: call.function.name === failing ? '{"ok": false}' : 'ok' })
  }
  return codes
}

const responses: Loop = async (model, turns, { failing, expected } = {}) => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Why is the network down?' }]
  const codes: string[][] = []
  for (let turn = 0; turn < turns; turn++) {
    const offered = names.map((name) => ({ type: 'function' as const, name, parameters, strict: false }))
    const reply = await client.responses.create({ model, input, tools: offered, ...extra(expected) })
    codes.push(codesOf(reply))
    for (const item of reply.output) {
      if (item.type !== 'function_call') continue
      const output = item.name === failing ? '{"error": "no link"}' : 'ok'
      input.push(item, { type: 'function_call_output', call_id: item.call_id, output })
    }
  }
  return codes
}

const anthropic: Loop = async (model, turns, { failing, expected } = {}) => {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: 'none', maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Why is the network down?' }]
  const codes: string[][] = []
  for (let turn = 0; turn < turns; turn++) {
    const offered = names.map((name) => ({ name, input_schema: parameters }))
    const reply = await client.messages.create({ model, max_tokens: 100, messages, tools: offered, ...extra(expected) })
    codes.push(codesOf(reply))
    messages.push({ role: 'assistant', content: reply.content })
    const results = reply.content.filter((block) => block.type === 'tool_use')
    if (results.length === 0) break
    messages.push({
      role: 'user',
      content: results.map(({ id, name }) => ({ type: 'tool_result', tool_use_id: id, content: 'link', is_error: name === failing })),
    })
  }
  return codes
}

async function newestRun(): Promise<string> {
  const { items } = (await (await gateway.get('/api/v1/runs?limit=1')).json()) as { items: readonly { id: string }[] }
  return (await gateway.get(`/api/v1/runs/${items[0]?.id}`)).text()
}

const loops: [string, string, Loop][] = [
  ['openai', 'agent', openai],
  ['openai, streamed', 'agent', streamed],
  ['openai responses', 'agent', responses],
  ['@anthropic-ai/sdk', 'agent', anthropic],
  ['@anthropic-ai/sdk with an Anthropic upstream', 'claude', anthropic],
]

describe.each(loops)('an agent that makes one call each turn, with %s', (_client, model, loop) => {
  test('in order', async () => {
    plan = names
    expect(await loop(model, 3)).toEqual([[], [], []])
  })

  test('in the wrong order', async () => {
    plan = ['ping_gateway', 'ping_gateway', 'check_adapter_status']
    expect(await loop(model, 3)).toEqual([[], [], ['OUT_OF_ORDER']])
    // The record is written behind the answer.
    await expect.poll(newestRun).toContain('OUT_OF_ORDER')
  })
})

test.each(loops.filter(([, model]) => model === 'agent'))(
  'an agent that calls tools before its JSON answer, with %s',
  async (_client, _model, loop) => {
    plan = ['get_ip_config', 'ping_gateway']
    expect(await loop('report', 3)).toEqual([[], [], []])
  },
)

describe.each(loops.filter(([, model]) => model === 'agent'))('what a tool needs, with %s', (_client, _model, loop) => {
  test.each<[string | undefined, string[][]]>([
    [undefined, [[], []]],
    ['get_ip_config', [[], ['OUT_OF_ORDER']]],
  ])('when %s fails', async (failing, expected) => {
    plan = ['get_ip_config', 'ping_gateway']
    expect(await loop('reboot', 2, failing === undefined ? {} : { failing })).toEqual(expected)
  })
})

describe.each(loops.filter(([client]) => !client.includes('streamed')))('what is expected, with %s', (_client, model, loop) => {
  test('the expected calls are fine as far as they go, another one is not', async () => {
    plan = names
    const expected = [names[0] ?? '', names[2] ?? '']
    expect((await loop(model, 2, { expected })).map((codes) => codes.length > 0)).toEqual([false, true])
  })
})

test.each([
  [{ transcript: [{ name: 'ping_gateway', ok: true }] }, 200],
  [{ context: { transcript: [{ name: 'ping_gateway', ok: true }] } }, 200],
  [{ transcript: 'ping_gateway' }, 400],
  [{ context: { expected_sequence: 'ping_gateway' } }, 400],
])('a client may tell the transcript itself: %j', async (stickler, status) => {
  plan = ['check_adapter_status']
  const response = await gateway.post('/v1/chat/completions', {
    model: 'agent',
    messages: [{ role: 'user', content: 'Go.' }],
    tools,
    stickler,
  })
  expect(response.status).toBe(status)
  if (status === 200) expect(codesOf(await response.json())).toEqual(['OUT_OF_ORDER'])
})
