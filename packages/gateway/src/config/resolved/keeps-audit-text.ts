import type { GatewayConfig } from './gateway-config.ts'

/** Whether audit rows keep any text, which is settled when the store is opened. */
export function keepsAuditText({ ask }: GatewayConfig): boolean {
  return ask?.audit.answer === true || ask?.audit.question === true
}
