import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SentError } from '@stickler/core/internal/relay'
import { hasBoundedBody } from '../body-reader.ts'
import type { Exchange } from '../exchange.ts'
import type { ErrorBody } from './error-bodies.ts'
import { type ExtraHeaders, sendBody } from './json-response.ts'

/**
 * Sends an error; a connection with an unread body is kept only when the rest is known to be small.
 */
export function sendError(
  exchange: Pick<Exchange, 'request' | 'response' | 'requestId'>,
  write: ErrorBody,
  { error, headers }: SentError,
  maxBodyBytes: number,
): void {
  const { request } = exchange
  const body = write(error)
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (request.complete || hasBoundedBody(request, maxBodyBytes)) sendBody(exchange, error.status, type, text, headers)
  else sendBeforeEnd(exchange, error.status, type, text, headers)
}

/** Answers a request whose body has not been read, and may never end: the connection is closed afterwards. */
export function sendBeforeEnd(
  exchange: Pick<Exchange, 'request' | 'response' | 'requestId'>,
  status: number,
  type: string,
  text: string,
  headers?: ExtraHeaders,
): void {
  const { request, response } = exchange
  response.shouldKeepAlive = false
  sendBody(exchange, status, type, text, headers, (open: ServerResponse, last) => linger(request, open, last))
}

const longestMs = 1000
const mostBytes = 16 * 1024 * 1024

/**
 * Ends a reply that came before the end of its request: closing a connection with unread bytes
 * would discard the reply.
 */
function linger(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  let skipped = 0
  const end = () => {
    clearTimeout(timer)
    if (!response.writableEnded) response.end()
  }
  const timer = setTimeout(end, longestMs).unref()
  response.write(body)
  request.removeAllListeners('data')
  request.on('data', (chunk: Uint8Array) => {
    skipped += chunk.length
    if (skipped > mostBytes) end()
  })
  request.once('end', end)
  response.once('close', () => clearTimeout(timer))
  request.resume()
}
