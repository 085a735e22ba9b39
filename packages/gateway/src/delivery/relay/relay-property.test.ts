import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringEvents, type Framing } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, dataOf } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  kept: { checks: [{ max_words: { limit: 100000 } }], retries: 0 }
  whole: { checks: [{ max_words: { limit: 100000 } }], stream: hold, retries: 0 }
  marked: { checks: [step_marker], retries: 0 }
  cited: { checks: [{ citations: { sources: 1 } }, { max_words: { limit: 100000 } }], retries: 0 }
routes:
  - { model: plain, upstream: chat }
  - { model: kept, upstream: chat, contract: kept }
  - { model: whole, upstream: chat, contract: whole }
  - { model: marked, upstream: chat, contract: marked }
  - { model: cited, upstream: chat, contract: cited }
`

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const word = fc.oneof(
  fc.constantFrom('The ', 'old', '"', '\\', '\n', '\r\n', ' ', 'ü', '👍', '\u2028', '\ud83d', '\ude00', '</think>', 'data: x\n\n', '<'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const extra = fc.dictionary(fc.constantFrom('x_groq', 'obfuscation', 'service_tier', 'moderation', 'z'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 2,
})
const reasoning = fc.record({ reasoning_content: word }).map((delta): Json => delta)
const details = word.map((text): Json => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, text }] }))
const spoken = fc.record({ content: word }).map((delta): Json => delta)
const parts = word.map((text): Json => ({ content: [{ type: 'text', text }] }))
const delta = fc.oneof({ weight: 6, arbitrary: spoken }, reasoning, details, parts, fc.constant<Json>({}))

/** One event: a delta of a choice, several at once, or something beside them. */
const event = (choices: number) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(fc.nat({ max: choices - 1 }), delta, extra, extra)
        .map(([index, said, beside, top]) => ({ ...top, ...chunk([[index, said, beside]]) })),
    },
    fc.tuple(delta, delta).map(([a, b]) =>
      chunk(
        choices > 1
          ? [
              [0, a, {}],
              [1, b, {}],
            ]
          : [[0, a, {}]],
      ),
    ),
    extra.map((top): Json => ({ ...chunk([]), ...top })),
  )

function chunk(choices: readonly (readonly [number, Json, Json])[]): Json {
  const list = choices.map(([index, said, beside]) => ({ index, delta: said, ...beside, finish_reason: null }))
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'provider', choices: list }
}

const call = (index: number, piece: Json): Json => chunk([[index, { tool_calls: [{ index: 0, ...piece }] }, {}]])
const calls = fc.tuple(fc.string({ maxLength: 12 }), fc.integer({ min: 1, max: 9 })).map(([value, size]) => {
  const written = JSON.stringify({ value })
  const pieces = Array.from({ length: Math.ceil(written.length / size) }, (_, at) => written.slice(at * size, (at + 1) * size))
  return [
    call(0, { id: 'c', type: 'function', function: { name: 'f', arguments: '' } }),
    ...pieces.map((text) => call(0, { function: { arguments: text } })),
  ]
})
const offered = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]

const stream = fc.integer({ min: 1, max: 2 }).chain((choices) =>
  fc.record({
    choices: fc.constant(choices),
    events: fc.array(event(choices), { maxLength: 12 }),
    tools: fc.oneof({ weight: 3, arbitrary: fc.constant<Json[]>([]) }, calls),
    late: fc.array(
      extra.map((top): Json => ({ ...chunk([]), late: 1, ...top })),
      { maxLength: 2 },
    ),
    isNamed: fc.boolean(),
  }),
)

const framing: fc.Arbitrary<Framing> = fc.record(
  {
    lineEnd: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
    comments: fc.boolean(),
    tight: fc.boolean(),
    splitEvery: fc.constantFrom(7, 64, 1000),
  },
  { requiredKeys: [] },
)

/** Something visible for each choice, so that there is an answer. */
function eventsOf({
  choices,
  events,
  tools,
  late,
  isNamed,
}: {
  choices: number
  events: Json[]
  tools: Json[]
  late: Json[]
  isNamed: boolean
}): Json[] {
  const lanes = Array.from({ length: choices }, (_, index) => index)
  const opening = isNamed ? lanes.map((index) => chunk([[index, { role: 'assistant', content: '' }, {}]])) : []
  const visible = lanes.map((index) => chunk([[index, { content: 'Yes' }, {}]]))
  const ends = lanes.map((index) => ({ ...chunk([]), choices: [{ index, delta: {}, finish_reason: 'stop' }] }))
  return [...opening, ...events, ...visible, ...tools, ...ends, ...late]
}

function decoded(events: readonly Json[]): Json[] {
  return events.map(({ stickler: _stickler, model: _model, ...rest }) => rest)
}

const long = { numRuns: 60 }

test('a stream that keeps its contract arrives as a direct connection would bring it', async () => {
  await fc.assert(
    fc.asyncProperty(stream, framing, fc.constantFrom('plain', 'kept', 'whole'), async (given, frames, model) => {
      const events = eventsOf(given)
      gateway.upstream.enqueue(answeringEvents(events, { framing: frames }))
      const reply = await ask(gateway, 'chat', { model, stream: true, fields: { n: given.choices, tools: offered } })
      expect(reply.status, reply.body).toBe(200)
      expect(decoded(dataOf(reply))).toEqual(decoded(JSON.parse(JSON.stringify(events)) as Json[]))
    }),
    long,
  )
})

test('what is written does not depend on how the bytes of the provider are cut', async () => {
  const said = fc.oneof(
    fc.constantFrom('It ', 'is[^', '1', ']', '[', '<!-- ', 'STEP: ', 'done', ' -->', '\\', ' a word that is long '),
    word,
  )
  const pieces = fc.array(fc.oneof({ weight: 6, arbitrary: said.map((content): Json => ({ content })) }, reasoning), {
    minLength: 1,
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(pieces, fc.constantFrom('plain', 'kept', 'marked', 'cited'), async (deltas, model) => {
      const events = [...deltas.map((one) => chunk([[0, one, {}]])), chunk([[0, { content: ' Yes' }, {}]])]
      const end = { ...chunk([]), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
      const bodies: string[] = []
      for (const splitEvery of [23, 300, 100_000]) {
        gateway.upstream.enqueue(answeringEvents([...events, end], { framing: { splitEvery } }))
        const { body } = await ask(gateway, 'chat', { model, stream: true })
        bodies.push(body)
      }
      expect(new Set(bodies).size, bodies.join('\n---\n')).toBe(1)
    }),
    long,
  )
})

/** The text of the first choice. */
function textOf(events: readonly Json[]): string {
  const deltas = events.flatMap(({ choices }) => (choices as { delta: Json }[]).map(({ delta: one }) => one.content ?? ''))
  return deltas
    .map((content) => (typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('')))
    .join('')
}

/** Everything but texts. */
function besideText(events: readonly Json[]): unknown[] {
  return events.flatMap(({ choices, ...top }) =>
    (choices as Json[]).flatMap(({ delta: one, ...beside }) => {
      const { content: _content, ...rest } = one as Json
      return Object.keys(rest).length === 0 ? [] : [{ top, beside, rest }]
    }),
  )
}

test('a repair changes the span that it names, and no other event', async () => {
  const plainWord = fc.constantFrom('The ', 'old', ' ', 'ü', '👍', 'town. ')
  const one = fc.oneof({ weight: 4, arbitrary: plainWord.map((content): Json => ({ content })) }, reasoning, details)
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 8 }), fc.array(one, { maxLength: 8 }), async (before, after) => {
      const mark = ['<!-- STEP: ', 'finalise', ' -->'].map((content): Json => ({ content }))
      const deltas = [...before, ...mark, ...after]
      const events = [
        ...deltas.map((said) => chunk([[0, said, {}]])),
        { ...chunk([]), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ]
      gateway.upstream.enqueue(answeringEvents(events))
      const reply = await ask(gateway, 'chat', { model: 'marked', stream: true })
      const shown = decoded(dataOf(reply))
      expect(textOf(shown)).toBe(textOf(events).replace('finalise', 'finalize'))
      expect(besideText(shown)).toEqual(besideText(decoded(events)))
      const pieces = shown.map(({ choices }) => (choices as { delta: Json }[])[0]?.delta.content).filter((content) => content !== undefined)
      expect(pieces).toEqual(
        deltas.flatMap(({ content }) => (content === undefined ? [] : [content === 'finalise' ? 'finalize' : content])),
      )
    }),
    long,
  )
})
