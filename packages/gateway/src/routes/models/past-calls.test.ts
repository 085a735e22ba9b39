import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat] }
  - { name: own, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  diagnosis: { preset: techtime, strict: true, retries: 0 }
  careful:
    retries: 0
    checks:
      - tool_sequence: { scope: question, strict: true, requires: { reboot: [backup] }, never: [format], at_most: { ping_gateway: 2 }, failure: ^Traceback }
routes:
  - { model: diagnosis, upstream: up, contract: diagnosis }
  - { model: careful, upstream: up, contract: careful }
  - { model: own, upstream: own, contract: careful }
`
type Json = Readonly<Record<string, unknown>>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** What the user or the model says, or a call with its result. */
type Turn = string | { readonly say: string } | { readonly call: string; readonly result?: string; readonly failed?: true }

const noParameters = { type: 'object', properties: {} }
const names = ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns', 'test_dns_resolution', 'backup', 'reboot', 'format']

/** A conversation in the words of an API, with the tools that are offered. */
const conversations: Readonly<Record<ApiName, (turns: readonly Turn[]) => Json>> = {
  chat: (turns) => ({
    tools: names.map((name) => ({ type: 'function', function: { name, parameters: noParameters } })),
    messages: turns.flatMap((turn, at): Json[] => {
      if (typeof turn === 'string') return [{ role: 'user', content: turn }]
      if ('say' in turn) return [{ role: 'assistant', content: turn.say }]
      const call = { id: `c${at}`, type: 'function', function: { name: turn.call, arguments: '{}' } }
      const result = { role: 'tool', tool_call_id: `c${at}`, content: turn.result ?? 'ok', ...(turn.failed ? { status: 'error' } : {}) }
      return [{ role: 'assistant', content: null, tool_calls: [call] }, result]
    }),
  }),
  messages: (turns) => ({
    tools: names.map((name) => ({ name, input_schema: noParameters })),
    messages: turns.flatMap((turn, at): Json[] => {
      if (typeof turn === 'string') return [{ role: 'user', content: [{ type: 'text', text: turn }] }]
      if ('say' in turn) return [{ role: 'assistant', content: turn.say }]
      const call = { type: 'tool_use', id: `c${at}`, name: turn.call, input: {} }
      const result = {
        type: 'tool_result',
        tool_use_id: `c${at}`,
        content: turn.result ?? 'ok',
        ...(turn.failed ? { is_error: true } : {}),
      }
      return [
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result] },
      ]
    }),
  }),
  responses: (turns) => ({
    tools: names.map((name) => ({ type: 'function', name, parameters: noParameters })),
    input: turns.flatMap((turn, at): Json[] => {
      if (typeof turn === 'string') return [{ role: 'user', content: [{ type: 'input_text', text: turn }] }]
      if ('say' in turn) return [{ role: 'assistant', content: [{ type: 'output_text', text: turn.say }] }]
      const status = turn.failed ? { status: 'incomplete' } : {}
      return [
        { type: 'function_call', call_id: `c${at}`, name: turn.call, arguments: '{}' },
        { type: 'function_call_output', call_id: `c${at}`, output: turn.result ?? 'ok', ...status },
      ]
    }),
  }),
}

/** A model that calls a tool. */
function calling(name: string, stream: boolean) {
  const call = { id: 'next', type: 'function', function: { name, arguments: '{}' } }
  if (!stream)
    return answeringBody({
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
    })
  const chunk = (delta: Json, reason: string | null) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: reason }] })
  return answeringEvents([chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call }] }, null), chunk({}, 'tool_calls')])
}

const diagnosis: readonly Turn[] = names.slice(0, 5).map((call) => ({ call }))

describe.each(ways)('calls of the conversation, by %s, %s', (api, how) => {
  const stream = how === 'streamed'
  test.each<[what: string, model: string, turns: readonly Turn[], next: string, status: number]>([
    [
      'a second diagnosis starts over',
      'diagnosis',
      ['Kein Netz', ...diagnosis, { say: 'DNS.' }, 'Noch einmal bitte'],
      'check_adapter_status',
      200,
    ],
    ['results are not words of the user', 'diagnosis', ['Kein Netz', { call: 'ping_dns' }], 'get_ip_config', 422],
    ['nor is white space', 'diagnosis', ['Kein Netz', { call: 'ping_dns' }, ' \n'], 'get_ip_config', 422],
    ['nor what the model says', 'diagnosis', ['No network', { call: 'ping_dns' }, { say: 'Next.' }], 'get_ip_config', 422],
    ['the second diagnosis has an order too', 'diagnosis', ['a', ...diagnosis, 'b', { call: 'ping_dns' }], 'get_ip_config', 422],
    ['what succeeded for another question counts', 'careful', ['a', { call: 'backup' }, { say: 'Done.' }, 'Reboot now'], 'reboot', 200],
    ['what was not called', 'careful', ['Reboot'], 'reboot', 422],
    ['a result with a flag', 'careful', ['a', { call: 'backup', result: 'disk full', failed: true }], 'reboot', 422],
    ['a result that reports an error', 'careful', ['a', { call: 'backup', result: '{"error": "disk full"}' }], 'reboot', 422],
    ['a result with a status', 'careful', ['a', { call: 'backup', result: '{"status": 503}' }], 'reboot', 422],
    ['a result that matches the pattern', 'careful', ['a', { call: 'backup', result: 'Traceback (most recent call last)' }], 'reboot', 422],
    ['a result without an error', 'careful', ['a', { call: 'backup', result: '{"error": 0, "errors": []}' }], 'reboot', 200],
    ['a second try', 'careful', ['a', { call: 'backup', failed: true }, { call: 'backup' }], 'reboot', 200],
    ['never', 'careful', ['a'], 'format', 422],
    [
      'at most so often, over all questions',
      'careful',
      ['a', { call: 'ping_gateway' }, 'b', { call: 'ping_gateway' }, 'c'],
      'ping_gateway',
      422,
    ],
    ['not more often yet', 'careful', ['a', { call: 'ping_gateway' }, 'b'], 'ping_gateway', 200],
  ])('%s', async (_what, model, turns, next, status) => {
    gateway.upstream.enqueue(calling(next, stream))
    const reply = await ask(gateway, api, { model, stream, fields: conversations[api](turns) })
    expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([status, status === 200 ? null : 'false'])
  })
})

describe('a conversation that only Responses can hold', () => {
  const custom = (output: string) => [
    { role: 'user', content: 'Go.' },
    { type: 'custom_tool_call', call_id: 'a', name: 'backup', input: 'x' },
    { type: 'custom_tool_call_output', call_id: 'a', output },
  ]
  test.each<[what: string, fields: Json, status: string]>([
    ['is read where it has calls of custom tools', { input: custom('done') }, 'valid'],
    ['is read with their errors', { input: custom('Error: disk full') }, 'unresolved'],
    ['is added to a transcript', { input: custom('Error: disk full'), stickler: { transcript: [{ name: 'backup', ok: true }] } }, 'valid'],
    ['is not known where the provider keeps it', { input: 'Reboot.', previous_response_id: 'resp_1' }, 'unchecked'],
    [
      'is not known where it is referred to',
      {
        input: [
          { role: 'user', content: 'Go.' },
          { type: 'item_reference', id: 'a' },
        ],
      },
      'unchecked',
    ],
  ])('%s', async (_what, fields, status) => {
    const call = { id: 'fc', type: 'function_call', call_id: 'n', name: 'reboot', arguments: '{}', status: 'completed' }
    gateway.upstream.enqueue(answeringBody({ id: 'r', object: 'response', status: 'completed', output: [call] }))
    const { tools } = conversations.responses([])
    const reply = await ask(gateway, 'responses', { model: 'own', fields: { tools, ...fields } })
    expect(verdictOf(reply)?.status).toBe(status)
  })
})
