import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChoiceEnd, ChoiceEvent } from '../shared/choice-event.ts'
import { frame } from '../shared/sse-frames.ts'
import { sumUsage } from '../shared/usage.ts'
import type { WireEvent, WireHead, WireListener } from '../shared/wire.ts'
import { framed } from '../testing/framed.ts'
import { messagesWire } from './messages-wire.ts'
import { type AnyMessage, anyMessage } from './testing/any-message.ts'
import { MessageWriter } from './write-events.ts'

class Heard implements WireListener {
  readonly count = 1
  readonly alwaysEnds = true
  readonly events: ChoiceEvent[] = []
  last: WireHead = {}
  received = 0
  see(_choice: number, event: ChoiceEvent): void {
    this.events.push(event)
  }
  head(head: WireHead): void {
    this.last = { ...this.last, ...head }
  }
  receive(bytes: number): void {
    this.received += bytes
  }
  get text(): string {
    return this.events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  }
  get end(): ChoiceEnd {
    const end = this.events.at(-1)
    if (end?.type !== 'end') throw new Error('no end')
    return end
  }
}

const frameOf = ([name, data]: readonly [string, string]): string => frame(name, data)

function readWhole(body: string) {
  const heard = new Heard()
  return { heard, reply: messagesWire.readWhole(body, heard) }
}

function readEvents(events: readonly (readonly [string, string])[]) {
  const heard = new Heard()
  const reader = messagesWire.readStream(heard)
  const read = events.map(([name, data]) => reader.take(name, data))
  const { finished } = reader
  reader.end()
  return { heard, read, finished }
}

const valuesOf = (events: readonly Pick<WireEvent, 'parts'>[], of: 'text' | number): string =>
  events
    .flatMap(({ parts }) => parts)
    .filter((part) => part.of === of && !part.isName)
    .map(({ value }) => value)
    .join('')

describe('any message', () => {
  it('is written as it was read, whole and streamed', () => {
    fc.assert(
      fc.property(anyMessage, ({ body, events }: AnyMessage) => {
        const { reply } = readWhole(body)
        expect(messagesWire.writeWhole(reply, {})).toBe(body)
        const { read, finished } = readEvents(events)
        expect(finished).toBe(true)
        const writer = framed((out) => new MessageWriter(out))
        expect(read.map((event) => writer.write(event, {}))).toEqual(events.map(frameOf))
      }),
      { numRuns: 100 },
    )
  })

  it('looks the same to the engine, whole and streamed', () => {
    fc.assert(
      fc.property(anyMessage, ({ body, events, blocks, stopReason, usage }) => {
        const whole = readWhole(body)
        const streamed = readEvents(events)
        const calls = blocks.flatMap(({ call }) => call ?? [])
        const text = blocks.map((block) => block.text).join('')
        expect(whole.heard.end).toMatchObject({ finishReason: stopReason, refused: stopReason === 'refusal', toolCalls: calls })
        expect(whole.heard.text).toBe(text)
        expect(streamed.heard.text).toBe(text)
        expect(streamed.heard.end).toEqual(whole.heard.end)
        expect(streamed.heard.last).toEqual(whole.heard.last)
        expect(whole.heard.last).toMatchObject({
          id: 'msg_1',
          model: 'claude-x',
          rawUsage: usage,
          usage: { promptTokens: 15, completionTokens: 11 },
        })
        for (const read of [[whole.reply], streamed.read]) {
          expect(valuesOf(read, 'text')).toBe(text)
          for (const [at, call] of calls.entries()) expect(valuesOf(read, at)).toBe(call.arguments === '{}' ? '' : call.arguments)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('changes in nothing but what is asked for', () => {
    fc.assert(
      fc.property(anyMessage, fc.string(), ({ body, events }, added) => {
        const { reply } = readWhole(body)
        const next = reply.parts.map(({ value, of }) => (of === 'text' ? value + added : value))
        const written = messagesWire.writeWhole(reply, { model: 'mine', parts: next, members: { stickler: { status: 'repaired' } } })
        const texts = reply.parts.filter(({ of }) => of === 'text').map(({ value }) => value)
        let seen = 0
        const expected = JSON.parse(body, function (this: unknown, key, value: unknown) {
          return key === 'text' && (this as { type?: unknown }).type === 'text' && texts[seen] === value && value !== '' && ++seen > 0
            ? `${value}${added}`
            : value
        }) as object
        expect(JSON.parse(written)).toEqual({ ...expected, model: 'mine', stickler: { status: 'repaired' } })
        // Every number stays as it was written.
        expect(written.match(/12345678901234567890|1\.0|1e2/g)).toEqual(body.match(/12345678901234567890|1\.0|1e2/g))
        const { read } = readEvents(events)
        const writer = framed((out) => new MessageWriter(out))
        const frames = read.map((event) =>
          writer.write(event, { model: 'mine', parts: event.parts.map(({ value, of }) => (of === 'text' ? value + added : value)) }),
        )
        for (const [at, event] of read.entries()) {
          const isSame = event.place === 'open' || event.parts.some(({ of }) => of === 'text')
          if (!isSame || (added === '' && at > 0)) expect(frames[at]).toBe(frameOf(events[at] as [string, string]))
        }
        expect(frames[0]).toBe(frameOf(events[0] as [string, string]).replace('claude-x', 'mine'))
      }),
      { numRuns: 60 },
    )
  })
})

const start = (index: number, block: object) =>
  ['content_block_start', JSON.stringify({ type: 'content_block_start', index, content_block: block })] as const
const delta = (index: number, given: object) =>
  ['content_block_delta', JSON.stringify({ type: 'content_block_delta', index, delta: given })] as const
const stop = (index: number) => ['content_block_stop', JSON.stringify({ type: 'content_block_stop', index })] as const
const say = (index: number, text: string) => delta(index, { type: 'text_delta', text })
const input = (index: number, json: string) => delta(index, { type: 'input_json_delta', partial_json: json })
const call = { type: 'tool_use', id: 't1', name: 'f', input: {} }

describe('what a stream may hold', () => {
  it('a thought of which only the signature is told', () => {
    const { heard } = readEvents([
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
    ])
    expect(heard.end.message).toEqual({
      role: 'assistant',
      content: '',
      thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig' }],
    })
  })

  it('content in its first event, which later deltas go on with', () => {
    const content = [
      { type: 'text', text: 'ab' },
      { ...call, input: { a: 1 } },
    ]
    const { heard, read } = readEvents([
      ['message_start', JSON.stringify({ type: 'message_start', message: { id: 'm', content } })],
      say(0, 'c'),
    ])
    expect(heard.text).toBe('abc')
    expect(heard.end.toolCalls).toEqual([{ id: 't1', name: 'f', arguments: '{"a":1}' }])
    expect(framed((out) => new MessageWriter(out)).write(read[0] as WireEvent, { parts: ['x', 'f', '{"a":2}'] })).toContain(
      JSON.stringify([
        { type: 'text', text: 'x' },
        { ...call, input: { a: 2 } },
      ]),
    )
  })

  it('the input of a tool in its first event, until pieces replace it', () => {
    const whole = start(0, { ...call, input: { n: 1 } })
    expect(readEvents([whole, stop(0)]).heard.end.toolCalls).toEqual([{ id: 't1', name: 'f', arguments: '{"n":1}' }])
    const { heard, read } = readEvents([whole, input(0, ''), input(0, '{"n":'), input(0, '2}'), stop(0)])
    expect(heard.end.toolCalls).toEqual([{ id: 't1', name: 'f', arguments: '{"n":2}' }])
    expect(valuesOf(read, 0)).toBe('{"n":2}')
    expect(heard.received).toBe(7)
  })

  it('a tool call without input, which a repair may give some', () => {
    const { heard, read } = readEvents([start(0, call), stop(0)])
    expect(heard.end.toolCalls).toEqual([{ id: 't1', name: 'f', arguments: '{}' }])
    const writer = framed((out) => new MessageWriter(out))
    writer.write(read[0] as WireEvent, {})
    expect(writer.write(read[1] as WireEvent, { parts: ['{"a":1}'] })).toBe([input(0, '{"a":1}'), stop(0)].map(frameOf).join(''))
  })

  it('deltas of blocks that are not judged, or that never began', () => {
    const { heard, read } = readEvents([
      start(0, { ...call, type: 'server_tool_use' }),
      input(0, '{"q":1}'),
      stop(0),
      say(7, 'lost'),
      input(8, '{}'),
      stop(9),
    ])
    expect(heard.end).toMatchObject({ toolCalls: [], message: { content: 'lost' } })
    expect(read.flatMap(({ parts }) => parts).map(({ value }) => value)).toEqual(['lost'])
  })

  it.each([
    ['overloaded_error', { kind: 'http', details: expect.objectContaining({ status: 529 }) }],
    ['invalid_request_error', { kind: 'http', details: expect.objectContaining({ status: 400 }) }],
    ['odd', { kind: 'protocol' }],
  ])('an error: %s', (type, failure) => {
    const data = JSON.stringify({ type: 'error', error: { type, message: 'no' } })
    expect(() => readEvents([['error', data]])).toThrow(expect.objectContaining(failure))
    expect(() => readWhole(data)).toThrow(expect.objectContaining(failure))
  })

  it.each(['', 'no json', '[]', '{}', '{"content":"x"}', 'null'])('a reply that is none: %j', (body) => {
    expect(() => readWhole(body)).toThrow(expect.objectContaining({ kind: 'protocol' }))
  })

  it.each([['no json'], ['[1]'], ['']])('an event that is none: %j', (data) => {
    expect(() => readEvents([['x', data]])).toThrow(expect.objectContaining({ kind: 'protocol' }))
  })
})

describe('a stream of several attempts', () => {
  it('closes what the earlier one left open, and goes on counting', () => {
    const first = readEvents([start(0, { type: 'thinking', thinking: '' }), stop(0), start(1, { type: 'text', text: '' }), say(1, 'ab')])
    const second = readEvents([start(0, { type: 'text', text: '' }), say(0, 'cd'), stop(0), start(1, call), input(1, '{}'), stop(1)])
    const writer = framed((out) => new MessageWriter(out))
    for (const event of first.read) writer.write(event, {})
    expect(writer.turn()).toBe(frameOf(stop(1)))
    expect(second.read.map((event) => writer.write(event, {}))).toEqual(
      [start(2, { type: 'text', text: '' }), say(2, 'cd'), stop(2), start(3, call), input(3, '{}'), stop(3)].map(frameOf),
    )
    expect(writer.turn()).toBe('')
  })

  it('holds the beginning of a block only if it is one of text, and a repair may have removed it', () => {
    const text = { type: 'text', text: '' }
    const result = { type: 'web_fetch_tool_result', tool_use_id: 's', content: { type: 'document', source: text } }
    const { read } = readEvents([start(0, result), stop(0), start(1, text), say(1, 'a'), stop(1)])
    expect(framed((out) => new MessageWriter(out)).write(read[0] as WireEvent, { mayRemove: true })).toBe(frameOf(start(0, result)))
    const first = { ...(read[2] as WireEvent) }
    expect(framed((out) => new MessageWriter(out)).write(first, {})).toBe(frameOf(start(1, text)))
    expect(framed((out) => new MessageWriter(out)).write(first, { mayRemove: true })).toBe('')
  })

  it('releases the text of one event in several parts', () => {
    const { read } = readEvents([start(0, { type: 'text', text: 'abc' }), say(0, 'def')])
    const [begin, more] = read as [WireEvent, WireEvent]
    const writer = framed((out) => new MessageWriter(out))
    expect(writer.write(begin, { parts: ['a'], isPartial: true })).toBe('')
    expect(writer.write(begin, { parts: ['bc'] })).toBe(frameOf(start(0, { type: 'text', text: 'abc' })))
    expect(writer.write(more, { parts: ['de'], isPartial: true })).toBe(frameOf(say(0, 'de')))
    expect(writer.write(more, { parts: ['f'] })).toBe(frameOf(say(0, 'f')))
  })

  it('tells the usage of all of them, where the provider told one', () => {
    const usages = [
      { input_tokens: 1, output_tokens: 2, cache_creation: { ephemeral_5m_input_tokens: 3 }, service_tier: 'batch', server_tool_use: null },
      {
        input_tokens: 10,
        output_tokens: 20,
        cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 4 },
        service_tier: 'standard',
      },
    ]
    const sum = {
      input_tokens: 11,
      output_tokens: 22,
      cache_creation: { ephemeral_5m_input_tokens: 33, ephemeral_1h_input_tokens: 4 },
      service_tier: 'standard',
      server_tool_use: null,
    }
    expect(sumUsage(usages)).toEqual(sum)
    const last = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
    const write = (event: object) =>
      framed((out) => new MessageWriter(out)).write(readEvents([['message_delta', JSON.stringify(event)]]).read[0] as WireEvent, {
        usage: sum,
        members: { stickler: 1 },
      })
    expect(write({ ...last, usage: { output_tokens: 20 } })).toBe(
      frameOf(['message_delta', JSON.stringify({ ...last, usage: sum, stickler: 1 })]),
    )
    expect(write(last)).toBe(frameOf(['message_delta', JSON.stringify({ ...last, stickler: 1 })]))
  })
})

describe('a request that is asked again', () => {
  const messages = '[{"role":"user","content":"hi", "n":12345678901234567890}]'
  const ask = (source: string, added: Parameters<typeof messagesWire.ask>[1]) =>
    messagesWire.ask({ source, body: JSON.parse(source) }, added)
  const turns = [
    { role: 'assistant', content: 'bad' },
    { role: 'user', content: 'better' },
  ]

  it('keeps every byte when nothing is added', () => {
    const source = `{ "model":"a", "max_tokens" : 1,"messages":${messages},"x":1.0}`
    expect(ask(source, { turns: [] })).toBe(source)
    expect(ask(source, { turns: [], model: 'b', withheld: new Set(['x']) })).toBe(`{ "model":"b", "max_tokens" : 1,"messages":${messages}}`)
  })

  it('adds turns of text and of calls, and none that are empty', () => {
    expect(ask(`{"messages":${messages}}`, { turns })).toBe(
      `{"messages":${messages.slice(0, -1)},{"role":"assistant","content":"bad"},{"role":"user","content":"better"}]}`,
    )
    expect(ask(`{"messages":${messages}}`, { turns: [{ role: 'assistant', content: ' \n' }] })).toBe(`{"messages":${messages}}`)
    const called = [
      { role: 'assistant', content: null, tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 't', content: 'better' },
    ]
    expect(JSON.parse(ask(`{"messages":${messages}}`, { turns: called })).messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'better' }] },
    ])
  })

  it.each([
    ['{"messages":[]}', '{"messages":[],"system":"rules"}'],
    ['{"system":"","messages":[]}', '{"system":"rules","messages":[]}'],
    ['{"system":"be kind","messages":[]}', '{"system":"be kind\\n\\nrules","messages":[]}'],
    [
      '{"system":[{"type":"text","text":"a","cache_control":{}}],"messages":[]}',
      '{"system":[{"type":"text","text":"a","cache_control":{}},{"type":"text","text":"rules"}],"messages":[]}',
    ],
    ['{"system":[],"messages":[]}', '{"system":[{"type":"text","text":"rules"}],"messages":[]}'],
  ])('puts rules behind the system prompt: %s', (source, asked) => {
    expect(ask(source, { turns: [], instructions: 'rules' })).toBe(asked)
  })

  it.each([
    [[{ role: 'user', content: 'hi' }], [{ role: 'user', content: 'better\n\nhi' }]],
    [
      [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'better\n\n' },
            { type: 'text', text: 'hi' },
          ],
        },
      ],
    ],
    [
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] }],
      [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't' },
            { type: 'text', text: 'better' },
          ],
        },
      ],
    ],
    [
      [{ role: 'assistant', content: 'x' }],
      [
        { role: 'assistant', content: 'x' },
        { role: 'user', content: 'better' },
      ],
    ],
  ])('puts feedback where results of tools stay behind their calls: %j', (given, asked) => {
    expect(JSON.parse(ask(JSON.stringify({ messages: given }), { turns: [], anew: 'better' }))).toEqual({ messages: asked })
  })
})
