import type { GatewayConfig } from '@stickler/gateway'
import type { Io } from '../io.ts'

/** Time after the last request, for records to reach the database. */
const closingMs = 30_000

/** Grants a gateway the shutdown time of its configuration, and some more. */
export function giveTimeToEnd(io: Io, { server }: GatewayConfig): void {
  io.allowToEnd?.(server.shutdownGraceMs + closingMs)
}
