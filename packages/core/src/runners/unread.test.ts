import { expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import { enforce, enforceStream } from '../engine/enforce.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { openai } from './openai/openai.ts'

// What a provider sends at a place that is read, and that is of another type, is no part of an answer that was judged.
const rules = contract({ checks: [{ contains: { none: ['EVIL'] } }, 'tool_calls'], retries: 0 })
const parameters = { type: 'object', properties: { x: { type: 'string' } } }
const context = { tools: [{ type: 'function', function: { name: 'f', parameters } }] }

type Json = Record<string, unknown>
const call = (called: Json): Json => ({
  tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}', ...called } }],
})
const chat = (message: unknown): Json => ({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
const chunk = (delta: unknown, finish_reason: string | null = null): Json => ({ choices: [{ index: 0, delta, finish_reason }] })
const chunks = (delta: unknown): Json[] => [chunk({ content: 'Fine.' }), chunk(delta), chunk({}, 'stop')]
const message = (content: unknown): Json => ({ type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage: {} })
const added = (delta: unknown): Json[] => [
  { type: 'message_start', message: { ...message([]), stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Fine.' } },
  { type: 'content_block_delta', index: 0, delta },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
]

function asked(reply: Json | readonly Json[], isMessages: boolean) {
  const body = Array.isArray(reply)
    ? reply.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')
    : JSON.stringify(reply)
  const contentType = Array.isArray(reply) ? 'text/event-stream' : 'application/json'
  const settings = {
    baseUrl: 'http://x/v1',
    model: 'm',
    fetch: async () => new Response(body, { headers: { 'content-type': contentType } }),
  }
  const options = { contract: rules, runner: isMessages ? anthropic(settings) : openai(settings), prompt: 'Hi.', context }
  return Array.isArray(reply) ? enforceStream(options).outcome : enforce(options)
}

test.each<[string, Json | Json[], boolean]>([
  ['content that is a number', chat({ content: 4711 }), false],
  ['content that is an object', chat({ content: { text: 'EVIL' } }), false],
  ['a message that is a text', chat('EVIL'), false],
  ['calls by name', chat({ content: 'Fine.', tool_calls: { 0: call({}) } }), false],
  ['pieces that are objects', chunks({ content: { text: 'EVIL' } }), false],
  ['a delta that is a text', chunks('EVIL'), false],
  ['arguments that are a list', chunks(call({ arguments: ['EVIL'] })), false],
  [
    'text that is a list',
    message([
      { type: 'text', text: 'Fine.' },
      { type: 'text', text: ['EVIL'] },
    ]),
    true,
  ],
  ['a text delta that is a list', added({ type: 'text_delta', text: ['EVIL'] }), true],
])('%s makes an answer unchecked', async (_name, reply, isMessages) => {
  expect(await asked(reply, isMessages)).toMatchObject({ status: 'unchecked', delivered: false })
})

test.each<[Json | Json[], boolean]>([
  [chat({ content: 'Fine.' }), false],
  [chunks({ content: ' Yes.' }), false],
  [chunks(call({ arguments: '{"x":"y"}' })), false],
  [message([{ type: 'text', text: 'Fine.' }]), true],
  [added({ type: 'text_delta', text: ' Yes.' }), true],
])('an answer that is read is valid', async (reply, isMessages) => {
  expect(await asked(reply, isMessages)).toMatchObject({ status: 'valid', delivered: true })
})
