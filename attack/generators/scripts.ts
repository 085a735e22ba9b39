import type { ScriptedTurn } from '@stickler/core/testing'
import fc from 'fast-check'
import { textsFor } from './texts.ts'

/** One answer of a model, in words that a script of the library and a provider on the wire can both be given. */
export interface Turn {
  readonly text: string
  readonly finishReason?: string
  readonly refusal?: string
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
}

/** What a model is offered, in the shape of chat completions. */
export interface Offer {
  readonly tools?: readonly { readonly type: 'function'; readonly function: { readonly name: string; readonly parameters: object } }[]
  /** A word, or the name of a tool. */
  readonly choice?: string
}

const place = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const host = { type: 'object', properties: { host: { type: 'string' }, family: { enum: ['ipv4', 'ipv6'] } }, additionalProperties: false }
const tools: NonNullable<Offer['tools']> = [
  { type: 'function', function: { name: 'get_weather', parameters: place } },
  { type: 'function', function: { name: 'ping_host', parameters: host } },
]

/** Tools, or none, and what may be chosen of them. */
export const offers: fc.Arbitrary<Offer> = fc.constantFrom<Offer>(
  {},
  { tools },
  { tools },
  { tools, choice: 'auto' },
  { tools, choice: 'none' },
  { tools, choice: 'get_weather' },
)

const names = fc.constantFrom('get_weather', 'get_weather', 'ping_host', 'Get-Weather', 'get_wether', 'x', '__proto__', '')
const given = fc.constantFrom(
  ...['{"city":"Rome"}', '{"city": "Ulm", "days": 2}', '{"city":"Ulm","days":"2"}', '{"host":"gw","family":"ipv4"}', '{}', ''],
  ...['{"city":"Rome",}', "{'city': 'Rome'}", '{"city":"Ro', '["Rome"]', 'null', '7', '{"city":"A","city":"B"}', '{"citty":"Rome"}'],
  ...[
    '{"city":12345678901234567890}',
    '{"city":"\\ud800"}',
    '{"family":"IPV4"}',
    '{"__proto__":1}',
    'city=Rome',
    '{"city":"a"} {"city":"b"}',
  ],
)
const calls = fc
  .array(fc.tuple(names, given), { minLength: 1, maxLength: 3 })
  // Providers send empty calls beside real ones: without name and arguments there is no call.
  .map((list) =>
    list.map(([name, args], index) => ({ id: `call_${index}`, name: name === '' && args === '' ? 'x' : name, arguments: args })),
  )
const otherEnds = fc.constantFrom(
  'length',
  'content_filter',
  'max_tokens',
  'SAFETY',
  'eos',
  'pause_turn',
  'abort',
  'who_knows',
  'tool_calls',
)

/** The answers of a model to one run: what is wrong first is often right later. */
export function scriptsFor(validators: readonly string[]): fc.Arbitrary<readonly Turn[]> {
  const texts = textsFor(validators)
  const turn: fc.Arbitrary<Turn> = fc.oneof(
    { weight: 10, arbitrary: texts.map((text) => ({ text })) },
    { weight: 3, arbitrary: fc.tuple(fc.oneof(fc.constant(''), texts), calls).map(([text, toolCalls]) => ({ text, toolCalls })) },
    { weight: 2, arbitrary: fc.tuple(texts, otherEnds).map(([text, finishReason]) => ({ text, finishReason })) },
    { weight: 1, arbitrary: fc.constantFrom<Turn>({ text: '', refusal: 'I will not.' }, { text: '' }, { text: ' \n' }) },
  )
  return fc.array(turn, { minLength: 1, maxLength: 3 })
}

/** The turn of a script of the library. */
export function scriptedTurn({ text, finishReason, toolCalls }: Turn, chunks?: readonly string[]): ScriptedTurn {
  return {
    ...(chunks === undefined ? { text } : { chunks }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
  }
}

/** What the validators are told of an offer: a request without tools offers none. */
export function offerContext({ tools: offered = [], choice }: Offer): Record<string, unknown> {
  const isWord = choice === 'auto' || choice === 'none'
  const toolChoice = isWord ? choice : { type: 'function', function: { name: choice } }
  return { tools: offered, ...(choice === undefined ? {} : { toolChoice }) }
}
