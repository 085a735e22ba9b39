import { type ChoiceEvent, chatWire, messagesWire, type WireListener } from '@stickler/core/internal/apis'
import { HeadAssembly, type UpstreamCall, UpstreamRunner } from '@stickler/core/internal/relay'
import { expect, test } from 'vitest'
import { askedTokens } from './budgets/prompt-tokens.ts'

const piece = 'lorem '.repeat(60)
const tools = [{ type: 'function', function: { name: 'w', description: 'lorem ipsum '.repeat(20_000) } }]

function listening(head: HeadAssembly, events: ChoiceEvent[]): WireListener {
  return {
    count: 1,
    alwaysEnds: true,
    see: (_lane, event) => events.push(event),
    head: (told) => head.take(told),
    receive: (bytes) => head.receive(bytes),
  }
}

/** What is counted for a call that was left after these events. */
async function leftAfter(head: HeadAssembly, events: readonly ChoiceEvent[], request: object = {}) {
  async function* come(): AsyncGenerator<ChoiceEvent> {
    yield* events
    throw new Error('left')
  }
  const call: UpstreamCall = { choices: [{ [Symbol.asyncIterator]: come }], head: () => head.head(), upstream: () => 'u' }
  const runner = new UpstreamRunner({
    price: undefined,
    promptTokens: (messages, format) => askedTokens({ chat: { model: 'm', ...request } }, messages, format),
    start: () => call,
  })
  const reading = runner.run(undefined, 'x '.repeat(10_000), { signal: new AbortController().signal } as never)
  await expect(async () => {
    for await (const _ of reading) void _
  }).rejects.toThrow('left')
  return runner.attempts[0]?.usage()
}

test.each([
  ['tool_calls', (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })],
  ['function_call', (text: string) => ({ function_call: { arguments: text } })],
  ['reasoning_details', (text: string) => ({ reasoning: text, reasoning_details: [{ type: 'reasoning.text', text }] })],
  ['content', (text: string) => ({ content: text })],
])('a stream of %s that is left counts what came', async (_, deltaOf) => {
  const head = new HeadAssembly(undefined, 'm')
  const events: ChoiceEvent[] = []
  const reader = chatWire.readStream(listening(head, events))
  for (let at = 0; at < 100; at++) reader.take('', JSON.stringify({ id: 'x', choices: [{ index: 0, delta: deltaOf(piece) }] }))
  const counted = await leftAfter(head, events)
  expect(counted).toMatchObject({ completionTokens: 9000, estimated: true })
  expect(counted?.promptTokens).toBeGreaterThan(5000)
})

test("Anthropic's calls of tools count as they come", async () => {
  const head = new HeadAssembly(undefined, 'm')
  const reader = messagesWire.readStream(listening(head, []))
  const take = (event: object) => reader.take('', JSON.stringify(event))
  take({ type: 'message_start', message: { id: 'x', usage: { input_tokens: 7000, output_tokens: 1 } } })
  take({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'w', input: {} } })
  for (let at = 0; at < 100; at++) take({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: piece } })
  expect(await leftAfter(head, [])).toEqual({ promptTokens: 7000, completionTokens: 9000, estimated: true })
})

test('an estimate of the prompt holds everything that was sent; a call that brought nothing costs nothing', async () => {
  const head = new HeadAssembly(undefined, 'm')
  expect(await leftAfter(head, [], { tools })).toEqual({ promptTokens: 0, completionTokens: 0 })
  head.take({ id: 'x' })
  expect((await leftAfter(head, [], { tools }))?.promptTokens).toBeGreaterThan(80_000)
})
