import type { Gateway } from './gateway.ts'
import type { GatewayOptions } from './gateway-parts.ts'

/**
 * Starts a gateway, which is loaded only now: configurations are read far more often than served.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = await import('./gateway.ts')
  return gateway.startGateway(options)
}
