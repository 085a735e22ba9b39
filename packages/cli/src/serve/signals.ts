import type { GatewayConfig } from '@stickler/gateway'
import type { Io } from '../io.ts'

/** Handles SIGHUP for a process that is still starting: a signal during startup is handled after it. */
export interface Hangups {
  /** Handles each one from now on. */
  answer(listener: () => void): void
  forget(): void
}

/** Listens from now on, so that SIGHUP does not end the process. */
export function gatherHangups(onHangup: (listener: () => void) => () => void): Hangups {
  let hasCome = false
  let listener = (): void => {
    hasCome = true
  }
  const forget = onHangup(() => listener())
  return {
    answer(next) {
      listener = next
      if (hasCome) next()
    },
    forget,
  }
}

/** Resolves when a signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Time after the last request, for records to reach the database. */
const closingMs = 30_000

/** Grants a gateway the shutdown time of its configuration, and some more. */
export function giveTimeToEnd(io: Io, { server }: GatewayConfig): void {
  io.allowToEnd?.(server.shutdownGrace + closingMs)
}
