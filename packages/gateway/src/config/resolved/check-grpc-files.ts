import { ConfigurationError } from '@stickler/core'
import type { GatewayConfig } from './gateway-config.ts'
import { readGrpcTls } from './grpc-config.ts'

/**
 * Reads the gRPC certificate and its key; rejects with a ConfigurationError when they are invalid.
 */
export async function checkGrpcFiles({ grpc }: GatewayConfig): Promise<void> {
  const tls = grpc && (await readGrpcTls(grpc))
  if (tls === undefined) return
  const { createSecureContext } = await import('node:tls')
  try {
    createSecureContext(tls)
  } catch {
    throw new ConfigurationError([{ message: 'the certificate or its key is wrong', path: ['grpc', 'tls'] }])
  }
}
