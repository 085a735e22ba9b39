import type { WorkerAddress } from './workers.ts'

/** What a worker sends to its parent process when all its listeners are ready. */
export interface ReadyMessage {
  readonly ready: WorkerAddress
}

/** Recognizes these messages. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message
}

/** The ports of a gateway. */
export function addressOf({ url, grpcUrl }: { readonly url: string; readonly grpcUrl?: string }): WorkerAddress {
  return { port: portOf(url), ...(grpcUrl === undefined ? {} : { grpcPort: portOf(grpcUrl) }) }
}

/** The default port of a scheme is omitted from addresses. */
function portOf(url: string): number {
  return Number(/:(\d+)$/.exec(url)?.[1] ?? 80)
}
