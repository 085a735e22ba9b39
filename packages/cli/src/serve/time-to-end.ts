import type { GatewayConfig } from '@stickler/gateway'
import type { Io } from '../io.ts'

/** For what comes after the last request: what is recorded reaches the database. */
const closingMs = 30_000

/** Gives a gateway the time to end that its configuration grants to requests, and some more. */
export function giveTimeToEnd(io: Io, { server }: GatewayConfig): void {
  io.allowToEnd?.(server.shutdownGraceMs + closingMs)
}
