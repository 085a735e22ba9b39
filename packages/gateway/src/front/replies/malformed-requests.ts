import type { Duplex } from 'node:stream'
import { HttpError, openaiErrorBody } from '@stickler/core/internal/apis'
import { describeError } from '@stickler/core/internal/relay'
import { apiHeaders, headerList } from './reply-headers.ts'

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

const lingerMs = 1000

/** The error for bytes that are not a valid request. */
export function malformedRequest(error: NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }): HttpError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isWithinTarget(error.rawPacket, error.bytesParsed) ? targetTooLong() : headersTooLarge()
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError(413, 'The chunk extensions are too large.', { code: 'body_too_large' })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'The request did not arrive in time.', { code: 'request_timeout' })
    default:
      return new HttpError(400, 'This is not a valid HTTP request.', { code: 'malformed_request' })
  }
}

/** The error for a path and query that are too long. */
export function targetTooLong(): HttpError {
  return new HttpError(414, 'The URL is too long.', { code: 'url_too_long' })
}

/** The error for too many or too large headers. */
export function headersTooLarge(): HttpError {
  return new HttpError(431, 'There are too many headers, or they are too large.', { code: 'headers_too_large' })
}

/** Replies on a connection without a valid request, and closes it. */
export function answerRaw(socket: Duplex, error: HttpError, requestId: string): void {
  const sent = describeError(error, requestId)
  if (!socket.writable || sent === undefined) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(openaiErrorBody(sent.error))
  const extra = { ...sent.headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const list = headerList(apiHeaders, 'application/json; charset=utf-8', requestId, extra)
  const lines = [`HTTP/1.1 ${error.status} ${phrases[error.status] ?? 'Error'}`]
  for (let index = 0; index < list.length; index += 2) lines.push(`${list[index]}: ${list[index + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // Closed a little later: closing with unread bytes would discard the reply.
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

// The parser counts both together; before the first line break it was still in the request line.
function isWithinTarget(packet: Buffer | undefined, parsed = 0): boolean {
  if (packet === undefined) return false
  const head = packet.toString('latin1', 0, Math.max(parsed, 64))
  return /^[A-Z]{3,10} /.test(head) && !head.includes('\n')
}
