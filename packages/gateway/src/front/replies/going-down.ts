import type { StopSignal } from '@stickler/core'
import { HttpError } from './http-error.ts'

/** What clients are told while the gateway goes down. */
export const goingDown = new HttpError(503, 'The gateway is going down; try again in a moment.', {
  type: 'overloaded_error',
  code: 'shutting_down',
  headers: { 'retry-after': '1' },
})

/** What clients are told while too many are there. */
export const overloaded = new HttpError(503, 'Too many requests at once; try again in a moment.', {
  code: 'overloaded',
  headers: { 'retry-after': '1' },
})

/** Why work is aborted that outlasts the gateway; an AbortError, so that all who only ask whether to stop need not know it. */
export const cutOff = new DOMException('the gateway is going down', 'AbortError')

/** Whether the gateway ended the work, and the client may still be there to be told. */
export function isCutOff({ aborted, reason }: StopSignal): boolean {
  return aborted && reason === cutOff
}
