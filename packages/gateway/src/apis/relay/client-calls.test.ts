import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, errorOf, verdictOf } from '../../testing/wire.ts'

// What a client runs is delivered only where its request offered it, with any contract.
const yaml = `
upstreams:
  - { name: model, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: claude, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  judged: { checks: [{ max_words: { limit: 50 } }, tool_calls], retries: 0 }
  brief: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
routes:
  - { model: judged, upstream: model, contract: judged }
  - { model: brief, upstream: model, contract: brief }
  - { model: claude, upstream: claude, contract: brief }
`

type Json = Readonly<Record<string, unknown>>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const action = { type: 'exec', command: ['CANARY'], env: {} }
const cases: readonly (readonly [tool: Json, item: Json])[] = [
  [{ type: 'local_shell' }, { type: 'local_shell_call', action }],
  [{ type: 'shell' }, { type: 'shell_call', action: { commands: ['CANARY'], timeout_ms: null, max_output_length: null } }],
  [{ type: 'apply_patch' }, { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'CANARY' } }],
  [{ type: 'computer_use_preview' }, { type: 'computer_call', action: { type: 'type', text: 'CANARY' }, pending_safety_checks: [] }],
  [
    { type: 'mcp', server_label: 'files', server_url: 'https://example.org/mcp' },
    { type: 'mcp_approval_request', server_label: 'files', name: 'remove', arguments: '{"path":"CANARY"}' },
  ],
  [
    { type: 'custom', name: 'run_code' },
    { type: 'custom_tool_call', name: 'run_code', input: 'CANARY' },
  ],
]
const others: readonly Json[] = [
  { type: 'function', name: 'shell', parameters: { type: 'object' } },
  { type: 'function', name: 'shell_call', parameters: { type: 'object' } },
  { type: 'mcp', server_label: 'mail', server_url: 'https://example.org/mail' },
  { type: 'web_search' },
]
const message = {
  type: 'message',
  id: 'msg',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Fine.', annotations: [] }],
}

const response = (output: readonly Json[], status = 'completed'): Json => ({ id: 'r', object: 'response', status, output })
const call = (item: Json): Json => ({ id: 'i', call_id: 'c', status: 'completed', ...item })

/** The ways in which a call may reach a client, each as what the provider sends. */
function ways(item: Json): Readonly<Record<string, Json | readonly Json[]>> {
  const made = call(item)
  const [created, added, done] = [
    { type: 'response.created', response: response([], 'in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: made },
    { type: 'response.output_item.done', output_index: 0, item: made },
  ]
  return {
    whole: response([made]),
    'beside text': response([message, made]),
    streamed: [created, added, done, { type: 'response.completed', response: response([made]) }],
    'streamed, without output at the end': [created, added, done, { type: 'response.completed', response: response([]) }],
    'streamed, not in the output at the end': [created, added, done, { type: 'response.completed', response: response([message]) }],
    'streamed, another one at the end': [
      created,
      added,
      done,
      { type: 'response.completed', response: response([{ ...made, call_id: 'd' }]) },
    ],
    'streamed, without a place': [
      created,
      { ...added, output_index: undefined },
      { type: 'response.completed', response: response([message]) },
    ],
    'streamed, another item in its place': [
      created,
      added,
      done,
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: response([message]) },
    ],
    'at the end alone': [created, { type: 'response.completed', response: response([made]) }],
  }
}

const asked = (model: string, given: Json | readonly Json[], fields: Json) => {
  gateway.upstream.otherwise(Array.isArray(given) ? answeringEvents(given) : answeringBody(given as Json))
  return ask(gateway, 'responses', { model, stream: Array.isArray(given), fields })
}

for (const [tool, item] of cases) {
  for (const model of ['judged', 'brief']) {
    test(`${item.type} needs its tool in the request, ${model}`, async () => {
      for (const [way, given] of Object.entries(ways(item))) {
        const offers: readonly Json[] = [{}, { tools: [] }, { tools: others }, { tools: [tool], tool_choice: 'none' }]
        for (const fields of offers) {
          const reply = await asked(model, given, fields)
          expect([way, fields, reply.body.includes('CANARY'), errorOf(reply) === undefined]).toEqual([way, fields, false, false])
        }
      }
    })

    test(`${item.type} passes where its tool is offered, ${model}`, async () => {
      const { whole, 'beside text': beside, streamed } = ways(item)
      for (const given of [whole, beside, streamed] as readonly (Json | readonly Json[])[]) {
        for (const fields of [{ tools: [...others, tool] }, { tools: [tool], tool_choice: 'auto' }]) {
          const reply = await asked(model, given, fields)
          expect([reply.status, reply.body.includes('CANARY')]).toEqual([200, true])
          expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [] })
        }
      }
    })
  }
}

test.each([
  ['bash_20250124', 'bash'],
  ['text_editor_20250728', 'str_replace_based_edit_tool'],
  ['computer_20250124', 'computer'],
  ['memory_20250818', 'memory'],
  ['custom', 'run_code'],
])('a call of Anthropic’s %s needs its tool in the request', async (type, name) => {
  const block = { type: 'tool_use', id: 't', name, input: { command: 'CANARY' } }
  const base = { id: 'm', type: 'message', role: 'assistant', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  const whole = { ...base, content: [block], stop_reason: 'tool_use' }
  const events = [
    { type: 'message_start', message: { ...base, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  const tool = type === 'custom' ? { name, input_schema: { type: 'object' } } : { type, name }
  const hosted = { type: 'web_search_20250305', name }
  const offers: readonly (readonly [Json, boolean])[] = [
    [{ tools: [tool] }, true],
    [{ tools: [tool], tool_choice: { type: 'any' } }, true],
    [{}, false],
    [{ tools: [hosted] }, false],
    [{ tools: [tool], tool_choice: { type: 'none' } }, false],
  ]
  for (const given of [whole, events]) {
    for (const [fields, passes] of offers) {
      gateway.upstream.otherwise(Array.isArray(given) ? answeringEvents(given) : answeringBody(given as Json))
      const reply = await ask(gateway, 'messages', { model: 'claude', stream: Array.isArray(given), fields })
      expect([fields, reply.body.includes('CANARY'), errorOf(reply) === undefined]).toEqual([fields, passes, passes])
    }
  }
})
