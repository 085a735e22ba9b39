import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { Behaviour, UpstreamExchange } from './programmable-upstream.ts'
import { type AnswerOptions, streamEvents, wholeBody } from './programmable-upstream-bodies.ts'

/** How the events of a stream are written. */
export interface Framing {
  readonly lineEnd?: '\n' | '\r\n' | '\r'
  /** A comment before every event. */
  readonly comments?: boolean
  readonly byteOrderMark?: boolean
  /** `data:` without a space behind it. */
  readonly tight?: boolean
  /** Every event spread over several `data` lines, where JSON has white space. */
  readonly multiLine?: boolean
  /** No blank line behind the last event. */
  readonly openEnd?: boolean
  /** So many bytes in every write; 1 for every byte its own. */
  readonly splitEvery?: number
}

/** How an answer is given, beside what it says. */
export interface Manner extends AnswerOptions {
  readonly framing?: Framing
  /** Milliseconds before each event of a stream, or before the whole. */
  readonly delayMs?: number
  readonly encoding?: 'gzip' | 'br' | 'deflate' | 'deflate-raw'
  readonly headers?: Readonly<Record<string, string>>
  /** Streams, or not, whatever was asked for. */
  readonly stream?: boolean
  /** Only so many events of a stream are sent; see `afterwards`. */
  readonly events?: number
  /** What happens after the events, in place of the end. */
  readonly afterwards?: (exchange: UpstreamExchange) => void | Promise<void>
}

/** Answers with a text, streamed if that was asked for, in the words of the API that was asked. */
export function answering(text: string, manner: Manner = {}): Behaviour {
  return async (exchange) => {
    const { request } = exchange
    if (manner.stream ?? request.json?.stream === true) await streamed(text, manner, exchange)
    else await whole(JSON.stringify(wholeBody(text, manner, request)), 'application/json', manner, exchange)
  }
}

/** Answers with a body as it is. */
export function answeringBody(
  body: string | object,
  manner: Manner & { readonly contentType?: string; readonly status?: number } = {},
): Behaviour {
  return (exchange) => {
    exchange.response.statusCode = manner.status ?? 200
    return whole(typeof body === 'string' ? body : JSON.stringify(body), manner.contentType ?? 'application/json', manner, exchange)
  }
}

/** Answers with a stream of exactly these data, each event with its type as name if told so, and `[DONE]` unless told otherwise. */
export function answeringEvents(
  data: readonly (object | string)[],
  manner: Manner & { readonly done?: boolean; readonly named?: boolean } = {},
): Behaviour {
  const nameOf = (one: object | string): string => (manner.named && typeof one === 'object' && 'type' in one ? String(one.type) : '')
  const events = data.map((one): [string, string] => [nameOf(one), typeof one === 'string' ? one : JSON.stringify(one)])
  const all = manner.done === false ? events : [...events, ['', '[DONE]'] as const]
  return (exchange) => writeEvents(all, manner, exchange)
}

async function whole(body: string, contentType: string, manner: Manner, exchange: UpstreamExchange): Promise<void> {
  const { response } = exchange
  if (manner.delayMs !== undefined) await exchange.wait(manner.delayMs)
  const bytes = encode(Buffer.from(body), manner.encoding)
  setHeaders(exchange, contentType, manner)
  response.setHeader('content-length', bytes.length)
  response.end(bytes)
}

function streamed(text: string, manner: Manner, exchange: UpstreamExchange): Promise<void> {
  return writeEvents(streamEvents(text, manner, exchange.request), manner, exchange)
}

async function writeEvents(events: readonly (readonly [string, string])[], manner: Manner, exchange: UpstreamExchange): Promise<void> {
  const { framing = {}, delayMs, events: limit = events.length } = manner
  const frames = events.slice(0, limit).map(([event, data], index) => frame(event, data, framing, index === 0, index === events.length - 1))
  setHeaders(exchange, 'text/event-stream', manner)
  if (manner.encoding !== undefined) {
    exchange.response.end(encode(Buffer.from(frames.join('')), manner.encoding))
    return
  }
  exchange.response.flushHeaders()
  for (const one of framing.splitEvery === undefined ? frames : split(frames.join(''), framing.splitEvery)) {
    if (delayMs !== undefined) await exchange.wait(delayMs)
    if (!(await exchange.write(one))) return
    if (framing.splitEvery !== undefined) await new Promise((resolve) => setImmediate(resolve))
  }
  if (manner.afterwards === undefined) exchange.response.end()
  else await manner.afterwards(exchange)
}

function setHeaders({ response }: UpstreamExchange, contentType: string, { headers = {}, encoding }: Manner): void {
  response.setHeader('content-type', contentType)
  if (encoding !== undefined) response.setHeader('content-encoding', encoding === 'deflate-raw' ? 'deflate' : encoding)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

function frame(event: string, data: string, framing: Framing, isFirst: boolean, isLast: boolean): string {
  const { lineEnd = '\n', tight = false, comments = false, multiLine = false, openEnd = false, byteOrderMark = false } = framing
  const field = (name: string, value: string): string => `${name}:${tight ? '' : ' '}${value}${lineEnd}`
  const lines = multiLine && data.startsWith('{') ? JSON.stringify(JSON.parse(data), undefined, 1).split('\n') : [data]
  return [
    isFirst && byteOrderMark ? '\ufeff' : '',
    comments ? `: still here${lineEnd}${lineEnd}` : '',
    event === '' ? '' : field('event', event),
    ...lines.map((line) => field('data', line)),
    isLast && openEnd ? '' : lineEnd,
  ].join('')
}

function split(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

function encode(bytes: Buffer, encoding: Manner['encoding']): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes)
  if (encoding === 'br') return brotliCompressSync(bytes)
  if (encoding === 'deflate') return deflateSync(bytes)
  return encoding === 'deflate-raw' ? deflateRawSync(bytes) : bytes
}
