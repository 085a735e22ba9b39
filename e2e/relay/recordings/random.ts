import fc from 'fast-check'
import type { Recording } from './recording.ts'

// Recordings that nobody has made: the frame of an API, with unknown fields, blocks and events in it.
const words = fc.array(fc.constantFrom('spaces', 'tabs', 'ünïcode', '😀', 'a "quote"', '\\', 'line\nbreak', '\u2028', '<b>'), {
  maxLength: 8,
})
const text = words.map((list) => list.join(' '))
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'type', 'text', 'index', 'content'), scalar, { maxKeys: 3 }),
)
/** Fields that no API has. */
const unknown = fc.dictionary(fc.constantFrom('x_one', 'x_two', 'citations', 'time_info', 'provider'), value, { maxKeys: 3 })
const usage = fc.record({
  prompt_tokens: fc.nat(999),
  completion_tokens: fc.nat(999),
  total_tokens: fc.nat(9999),
  cost: fc.double({ min: 0, max: 1, noNaN: true }),
})

const chatDelta = fc.oneof(
  fc.record({ content: text }),
  fc.record({ content: text, x_delta: value }),
  fc.record({ reasoning_content: text }),
  fc.record({ reasoning_details: fc.array(fc.record({ type: fc.constant('reasoning.text'), index: fc.nat(2), text }), { maxLength: 2 }) }),
  fc.record({ x_delta: value }),
)

/** A stream of chat completions. */
export const chatStream: fc.Arbitrary<Recording> = fc
  .record({
    deltas: fc.array(fc.tuple(chatDelta, unknown, unknown), { minLength: 1, maxLength: 8 }),
    end: unknown,
    usage: fc.option(usage),
    late: fc.option(unknown),
  })
  .map(({ deltas, end, usage: told, late }) => {
    const chunk = (delta: object, choice: object, top: object) => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      choices: [{ index: 0, delta, finish_reason: null, ...choice }],
      ...top,
    })
    const events = [
      chunk({ role: 'assistant', content: '' }, {}, {}),
      ...deltas.map(([delta, choice, top]) => chunk(delta, choice, top)),
      chunk({}, { finish_reason: 'stop', ...end }, told === null ? {} : { usage: told }),
      ...(late === null ? [] : [{ id: 'c1', object: 'chat.completion.chunk', created: 1, choices: [], ...late }]),
    ]
    return { api: 'chat', name: 'random', events }
  })

/** A whole chat completion. */
export const chatWhole: fc.Arbitrary<Recording> = fc
  .record({ content: text, message: unknown, choice: unknown, top: unknown, usage: fc.option(usage) })
  .map(({ content, message, choice, top, usage: told }) => ({
    api: 'chat',
    name: 'random',
    whole: {
      id: 'c1',
      object: 'chat.completion',
      ...top,
      choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: 'stop', ...choice }],
      ...(told === null ? {} : { usage: told }),
    },
  }))

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text, x_block: value }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: fc.constant('c2ln') }),
  fc.record({ type: fc.constant('redacted_thinking'), data: fc.constant('ZW5j') }),
  fc.record({ type: fc.constantFrom('x_new_block', 'compaction', 'container_upload'), content: value, id: fc.constant('b1') }),
  fc.record({ type: fc.constant('web_search_tool_result'), tool_use_id: fc.constant('s1'), content: fc.array(value, { maxLength: 2 }) }),
)
const messagesUsage = fc.record({
  input_tokens: fc.nat(999),
  output_tokens: fc.nat(999),
  x_tokens: fc.nat(9),
  service_tier: fc.constant('standard'),
})
const reason = fc.constantFrom('end_turn', 'stop_sequence', 'pause_turn', 'x_new_reason')

/** A whole message. */
export const messagesWhole: fc.Arbitrary<Recording> = fc
  .record({ content: fc.array(block, { minLength: 1, maxLength: 5 }), top: unknown, usage: messagesUsage, stop_reason: reason })
  .map(({ content, top, usage: told, stop_reason }) => ({
    api: 'messages',
    name: 'random',
    whole: { id: 'm1', type: 'message', role: 'assistant', ...top, content, stop_reason, stop_sequence: null, usage: told },
  }))

/** A stream of a message. */
export const messagesStream: fc.Arbitrary<Recording> = fc
  .record({
    blocks: fc.array(fc.tuple(block, fc.array(text, { maxLength: 4 }), unknown), { minLength: 1, maxLength: 4 }),
    usage: messagesUsage,
    stop_reason: reason,
    delta: unknown,
    pings: fc.array(fc.nat(4), { maxLength: 2 }),
  })
  .map(({ blocks, usage: told, stop_reason, delta, pings }) => {
    const events = blocks.flatMap(([opened, pieces, more], index) => [
      ...(pings.includes(index) ? [{ type: 'ping' }, { type: 'x_new_event', index, ...more }] : []),
      { type: 'content_block_start', index, content_block: empty(opened) },
      ...deltasOf(opened.type, pieces).map((one) => ({ type: 'content_block_delta', index, delta: one })),
      { type: 'content_block_stop', index, ...more },
    ])
    const start = { id: 'm1', type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null, usage: told }
    return {
      api: 'messages',
      name: 'random',
      events: [
        { type: 'message_start', message: start },
        ...events,
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null, ...delta }, usage: told },
        { type: 'message_stop' },
      ],
    }
  })

function empty(opened: { readonly type: string }): object {
  return opened.type === 'text' ? { ...opened, text: '' } : opened.type === 'thinking' ? { ...opened, thinking: '', signature: '' } : opened
}

function deltasOf(type: string, pieces: readonly string[]): object[] {
  if (type === 'text') return pieces.map((piece) => ({ type: 'text_delta', text: piece }))
  if (type === 'thinking')
    return [...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })), { type: 'signature_delta', signature: 'c2ln' }]
  return pieces.map((piece) => ({ type: 'x_new_delta', piece }))
}
