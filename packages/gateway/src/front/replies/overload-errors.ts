import type { StopSignal } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'

/** The error while the gateway shuts down. */
export const goingDown = new HttpError(503, 'The gateway is shutting down; try again in a moment.', {
  type: 'overloaded_error',
  code: 'shutting_down',
  headers: { 'retry-after': '1' },
})

/** The error while too many requests are running. */
export const overloaded = new HttpError(503, 'Too many requests at once; try again in a moment.', {
  code: 'overloaded',
  headers: { 'retry-after': '1' },
})

/** The error while a caller, a key or without keys an address, has as many requests as it may have. */
export function tooManyAtOnce(most: number): HttpError {
  return new HttpError(
    429,
    `This caller has ${most} requests in progress, which is all it may have; try again when one of them has ended.`,
    {
      code: 'concurrency_exceeded',
      // Nothing was called, so that sending it again costs nothing.
      headers: { 'retry-after': '1', 'x-should-retry': 'true' },
    },
  )
}

/**
 * Why work is aborted at shutdown; an AbortError, so that callers that only check for aborts need
 * not know it.
 */
export const cutOff = new DOMException('the gateway is shutting down', 'AbortError')

/** Whether the gateway aborted the work, and the client may still be connected. */
export function isCutOff({ aborted, reason }: StopSignal): boolean {
  return aborted && reason === cutOff
}
