import type { ServerResponse } from 'node:http'
import { hasBoundedBody } from '../body-reader.ts'
import type { Exchange } from '../exchange.ts'
import { linger } from '../linger.ts'
import type { ErrorBody } from './client-error.ts'
import type { SentError } from './errors.ts'
import { sendBody } from './json-response.ts'

/** Answers with an error; a connection whose body has not been read is kept only when the rest is known to be small. */
export function sendError(
  exchange: Pick<Exchange, 'request' | 'response' | 'requestId'>,
  write: ErrorBody,
  { error, headers }: SentError,
  maxBodyBytes: number,
): void {
  const { request, response } = exchange
  const body = write(error)
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (request.complete || hasBoundedBody(request, maxBodyBytes)) {
    sendBody(exchange, error.status, type, text, headers)
    return
  }
  response.shouldKeepAlive = false
  sendBody(exchange, error.status, type, text, headers, (open: ServerResponse, last) => linger(request, open, last))
}
