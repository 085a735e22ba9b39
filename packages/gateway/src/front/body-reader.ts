import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from '@stickler/core/internal/apis'

/** The error for a body that is larger than the limit. */
export function tooLarge(limit: number): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes.`, { code: 'body_too_large' })
}

/** Whether the rest of a body may be skipped to keep the connection: it is known to be small. */
export function hasBoundedBody({ headers }: IncomingMessage, limit: number): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  const declared = headers['content-length']
  return declared === undefined || Number(declared) <= limit
}

/** Reads a body once; `fail` ends the reading when the connection turns out to be broken. */
export class BodyReader {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #broken: HttpError | undefined
  #reject: ((reason: HttpError) => void) | undefined

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  /** Reads at most `limit` bytes, and stops at the first one more; `over` is called before anybody else hears that it has ended. */
  read(limit: number, over: () => void): Promise<Buffer> {
    const request = this.#request
    return new Promise((resolve, rejectWith) => {
      const chunks: Buffer[] = []
      let size = 0
      const reject = (error: HttpError): void => {
        over()
        rejectWith(error)
      }
      this.#reject = reject
      const isTooLarge = Number(request.headers['content-length'] ?? 0) > limit
      if (isTooLarge || this.#broken !== undefined) {
        reject(isTooLarge ? tooLarge(limit) : (this.#broken as HttpError))
        return
      }
      // Only now, so that a waiting client does not send a body that is rejected anyway.
      if (request.headers.expect !== undefined) this.#response.writeContinue()
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= limit) {
          chunks.push(chunk)
          return
        }
        chunks.length = 0
        request.pause()
        reject(tooLarge(limit))
      })
      request.on('end', () => {
        over()
        resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
      })
      request.on('error', () => reject(cutOff()))
      request.on('close', () => {
        if (!request.complete) reject(cutOff())
      })
    })
  }

  /** Ends the reading with an error. */
  fail(error: HttpError): void {
    this.#broken = error
    this.#reject?.(error)
  }
}

function cutOff(): HttpError {
  return new HttpError(400, 'The body is cut off.', { code: 'incomplete_body' })
}
