import { type Contract, contract } from '@stickler/core'

/** The rules of a contract, as a program or a configuration file writes them. */
type Rules = Parameters<typeof contract>[0]

/** One answer of a model, in no API's words. */
export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
  /** Characters in each event of a stream; 8 unless told otherwise. */
  readonly piece?: number
  /** `stop`, or `tool_calls` with calls, unless told otherwise. */
  readonly finish?: 'stop' | 'length'
  /** A refusal outside of the text. */
  readonly refusal?: string
  /** An error of the provider in place of an answer. */
  readonly error?: { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> }
  /** The connection breaks after so many events of a stream. */
  readonly cutAfter?: number
  /** Nothing more comes after so many events of a stream. */
  readonly silentAfter?: number
}

/** What the caller of an adapter sees, and what the run has come to. */
export interface Seen {
  /** Whether the caller has got an answer, and not an error. */
  readonly delivered: boolean
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  /** The code of the error that the caller has got. */
  readonly code?: string
  /** The status of the run; absent where no run has come to an end. */
  readonly status?: 'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed'
  readonly attempts?: number
}

/** One case that must have the same outcome through every adapter: library, fetch, frameworks and gateway, whole and streamed. */
export interface AdapterCase {
  readonly name: string
  readonly contract: Contract
  /** The same as written, for configuration files. */
  readonly rules: Rules
  /** Whether the model is offered the tool `get_weather`. */
  readonly tools?: true
  /** What the model answers, call by call. */
  readonly answers: readonly ModelAnswer[]
  readonly seen: Seen
}

/** The question of every case. */
export const question = 'Tabs or spaces?'

/** The JSON Schema of the arguments of `get_weather`. */
export const weatherSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }

const brief = written({ checks: [{ max_words: { limit: 3 } }], retries: 1, stream: 'hold' })
const ticket = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const structured = written({ checks: [{ json: { schema: ticket } }], retries: 1 })
const calling = written({ checks: ['tool_calls'], retries: 1 })
const long = { text: 'Use spaces and nothing else.' }
const rome = { name: 'get_weather', arguments: '{"city":"Rome"}' }

function written(rules: Rules): Pick<AdapterCase, 'contract' | 'rules'> {
  return { rules, contract: contract(rules) }
}

/** The cases that all adapters share. */
export const cases: readonly AdapterCase[] = [
  {
    name: 'a valid answer',
    ...brief,
    answers: [{ text: 'Use spaces.' }],
    seen: { delivered: true, text: 'Use spaces.', calls: [], status: 'valid', attempts: 1 },
  },
  {
    name: 'a repaired answer',
    ...structured,
    answers: [{ text: '{"id": 3,}' }],
    seen: { delivered: true, text: '{"id": 3}', calls: [], status: 'repaired', attempts: 1 },
  },
  {
    name: 'an answer that the model corrects when it is asked again',
    ...brief,
    answers: [long, { text: 'Use spaces.' }],
    seen: { delivered: true, text: 'Use spaces.', calls: [], status: 'valid', attempts: 2 },
  },
  {
    name: 'an empty answer, after which nothing can be shown but what is wrong',
    ...structured,
    answers: [{ text: '' }, { text: '{"id": 3}' }],
    seen: { delivered: true, text: '{"id": 3}', calls: [], status: 'valid', attempts: 2 },
  },
  {
    name: 'an answer of white space',
    ...structured,
    answers: [{ text: ' \n' }, { text: '{"id": 3}' }],
    seen: { delivered: true, text: '{"id": 3}', calls: [], status: 'valid', attempts: 2 },
  },
  {
    name: 'an answer that is given up',
    ...brief,
    answers: [long, long],
    seen: { delivered: false, code: 'MAX_WORDS', status: 'unresolved', attempts: 2 },
  },
  {
    name: 'a truncated answer',
    ...structured,
    answers: [
      { text: '{"id": ', finish: 'length' },
      { text: '{"id": ', finish: 'length' },
    ],
    seen: { delivered: false, code: 'TRUNCATED', status: 'unresolved', attempts: 2 },
  },
  {
    name: 'a text that is cut off, and keeps all rules',
    ...brief,
    answers: [
      { text: 'Use', finish: 'length' },
      { text: 'Use', finish: 'length' },
    ],
    seen: { delivered: false, code: 'TRUNCATED', status: 'unresolved', attempts: 2 },
  },
  {
    name: 'a valid call of a tool',
    ...calling,
    tools: true,
    answers: [{ calls: [rome] }],
    seen: { delivered: true, text: '', calls: [{ name: 'get_weather', arguments: { city: 'Rome' } }], status: 'valid', attempts: 1 },
  },
  {
    name: 'a call whose tool is misspelt',
    ...calling,
    tools: true,
    answers: [{ calls: [{ ...rome, name: 'getWeather' }] }],
    seen: { delivered: true, text: '', calls: [{ name: 'get_weather', arguments: { city: 'Rome' } }], status: 'repaired', attempts: 1 },
  },
  {
    name: 'a call of a tool that does not exist',
    ...calling,
    tools: true,
    answers: [{ calls: [{ name: 'send_mail', arguments: '{}' }] }, { calls: [{ name: 'send_mail', arguments: '{}' }] }],
    seen: { delivered: false, code: 'UNKNOWN_TOOL', status: 'unresolved', attempts: 2 },
  },
  {
    name: 'a call that nobody asked for, under a contract without checks of calls',
    ...brief,
    answers: [{ calls: [rome] }, { text: 'Use spaces.' }],
    seen: { delivered: true, text: 'Use spaces.', calls: [], status: 'valid', attempts: 2 },
  },
]

const lines = Array.from({ length: 100 }, (_, at) => `${at} ${'spaces '.repeat(290)}`).join('\n')

/**
 * A long answer after one that is rejected, for readers who pause after each piece: nothing of it is lost, and nothing of the other is shown.
 *
 * Through LangChain an answer comes in one piece, after it was judged: no reader is slower than that.
 */
export const longAnswer: AdapterCase = {
  name: 'a long answer, after one that is rejected',
  ...written({ checks: [{ contains: { none: ['tabs'] } }], retries: 1 }),
  answers: [
    { text: `tabs ${lines}`, piece: 2000 },
    { text: lines, piece: 2000 },
  ],
  seen: { delivered: true, text: lines, calls: [], status: 'valid', attempts: 2 },
}

/**
 * A refusal that a provider reports outside of the text.
 *
 * `passed` is what clients behind fetch and gateway see: the provider's own reply. Callers of a model in a program get an error, as for every answer without a text.
 */
export const refusal: Pick<AdapterCase, 'contract' | 'rules' | 'answers'> & { readonly passed: Seen; readonly thrown: Seen } = {
  ...brief,
  answers: [{ refusal: 'I cannot help with that.' }, { refusal: 'I cannot help with that.' }],
  passed: { delivered: true, text: '', calls: [], status: 'unchecked', attempts: 1 },
  thrown: { delivered: false, code: 'REFUSED', status: 'unresolved', attempts: 2 },
}
