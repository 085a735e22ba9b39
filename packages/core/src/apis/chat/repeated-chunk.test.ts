import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Frames } from '../shared/sse-frames.ts'
import { ChatReader } from './chat-reader.ts'
import { RepeatedChunk } from './repeated-chunk.ts'
import { ChunkWriter, repeatedWriter } from './write-chat.ts'

type Fields = Record<string, unknown>

/** Reads a stream, with what is told of repeated chunks or without. */
function read(stream: readonly string[], count: number, repeated: boolean): unknown {
  const events: unknown[] = []
  const states: unknown[] = []
  let head: Fields = {}
  const chunks = new ChatReader({
    count,
    alwaysEnds: true,
    see: (lane, event) => events.push([lane, event]),
    head: ({ fields, ...told }) => {
      head = { ...head, ...told, ...fields }
    },
    receive: (bytes) => bytes > 0 && events.push(bytes),
  })
  let failure: unknown
  let skipped = 0
  try {
    for (const data of stream) {
      if (repeated && chunks.takeRepeated('', data) !== undefined) skipped++
      else chunks.take('', data)
      states.push(chunks.finished, structuredClone(head))
    }
    chunks.end()
  } catch (error) {
    failure = String(error)
  }
  return { skipped, seen: { events, states, failure } }
}

const seenOf = (result: unknown) => (result as { seen: unknown }).seen
const chunk = (content: unknown, rest: Fields = {}, beside: Fields = {}) =>
  JSON.stringify({ id: 'x', created: 1, model: 'm', ...beside, choices: [{ index: 0, delta: { content }, finish_reason: null, ...rest }] })

describe('a chunk that repeats the one before', () => {
  it('is read for its text alone, escapes and halves of characters included', () => {
    const texts = ['a', 'The', ' old "town"', '\n', '\\', 'ü\u2028', '\ud83d', '\ude00', '', 'a']
    const stream = texts.map((text) => chunk(text))
    expect(read(stream, 1, true)).toEqual({ skipped: texts.length - 1, seen: seenOf(read(stream, 1, false)) })
  })

  it.each([
    ['another key behind the text', chunk('a'), chunk('PUT').replace('PUT', 'x","refusal":"no')],
    ['an error', chunk('a'), chunk('PUT').replace('"PUT"}', '"x"},"error":{"message":"no"}')],
    ['a line break as it is', chunk('a'), chunk('PUT').replace('PUT', 'x\ny')],
    ['an escape that ends in its quote', chunk('a'), chunk('PUT').replace('PUT', 'x\\')],
    ['other numbers', chunk('a'), chunk('a', {}, { created: 2 })],
    ['a cut', chunk('a'), chunk('a').slice(0, -2)],
    ['nothing but its ends', chunk('a'), '{"id":"x"}'],
    ['two texts, of which the last counts', chunk('a').replace('"content":"a"', '"content":"a","content":"b"'), chunk('x')],
  ])('is none with %s', (_what, first, second) => {
    const repeated = new RepeatedChunk()
    repeated.learn(first, JSON.parse(first) as Fields)
    expect(repeated.textOf(second)).toBe(undefined)
  })

  it('is not looked for in streams in which something changes with every chunk', () => {
    const stream = Array.from({ length: 20 }, (_, at) => chunk('a', {}, { created: at }))
    expect(read([...stream, chunk('a'), chunk('b')], 1, true)).toMatchObject({ skipped: 0 })
  })
})

const word = fc.oneof(fc.constantFrom('a', 'b', '', 'm', '"', '\\', '\n', '","x":"', '\ud83d', '\ude00'), fc.string({ maxLength: 5 }))
const delta = fc.oneof(
  { weight: 6, arbitrary: fc.record({ content: word }) },
  fc.record(
    {
      role: fc.constant('assistant'),
      content: fc.oneof(word, fc.constant(null), fc.constant([{ type: 'text', text: 'p' }])),
      reasoning_content: word,
      refusal: fc.constantFrom(null, '', 'no'),
      tool_calls: fc.constantFrom(null, [], [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }]),
      function_call: fc.constantFrom(null, { name: 'f' }),
    },
    { requiredKeys: [] },
  ),
)
const choice = fc.record(
  {
    index: fc.constantFrom(0, 0, 0, 1, 7),
    delta,
    finish_reason: fc.constantFrom(null, null, null, 'stop', ''),
    logprobs: fc.constantFrom(null, { content: [{ token: 'a' }] }),
    extra: word,
  },
  { requiredKeys: ['delta'] },
)
const frame = fc.record(
  {
    choices: fc.array(choice, { minLength: 0, maxLength: 2 }),
    id: fc.constantFrom('x', 'y', 'a'),
    created: fc.constantFrom(1, 2),
    model: fc.constantFrom('m', 'a'),
    usage: fc.constantFrom(null, { prompt_tokens: 1, completion_tokens: 2 }),
    error: fc.constantFrom(null, null, null, { message: 'no' }),
  },
  { requiredKeys: ['choices'] },
)
/** Frames in runs, of which each one differs only by its text. */
const run = fc.tuple(frame, fc.array(word, { maxLength: 4 }), fc.boolean()).map(([first, texts, spaced]) => {
  const written = (value: unknown) => (spaced ? JSON.stringify(value).replaceAll('":', '": ') : JSON.stringify(value))
  const again = texts.map((content) => ({ ...first, choices: first.choices.map((one) => ({ ...one, delta: { ...one.delta, content } })) }))
  return [first, ...again].map(written)
})

test('says the same as if it were read as a whole', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 5 }), fc.constantFrom(1, 2), (runs, count) => {
      const stream = runs.flat()
      expect(seenOf(read(stream, count, true))).toEqual(seenOf(read(stream, count, false)))
    }),
  )
})

test('repeated chunks are written as any others, with any text, model and order of fields', () => {
  const odd = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\u2028', '\u2029', '\n', '\r', 'é', '😀'), maxLength: 6 })
  const line = (content: string, model: string, isTail: boolean, space: string): string => {
    const choices = [{ index: 0, delta: { content }, finish_reason: null }]
    const json = JSON.stringify(isTail ? { id: 'x', choices, model } : { id: 'x', model, choices })
    return json.replace('{', `{${space}`)
  }
  const { repeated } = new ChatReader({ count: 1, alwaysEnds: true, see: () => {}, head: () => {}, receive: () => {} })
  fc.assert(
    fc.property(
      fc.array(odd, { minLength: 1 }),
      odd,
      fc.option(odd, { nil: undefined }),
      fc.boolean(),
      fc.constantFrom('', ' ', '\n'),
      (texts, theirs, ours, isTail, space) => {
        const changes = ours === undefined ? {} : { model: ours }
        const write = repeatedWriter(changes)
        const out = new Frames()
        const each = new ChunkWriter(out)
        for (const text of texts) {
          const data = line(text, theirs, isTail, space)
          each.write(repeated(data), changes)
          expect(write(data)).toBe(out.take())
        }
      },
    ),
  )
})
