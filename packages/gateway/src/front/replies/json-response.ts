import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { apiHeaders, headerList, pageHeaders } from './reply-headers.ts'

/** Further headers of one answer. */
export type ExtraHeaders = Readonly<Record<string, string | number>>

/** What a reply needs to know of its request. */
type Answerable = Pick<Exchange, 'response' | 'requestId'>

const jsonType = 'application/json; charset=utf-8'

/** Answers with JSON. */
export function sendJson(exchange: Answerable, status: number, body: unknown, headers?: ExtraHeaders): void {
  sendBody(exchange, status, jsonType, JSON.stringify(body), headers)
}

/** Sends serialized JSON. */
export function sendJsonText(exchange: Answerable, status: number, json: string, headers?: ExtraHeaders): void {
  sendBody(exchange, status, jsonType, json, headers)
}

/** Answers with text; pages get the headers that pages need. */
export function sendText(
  exchange: Answerable,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
  headers?: ExtraHeaders,
): void {
  sendBody(exchange, status, contentType, text, headers)
}

/** Answers with a body of any type; `finish` may end it later than at once. */
export function sendBody(
  { response, requestId }: Answerable,
  status: number,
  contentType: string,
  body: string | Uint8Array,
  headers?: ExtraHeaders,
  finish: (response: ServerResponse, body: Uint8Array) => void = endNow,
): void {
  const list = headerList(contentType.startsWith('text/html') ? pageHeaders : apiHeaders, contentType, requestId, headers)
  // As bytes, because Node would put the head before a text and copy both.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  list.push('content-length', String(bytes.length))
  response.writeHead(status, list)
  finish(response, bytes)
}

/** Answers that it is done, without a body. */
export function sendNothing({ response, requestId }: Answerable): void {
  response.writeHead(204, [...apiHeaders, 'x-request-id', requestId]).end()
}

function endNow(response: ServerResponse, body: Uint8Array): void {
  response.end(body)
}
