import type { Gateway, GatewayOptions } from './gateway.ts'

/** Starts a gateway, which is loaded only now: configurations are read far more often than they are served. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = await import('./gateway.ts')
  return gateway.startGateway(options)
}
