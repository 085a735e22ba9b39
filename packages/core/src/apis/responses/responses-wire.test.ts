import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChoiceEvent } from '../shared/choice-event.ts'
import { distribute } from '../shared/text-distribution.ts'
import type { WireEvent, WireHead, WireListener, WireRequest } from '../shared/wire.ts'
import { framed } from '../testing/framed.ts'
import { responsesWire as wire } from './responses-wire.ts'
import { responseEvents, type WrittenItem } from './testing/response-events.ts'

interface Heard extends WireListener {
  readonly seen: ChoiceEvent[]
  readonly heads: WireHead[]
  text(): string
}

function listening(): Heard {
  const seen: ChoiceEvent[] = []
  const heads: WireHead[] = []
  return {
    count: 1,
    alwaysEnds: true,
    seen,
    heads,
    see: (_choice, event) => void seen.push(event),
    head: (head) => void heads.push(head),
    receive: () => {},
    text: () => seen.map((event) => (event.type === 'text' ? event.text : '')).join(''),
  }
}

function read(data: readonly string[], heard = listening()): { readonly events: readonly WireEvent[]; readonly heard: Heard } {
  const reader = wire.readStream(heard)
  const events = data.map((one) => reader.take((JSON.parse(one) as { type: string }).type, one))
  reader.end()
  return { events, heard }
}

// Two characters that some readers take for the end of a line are escaped.
const framesOf = (events: readonly string[]) =>
  events
    .map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`)
    .join('')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
const dataOf = (frames: string): Record<string, never>[] =>
  frames.split('\n\n').flatMap((one) => (one === '' ? [] : [JSON.parse(one.slice(one.indexOf('data: ') + 6))]))

/** Puts a response together as OpenAI's client does. */
function accumulate(frames: string): { readonly output: readonly Record<string, unknown>[]; readonly numbers: readonly number[] } {
  const output: Record<string, unknown>[] = []
  const numbers: number[] = []
  // biome-ignore lint/suspicious/noExplicitAny: events have many shapes.
  for (const event of dataOf(frames) as any[]) {
    numbers.push(event.sequence_number)
    const item = output[event.output_index] as never as { content: { text: string }[]; arguments: string }
    switch (event.type) {
      case 'response.output_item.added':
        expect(event.output_index).toBe(output.length)
        output.push(structuredClone(event.item))
        break
      case 'response.content_part.added':
        item.content.push(event.part)
        break
      case 'response.output_text.delta':
        ;(item.content[event.content_index] as { text: string }).text += event.delta
        break
      case 'response.output_text.done':
        expect(event.text).toBe(item.content[event.content_index]?.text)
        break
      case 'response.function_call_arguments.delta':
        item.arguments += event.delta
        break
      case 'response.function_call_arguments.done':
        expect(event.arguments).toBe(item.arguments)
        break
      case 'response.output_item.done':
        if (item.content) expect(event.item.content.map(textOf)).toEqual(item.content.map(textOf))
        output[event.output_index] = event.item
        break
      case 'response.completed':
        expect(event.response.output).toEqual(output)
        break
    }
  }
  for (const [at, number] of numbers.entries()) if (at > 0) expect(number).toBeGreaterThan(numbers[at - 1] as number)
  return { output, numbers }
}
const textOf = ({ text }: { text: string }) => text

const item: fc.Arbitrary<WrittenItem> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text: fc.array(fc.string({ maxLength: 6, unit: 'grapheme' }), { maxLength: 5 }) }) },
  fc.record({ call: fc.constantFrom('find', 'send'), arguments: fc.constantFrom(['{"a"', ':1}'], ['{}'], []) }),
  fc.record({ thought: fc.string() }),
  fc.constant({ other: { type: 'web_search_call', action: { query: 'x' }, big: 12345678901234567890n.toString() } }),
)
const items = fc.array(item, { minLength: 1, maxLength: 4 })

test('N20 what nobody changes leaves as it came, whole and in events, unknown items and events too', () => {
  fc.assert(
    fc.property(items, (written) => {
      const data = responseEvents(written)
      const { events, heard } = read(data)
      const writer = framed((out) => wire.writeStream(out))
      expect(events.map((event) => writer.write(event, {})).join('')).toBe(framesOf(data))
      const whole = JSON.stringify(JSON.parse(data.at(-1) ?? '').response, null, 1).replace('12345678', '12345678901234567890')
      const listener = listening()
      const reply = wire.readWhole(whole, listener)
      expect(wire.writeWhole(reply, {})).toBe(whole)
      expect(listener.text()).toBe(heard.text())
      expect(listener.seen.at(-1)).toEqual(heard.seen.at(-1))
      expect(heard.heads.at(-1)).toMatchObject({ id: 'resp_1', usage: { promptTokens: 36, completionTokens: 87 } })
    }),
  )
})

test('N21 a changed text is the same in deltas, in events that repeat it and in the last one', () => {
  fc.assert(
    fc.property(items, fc.string({ maxLength: 12 }), (written, added) => {
      const { events, heard } = read(responseEvents(written))
      const pieces = events.flatMap(({ parts }) => parts.filter(({ of }) => of === 'text').map(({ value }) => value))
      fc.pre(pieces.length > 0)
      const final = `${heard.text()}${added}`.replace('a', '')
      const given = [...distribute(pieces, final)]
      const writer = framed((out) => wire.writeStream(out))
      const frames = events.map((event) =>
        writer.write(event, {
          model: 'mine',
          parts: event.parts.map(({ of, value }) => (of === 'text' ? (given.shift() ?? '') : value)),
          ...(event.ends && { members: { stickler: { status: 'repaired' } }, usage: { input_tokens: 1 } }),
        }),
      )
      const { output } = accumulate(frames.join(''))
      const texts = output.flatMap(({ content }) => (Array.isArray(content) ? content.map(textOf) : []))
      expect(texts.join('')).toBe(final)
      expect(dataOf(frames.join('')).at(-1)).toMatchObject({
        response: { model: 'mine', stickler: { status: 'repaired' }, usage: { input_tokens: 1 } },
      })
    }),
  )
})

test('N22 an attempt that follows another one goes on behind its items, and numbers rise', () => {
  fc.assert(
    fc.property(items, items, fc.nat({ max: 30 }), (first, second, shown) => {
      const writer = framed((out) => wire.writeStream(out))
      const one = read(responseEvents(first))
        .events.slice(0, 2 + shown)
        .filter(({ place }) => place !== 'close')
      let frames = one.map((event) => writer.write(event, {})).join('')
      frames += writer.turn()
      frames += read(responseEvents(second, { id: 'resp_2' }))
        .events.map((event) => (event.place === 'open' ? '' : writer.write(event, {})))
        .join('')
      const { output } = accumulate(frames)
      expect(output.length).toBe(second.length + Math.max(0, ...one.map((event) => outputIndex(event) + 1)))
      expect(dataOf(frames).at(-1)).toMatchObject({ response: { id: 'resp_2' } })
    }),
  )
})
test('places that the first attempt has left free are not filled', () => {
  const writer = framed((out) => wire.writeStream(out))
  const moved = read(responseEvents([{ text: ['Hello'] }]).map((data) => data.replace('"output_index":0', '"output_index":2')))
  for (const event of moved.events) if (event.place !== 'close') writer.write(event, {})
  writer.turn()
  const frames = read(responseEvents([{ text: ['Hi'] }])).events.map((event) => (event.place === 'open' ? '' : writer.write(event, {})))
  const { response } = dataOf(frames.join('')).at(-1) as unknown as { response: { output: { type: string }[] } }
  expect(response.output.map((item) => item?.type)).toEqual(['message', 'message'])
})

test.each([[2 ** 53], [2 ** 53 - 1], [1e308], [-1], [0.5], [-(2 ** 60)]])('numbers rise one by one after %d', (odd) => {
  const writer = framed((out) => wire.writeStream(out))
  let frames = ''
  for (const [at, event] of read(responseEvents([{ text: ['Hello', ' there'] }])).events.entries()) {
    const data = JSON.stringify({ ...JSON.parse(event.data), sequence_number: at === 2 || at === 4 ? odd : at })
    frames += writer.write({ ...event, data, fields: JSON.parse(data) } as WireEvent, {})
  }
  const { numbers } = accumulate(frames)
  expect([numbers.length > 5, numbers.every(Number.isSafeInteger)]).toEqual([true, true])
})

test('text and calls that replace those of the provider are items of their own, behind the others', () => {
  fc.assert(
    fc.property(
      items,
      fc.boolean(),
      fc.array(fc.record({ name: fc.string(), arguments: fc.string(), id: fc.string() })),
      (before, isTold, calls) => {
        const written = [...before, { call: 'find', arguments: ['{}'] }, { call: 'send', arguments: [] }]
        const all = read(responseEvents(written)).events
        const frames: string[] = []
        const writer = wire.writeStream({ event: (_name, data) => void frames.push(framesOf([data])) })
        const kept = all.filter(({ isCall }) => !isCall)
        for (const event of kept) {
          if (event.place === 'close') {
            if (isTold) writer.text?.('More.')
            writer.calls?.(calls)
          }
          writer.write(event, {})
        }
        const moved = frames.join('')
        const ended = dataOf(moved).at(-1) as unknown as { response: { output: Record<string, unknown>[]; output_text?: string } }
        const own = before.filter((one) => !('call' in one))
        expect(ended.response.output.map(({ type }) => type)).toEqual([
          ...own.map((one) => ('thought' in one ? 'reasoning' : 'other' in one ? 'web_search_call' : 'message')),
          ...(isTold ? ['message'] : []),
          ...calls.map(() => 'function_call'),
        ])
        expect(ended.response.output.filter(({ type }) => type === 'function_call')).toMatchObject(
          calls.map(({ id, name, arguments: given }) => ({ call_id: id, name, arguments: given, status: 'completed' })),
        )
        const added = dataOf(moved)
          .filter(({ type }) => type === 'response.output_item.added')
          .map((event) => event.output_index)
        expect(new Set(added).size).toBe(added.length)
        expect(added).toEqual([...added].sort((a, b) => Number(a) - Number(b)))
      },
    ),
  )
})

const outputIndex = (event: WireEvent) => Number(JSON.parse(event.data).output_index ?? -1)

test('an event is written in pieces, each with its probabilities', () => {
  const { events } = read(responseEvents([{ text: ['Hello'] }]))
  const delta = events.find(({ parts }) => parts.length > 0) as WireEvent
  const writer = framed((out) => wire.writeStream(out))
  const [first, second] = dataOf(
    `${writer.write(delta, { parts: ['He'], offset: 0, isPartial: true })}${writer.write(delta, { parts: ['llo'], offset: 2 })}`,
  )
  expect(first).toMatchObject({ delta: 'He', logprobs: [] })
  expect(second).toMatchObject({ delta: 'llo', logprobs: [{ token: 'Hello' }] })
})

test('a changed text keeps the annotations whose words are still there', () => {
  const annotations = [
    { type: 'url_citation', start_index: 0, end_index: 3, url: 'a' },
    { type: 'url_citation', start_index: 4, end_index: 7, url: 'b' },
    { type: 'url_citation', start_index: 8, end_index: 13, url: 'c' },
    { type: 'file_citation', index: 5, file_id: 'f' },
  ]
  const content = [{ type: 'output_text', text: 'One two three', annotations, logprobs: [{ token: 'One' }] }]
  const whole = JSON.stringify({ id: 'r', status: 'completed', output: [{ type: 'message', content }], output_text: 'One two three' })
  const written = JSON.parse(wire.writeWhole(wire.readWhole(whole, listening()), { parts: ['One deux three'] }))
  expect(written.output[0].content[0]).toEqual({
    type: 'output_text',
    text: 'One deux three',
    annotations: [annotations[0], { ...annotations[2], start_index: 9, end_index: 14 }, annotations[3]],
    logprobs: [],
  })
  expect(written.output_text).toBe('One deux three')
})

describe('a provider that fails', () => {
  const failed = { id: 'r', status: 'failed', output: [], error: { code: 'rate_limit_exceeded', message: 'Slow down' } }
  test.each<[string, readonly object[], object]>([
    ['an error event', [{ type: 'error', code: 'context_length_exceeded', message: 'Too long', param: 'input' }], { status: 400 }],
    ['an error event with the error inside', [{ type: 'error', error: { type: 'server_error', message: 'Oops' } }], { status: 500 }],
    ['a failed response', [{ type: 'response.failed', response: failed }], { status: 429 }],
    ['an error that has no name', [{ type: 'error', message: 'Oops' }], {}],
    ['a stream that ends early', [{ type: 'response.created', response: { id: 'r' } }], {}],
  ])('%s', (_, events, details) => {
    expect(() => read(events.map((event) => JSON.stringify(event)))).toThrow(
      expect.objectContaining({ details: expect.objectContaining(details) }),
    )
  })

  test.each(['', '[]', '{}', '{"output":1}', 'null', JSON.stringify(failed), '{"status":"cancelled","output":[]}'])(
    'a whole reply %s',
    (body) => {
      expect(() => wire.readWhole(body, listening())).toThrow()
    },
  )
})

test.each<[string, object, object]>([
  [
    'a text alone',
    { status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }] },
    { finishReason: 'stop' },
  ],
  [
    'a call',
    { status: 'completed', output: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }] },
    { finishReason: 'tool_calls', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
  ],
  ['a cut text', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }, { finishReason: 'length' }],
  [
    'a filtered text',
    { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] },
    { finishReason: 'content_filter' },
  ],
  ['a refusal', { status: 'completed', output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] }, { refused: true }],
  ['a picture', { status: 'completed', output: [{ type: 'image_generation_call', result: 'AAAA' }] }, { unread: 'image_generation_call' }],
])('%s', (_, response, end) => {
  const heard = listening()
  wire.readWhole(JSON.stringify(response), heard)
  expect(heard.seen.at(-1)).toMatchObject(end)
})

describe('asking again', () => {
  const ask = (body: object, added: object) => {
    const request: WireRequest = { source: JSON.stringify(body), body: body as WireRequest['body'] }
    return JSON.parse(wire.ask(request, { turns: [], ...added }))
  }
  const turns = [
    { role: 'assistant', content: 'Wrong.' },
    { role: 'user', content: 'Again.' },
  ]

  test('adds turns behind a text or items, and loses neither the stored conversation nor anything else', () => {
    const kept = { model: 'm', previous_response_id: 'resp_0', store: true, tools: [{ type: 'web_search' }], stickler: {} }
    const added = { turns, model: 'real', withheld: new Set(['stickler']) }
    const { stickler: _, ...rest } = kept
    const expected = { ...rest, model: 'real' }
    expect(ask({ ...kept, input: 'Hi' }, added)).toEqual({ ...expected, input: [{ role: 'user', content: 'Hi' }, ...turns] })
    const items = [
      { type: 'reasoning', encrypted_content: 'gAAA', summary: [] },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ]
    expect(ask({ ...kept, input: items }, added)).toEqual({ ...expected, input: [...items, ...turns] })
    expect(ask({ ...kept, input: [] }, added)).toEqual({ ...expected, input: turns })
  })

  test('puts rules into the instructions, but not over those of a stored prompt', () => {
    expect(ask({ input: 'Hi' }, { instructions: 'Be brief.' })).toEqual({ input: 'Hi', instructions: 'Be brief.' })
    expect(ask({ input: 'Hi', instructions: 'Sing.' }, { instructions: 'Be brief.' })).toMatchObject({ instructions: 'Sing.\n\nBe brief.' })
    expect(ask({ prompt: { id: 'p' } }, { instructions: 'Be brief.' })).toEqual({
      prompt: { id: 'p' },
      input: [{ role: 'developer', content: 'Be brief.' }],
    })
  })

  test('asks anew before what the user said last', () => {
    expect(ask({ input: 'Hi' }, { anew: 'Careful.' })).toEqual({ input: 'Careful.\n\nHi' })
    const parts = [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }]
    expect(ask({ input: parts }, { anew: 'Careful.' }).input[0].content[0]).toEqual({ type: 'input_text', text: 'Careful.\n\n' })
  })

  test('keeps big numbers and the order of keys', () => {
    const source = '{ "seed":12345678901234567890, "input":"Hi", "model":"m" }'
    const body = JSON.parse(source)
    expect(wire.ask({ source, body }, { turns: [], model: 'x' })).toBe('{ "seed":12345678901234567890, "input":"Hi", "model":"x" }')
  })
})
