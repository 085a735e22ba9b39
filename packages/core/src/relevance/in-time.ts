import { systemClock } from '../contract/ports.ts'

/** Waits for a call at most so long, and not past the caller's end; what the call began is told to end. */
export async function inTime<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  outer: AbortSignal | undefined,
): Promise<Result> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(outer?.reason)
  outer?.addEventListener('abort', onAbort, { once: true })
  const cancel = systemClock.after(timeoutMs, () => controller.abort(new Error(`there was no answer within ${timeoutMs} ms`)))
  try {
    const { signal } = controller
    const ended = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return await Promise.race([call(signal), ended])
  } finally {
    cancel()
    outer?.removeEventListener('abort', onAbort)
  }
}
