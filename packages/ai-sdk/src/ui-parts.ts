import type { Issue, Status, TraceEvent, TraceListener } from '@stickler/core'

/** What a `data-stickler` part says: how far the answer is, or what has become of it. */
export interface SticklerData {
  /** `working` until the answer is delivered or given up. */
  readonly status: 'working' | Status
  /** Number of the current call of the model, or of all of them at the end. */
  readonly attempt: number
  /** What is wrong with the last answer, or remains at the end. */
  readonly issues: readonly Pick<Issue, 'code' | 'severity' | 'message'>[]
}

/** The data parts of a `UIMessage`, for `useChat` and `createUIMessageStream`; intersect it with your own. */
export type SticklerDataParts = {
  /** Written by `progressTo`. */
  stickler: SticklerData
}

/** Shows each run in a UI stream: pass it as `onEvent`. A part is transient while the model is asked, and the last one stays in the message. */
export function progressTo(writer: {
  write(part: { readonly type: 'data-stickler'; readonly id: string; readonly data: SticklerData; readonly transient?: boolean }): void
}): TraceListener {
  const write = ({ run: id }: TraceEvent, data: SticklerData): void =>
    writer.write({ type: 'data-stickler', id, data, ...(data.status === 'working' && { transient: true }) })
  return (event) => {
    if (event.type === 'attempt-started') write(event, { status: 'working', attempt: event.attempt, issues: [] })
    if (event.type === 'checked' || event.type === 'attempt-stopped')
      write(event, { status: 'working', attempt: event.attempt, issues: event.issues.map(shown) })
    if (event.type === 'run-ended') write(event, { status: event.status, attempt: event.attempts, issues: event.issues.map(shown) })
  }
}

function shown({ code, severity, message }: Issue): SticklerData['issues'][number] {
  return { code, severity, message }
}
