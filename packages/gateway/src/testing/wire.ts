import { createParser } from 'eventsource-parser'
import { vi } from 'vitest'
import type { TestGateway } from './test-gateway.ts'

/** The ways in that enforce contracts. */
export type ApiName = 'chat' | 'responses' | 'messages'

/** Every way in, streamed and not: what most faults are tried on. */
export const ways: readonly (readonly [ApiName, 'whole' | 'streamed'])[] = [
  ['chat', 'whole'],
  ['chat', 'streamed'],
  ['responses', 'whole'],
  ['responses', 'streamed'],
  ['messages', 'whole'],
  ['messages', 'streamed'],
]

/** Every way in. */
export const apiNames: readonly ApiName[] = ['chat', 'responses', 'messages']

/** What is asked, beside the API. */
export interface Question {
  readonly model: string
  readonly stream?: boolean
  readonly prompt?: string
  readonly system?: string
  /** Further fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

type Json = Readonly<Record<string, unknown>>

/** One event of a stream as a reader of event streams sees it. */
export interface WireEvent {
  readonly event: string
  readonly data: string
}

/** An answer as it came over the wire. */
export interface WireReply {
  readonly status: number
  readonly headers: Headers
  /** Everything behind the headers. */
  readonly body: string
  /** The body of an answer that is no stream. */
  readonly json: Json
  readonly events: readonly WireEvent[]
  /** Whether the connection broke before the end of the body. */
  readonly broken: boolean
}

const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const

/** The body of a question in the words of an API. */
export function bodyOf(api: ApiName, { model, stream = false, prompt = 'Tabs or spaces?', system, fields = {} }: Question): Json {
  const user = { role: 'user', content: prompt }
  if (api === 'responses') return { model, stream, input: prompt, ...(system === undefined ? {} : { instructions: system }), ...fields }
  if (api === 'messages') {
    const own = system === undefined ? {} : { system }
    return { model, stream, max_tokens: 1000, messages: [user], ...own, ...fields }
  }
  return { model, stream, messages: system === undefined ? [user] : [{ role: 'system', content: system }, user], ...fields }
}

/** Sends a question and gives the answer as soon as its headers are there. */
export function send(gateway: TestGateway, api: ApiName, question: Question): Promise<Response> {
  return gateway.post(paths[api], bodyOf(api, question), question.headers, question.signal)
}

/** Sends a question and reads the answer to its end. */
export async function ask(gateway: TestGateway, api: ApiName, question: Question): Promise<WireReply> {
  return readReply(await send(gateway, api, question))
}

/** Reads an answer to its end, or to where it breaks. */
export async function readReply(response: Response): Promise<WireReply> {
  const { status, headers } = response
  const decoder = new TextDecoder()
  let body = ''
  let broken = false
  try {
    for await (const piece of response.body ?? []) body += decoder.decode(piece as Uint8Array, { stream: true })
  } catch {
    broken = true
  }
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  return { status, headers, body, broken, events: isStream ? eventsOf(body) : [], json: isStream || body === '' ? {} : JSON.parse(body) }
}

/** The events of a stream, read by a parser that knows nothing of ours. */
export function eventsOf(body: string): WireEvent[] {
  const events: WireEvent[] = []
  const parser = createParser({ onEvent: ({ event = '', data }) => events.push({ event, data }) })
  parser.feed(body)
  return events
}

/** The data of the events that are JSON. */
export function dataOf({ events }: Pick<WireReply, 'events'>): Json[] {
  return events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as Json)
}

/** The events after which nothing follows: `done` for a whole answer, `error` for any other. */
export function terminalsOf(api: ApiName, reply: Pick<WireReply, 'events'>): ('done' | 'error')[] {
  return reply.events.flatMap(({ event, data }) => {
    if (data === '[DONE]') return ['done' as const]
    const { type, error } = JSON.parse(data) as Json
    if (error !== undefined && error !== null) return ['error' as const]
    if (api === 'chat') return []
    return /^(?:response\.(?:completed|incomplete)|message_stop)$/.test(String(type ?? event)) ? ['done' as const] : []
  })
}

/** The error that an answer tells, in a body or in an event. */
export function errorOf(reply: WireReply): Json | undefined {
  const holder = reply.events.length === 0 ? reply.json : dataOf(reply).find(({ error }) => error !== undefined && error !== null)
  return holder?.error as Json | undefined
}

/** The text that an answer holds, as far as it came. */
export function textOf(api: ApiName, reply: WireReply): string {
  if (reply.events.length > 0) return dataOf(reply).map(deltaText).join('')
  const { choices, output, content } = reply.json as { choices?: Json[]; output?: Json[]; content?: Json[] }
  if (api === 'chat') return String((choices?.[0]?.message as Json | undefined)?.content ?? '')
  const blocks = api === 'messages' ? content : output?.flatMap((item) => (item.content ?? []) as Json[])
  return (blocks ?? []).map(({ text }) => String(text ?? '')).join('')
}

/** What an answer says about the verdict: `stickler` in the body, or in an event of a stream. */
export function verdictOf(reply: WireReply): Json | undefined {
  const holders = reply.events.length === 0 ? [reply.json] : dataOf(reply)
  const found = holders.map((holder) => holder.stickler ?? (holder.response as Json | undefined)?.stickler)
  return found.find((one) => one !== undefined) as Json | undefined
}

/** The record of an answer's run, once it is written. */
export function recordOf(gateway: TestGateway, { headers }: WireReply): Promise<Json> {
  return vi.waitFor(async () => {
    const { items } = (await (await gateway.get('/api/v1/runs?limit=20')).json()) as { items: Json[] }
    const found = items.find(({ requestId }) => requestId === headers.get('x-request-id'))
    if (found === undefined) throw new Error('the run is not written yet')
    return (await (await gateway.get(`/api/v1/runs/${found.id}`)).json()) as Json
  }, 5000)
}

function deltaText(data: Json): string {
  if (data.type === 'response.output_text.delta') return String(data.delta)
  const { choices, delta } = data as { choices?: { delta: Json }[]; delta?: Json }
  if (choices !== undefined) return choices.map((choice) => String(choice.delta.content ?? '')).join('')
  return data.type === 'content_block_delta' && delta?.type === 'text_delta' ? String(delta.text) : ''
}
