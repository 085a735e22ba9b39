import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, errorOf, verdictOf } from '../../testing/wire.ts'

// What an event of a response shows of calls and refusals is in its end, or the answer was not checked.
const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  strict: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
routes:
  - { model: strict, upstream: openai, contract: strict }
`
type Json = Record<string, unknown>

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const evil = 'CANARY'
const call = { id: 'x', call_id: 'c', status: 'completed' }
const refused = { type: 'refusal', refusal: evil }
const items: Readonly<Record<string, Json>> = {
  'a refusal': { id: 'x', type: 'message', role: 'assistant', status: 'completed', content: [refused] },
  'a shell call': { ...call, type: 'shell_call', action: { commands: [evil] } },
  'a call of the local shell': { ...call, type: 'local_shell_call', action: { type: 'exec', command: [evil], env: {} } },
  'a patch': { ...call, type: 'apply_patch_call', operation: { type: 'update_file', path: 'a', diff: evil } },
  'a call of the computer': { ...call, type: 'computer_call', action: { type: 'type', text: evil }, pending_safety_checks: [] },
  'a call of a custom tool': { ...call, type: 'custom_tool_call', name: 'f', input: evil },
  'a request for approval': { id: 'x', type: 'mcp_approval_request', name: 'f', arguments: evil, server_label: 's' },
  'a call of a function': { ...call, type: 'function_call', name: 'g', arguments: JSON.stringify({ x: evil }) },
}
const tools: readonly Json[] = [
  ...[{ type: 'shell' }, { type: 'local_shell' }, { type: 'apply_patch' }, { type: 'custom', name: 'f' }],
  { type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'linux' },
  { type: 'mcp', server_label: 's', server_url: 'https://x.example' },
  { type: 'function', name: 'g', parameters: { type: 'object' } },
]

const part = { type: 'output_text', text: 'Fine.', annotations: [] }
const item = { id: 'i', type: 'message', role: 'assistant', status: 'completed', content: [part] }
const response = (output: readonly unknown[], status = 'in_progress'): Json => ({
  ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status, output },
})
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const events: readonly Json[] = [
  { type: 'response.created', response: response([]) },
  { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
  { type: 'response.output_text.delta', ...place, delta: 'Fine.' },
  { type: 'response.output_text.done', ...place, text: 'Fine.' },
  { type: 'response.content_part.done', ...place, part },
  { type: 'response.output_item.done', output_index: 0, item },
  { type: 'response.completed', response: response([item], 'completed') },
]

async function asked(at: number, event: Json, last?: readonly unknown[]) {
  const all = [...events.slice(0, at), event, ...events.slice(at)]
  if (last !== undefined) all[all.length - 1] = { type: 'response.completed', response: response(last, 'completed') }
  gateway.upstream.enqueue(
    answeringEvents(
      all.map((one, number) => ({ ...one, sequence_number: number })),
      { done: false },
    ),
  )
  return await ask(gateway, 'responses', { model: 'strict', stream: true, fields: { tools } })
}

type Way = readonly [way: string, at: number, event: (one: Json) => Json]
const ways: readonly Way[] = [
  ['the first event', 0, (one) => ({ type: 'response.created', response: response([one]) })],
  ['an event of progress', 1, (one) => ({ type: 'response.in_progress', response: response([one]) })],
  ['a late event of progress', 4, (one) => ({ type: 'response.in_progress', response: response([item, one]) })],
  ['an unknown event with a response', 4, (one) => ({ type: 'response.rocket', response: response([item, one]) })],
  ['an unknown event with an item', 4, (one) => ({ type: 'response.rocket', output_index: 1, item: one })],
  ['an item that begins', 7, (one) => ({ type: 'response.output_item.added', output_index: 1, item: one })],
  ['an item that ends', 7, (one) => ({ type: 'response.output_item.done', output_index: 1, item: one })],
]
const cases = Object.entries(items).flatMap(([name, one]) => ways.map(([way, at, event]) => [name, way, at, event(one)] as const))

test.each(cases)('%s in %s alone is withheld', async (_name, _way, at, event) => {
  const reply = await asked(at, event)
  expect([reply.body.includes(evil), errorOf(reply)]).toEqual([false, expect.objectContaining({ type: 'contract_unchecked' })])
})

test.each(['content_part.added', 'content_part.done', 'rocket'])('a refusal as the part of %s alone is withheld', async (type) => {
  const reply = await asked(7, { type: `response.${type}`, item_id: 'x', output_index: 1, content_index: 0, part: refused })
  expect([reply.body.includes(evil), errorOf(reply)]).toEqual([false, expect.objectContaining({ type: 'contract_unchecked' })])
})

// Calls of functions are compared with the events that told them.
const whole = Object.keys(items).filter((name) => name !== 'a refusal' && name !== 'a call of a function')
test.each(whole)('%s that the end has too passes', async (name) => {
  const one = items[name] ?? {}
  const reply = await asked(4, { type: 'response.in_progress', response: response([item, one]) }, [item, one])
  expect([reply.body.includes(evil), verdictOf(reply)]).toEqual([true, expect.objectContaining({ status: 'valid' })])
})
