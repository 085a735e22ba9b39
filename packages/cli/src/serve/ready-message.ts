import type { WorkerAddress } from './workers.ts'

/** What a worker tells the process that started it when it listens everywhere. */
export interface ReadyMessage {
  readonly ready: WorkerAddress
}

/** Tells such messages from all others. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message
}

/** The ports of a gateway. */
export function addressOf({ url, grpcUrl }: { readonly url: string; readonly grpcUrl?: string }): WorkerAddress {
  return { port: portOf(url), ...(grpcUrl === undefined ? {} : { grpcPort: portOf(grpcUrl) }) }
}

/** The usual port of a scheme is left out of its addresses. */
function portOf(url: string): number {
  return Number(/:(\d+)$/.exec(url)?.[1] ?? 80)
}
