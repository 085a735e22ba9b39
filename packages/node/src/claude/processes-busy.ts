import { HeldBack } from '@stickler/core/internal'

/** Thrown when all processes are busy and the queue is full: nothing was started. */
export class ProcessesBusy extends HeldBack {
  constructor(command: string, processes: number, queue: number) {
    const detail = `all ${processes} processes of ${command} are busy and ${queue} calls are queued`
    super('http', detail, { status: 503, code: 'busy', retryAfterMs: 5000 })
  }
}
