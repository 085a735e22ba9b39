import fc from 'fast-check'
import { randomFrom } from '../../bench/complexity/recipes.mjs'

type Json = Readonly<Record<string, unknown>>

/** One choice of a provider's reply, in pieces as a stream has them. */
export interface ReplyChoice {
  readonly reasoning: readonly string[]
  /** The name of the field in which the provider reasons. */
  readonly reasoningField: 'reasoning_content' | 'reasoning'
  readonly content: readonly string[]
  readonly refusal: readonly string[]
  readonly calls: readonly { readonly id: string; readonly name: string; readonly pieces: readonly string[] }[]
  readonly logprobs: boolean
  readonly finish: string
}

/** A legal reply of a provider of chat completions. */
export interface Reply {
  readonly choices: readonly ReplyChoice[]
  readonly usage: Json | undefined
  /** Further fields at the top. */
  readonly fields: Json
  /** In which order the choices take turns in a stream. */
  readonly order: number
}

const pieces = fc.array(
  fc.constantFrom('a', 'Use ', 'spaces.', '\n', '\r\n', '👍', 'é', '"', '\\', '<b>', 'data: [DONE]\n\n', '\u2028', '\0', '{"a": 1}'),
  { maxLength: 6 },
)
const some = <Value>(arbitrary: fc.Arbitrary<readonly Value[]>): fc.Arbitrary<readonly Value[]> => fc.oneof(fc.constant([]), arbitrary)
const args = fc.constantFrom(
  ['{"city":', '"Rome"}'],
  ['{}'],
  ['{"city": "', 'Ulm', '", "days": 1.0', '0}'],
  ['{"city":"\\ud83d', '\\ude00"}'],
)
const calls = fc
  .array(fc.tuple(fc.constantFrom('get_weather', 'ping_host'), args), { minLength: 1, maxLength: 3 })
  .map((list) => list.map(([name, given], index) => ({ id: `call_${index}`, name, pieces: given })))
const choice: fc.Arbitrary<ReplyChoice> = fc
  .record({
    reasoning: some(pieces),
    reasoningField: fc.constantFrom('reasoning_content' as const, 'reasoning' as const),
    content: pieces,
    refusal: fc.oneof(
      { weight: 8, arbitrary: fc.constant<readonly string[]>([]) },
      { weight: 1, arbitrary: fc.constant(['I ', 'will not.']) },
    ),
    calls: some(calls),
    logprobs: fc.boolean(),
    finish: fc.constantFrom('stop', 'stop', 'stop', 'length', 'content_filter'),
  })
  .map((one) => (one.calls.length > 0 && one.finish === 'stop' ? { ...one, finish: 'tool_calls' } : one))
const usage = fc.constantFrom<Json | undefined>(
  undefined,
  { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17, completion_tokens_details: { reasoning_tokens: 5 }, cost: 0.25 },
)

/** Replies with everything that providers send, in any mixture. */
export const replies: fc.Arbitrary<Reply> = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  usage,
  fields: fc.constantFrom<Json>({}, { system_fingerprint: 'fp_1' }, { service_tier: 'default', x_provider: { region: 'eu' } }),
  order: fc.nat({ max: 0xffff }),
})

const frame = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'real-model' }

/** The body of a reply that is not a stream. */
export function bodyOfReply({ choices, usage: used, fields }: Reply): object {
  return {
    ...frame,
    object: 'chat.completion',
    choices: choices.map((one, index) => ({
      index,
      message: messageOf(one),
      logprobs: one.logprobs ? logprobsOf(one.content) : null,
      finish_reason: one.finish,
    })),
    ...(used === undefined ? {} : { usage: used }),
    ...fields,
  }
}

/** The chunks of a reply that is a stream: those of one choice in their order, those of several in any. */
export function chunksOfReply(reply: Reply): object[] {
  const chunk = (rest: Json): object => ({ ...frame, object: 'chat.completion.chunk', ...reply.fields, ...rest })
  const waiting = reply.choices.map((one, index) => deltasOf(one).map((delta) => chunk({ choices: [{ index, ...delta }] })))
  const random = randomFrom(reply.order)
  const chunks: object[] = []
  for (let open = waiting; open.length > 0; open = open.filter((list) => list.length > 0)) {
    const next = open[Math.floor(random() * open.length)]?.shift()
    if (next !== undefined) chunks.push(next)
  }
  return reply.usage === undefined ? chunks : [...chunks, chunk({ choices: [], usage: reply.usage })]
}

function messageOf({ reasoning, reasoningField, content, refusal, calls: called }: ReplyChoice): object {
  return {
    role: 'assistant',
    content: content.length === 0 ? null : content.join(''),
    refusal: refusal.length === 0 ? null : refusal.join(''),
    ...(reasoning.length === 0 ? {} : { [reasoningField]: reasoning.join('') }),
    ...(called.length === 0 ? {} : { tool_calls: called.map(({ id, name, pieces: given }) => callOf(id, name, given.join(''))) }),
  }
}

function deltasOf({ reasoning, reasoningField, content, refusal, calls: called, logprobs, finish }: ReplyChoice): Json[] {
  const delta = (fields: Json, rest: Json = {}): Json => ({ delta: fields, logprobs: null, finish_reason: null, ...rest })
  return [
    delta({ role: 'assistant', content: '' }),
    ...reasoning.map((piece) => delta({ [reasoningField]: piece })),
    ...content.map((piece) => delta({ content: piece }, logprobs ? { logprobs: logprobsOf([piece]) } : {})),
    ...refusal.map((piece) => delta({ refusal: piece })),
    ...called.flatMap(({ id, name, pieces: given }, index) => [
      delta({ tool_calls: [{ index, ...callOf(id, name, '') }] }),
      ...given.map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    delta({}, { finish_reason: finish }),
  ]
}

function callOf(id: string, name: string, given: string): object {
  return { id, type: 'function', function: { name, arguments: given } }
}

function logprobsOf(tokens: readonly string[]): object {
  return { content: tokens.map((token) => ({ token, logprob: -0.5, bytes: null, top_logprobs: [] })), refusal: null }
}
