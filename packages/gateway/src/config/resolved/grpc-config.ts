import { ConfigurationError } from '@stickler/core'
import { readNamedFile } from '@stickler/node/internal/files'
import type { GatewayConfig, GrpcConfig } from './gateway-config.ts'

/** The certificate and its key, as in their files. */
interface GrpcTls {
  readonly cert: string
  readonly key: string
}

/** Certificates with their chains are smaller. */
const largestFile = 1024 * 1024

/** Reads the certificate files; throws a ConfigurationError that names the unreadable one. */
export async function readGrpcTls({ tls }: GrpcConfig): Promise<GrpcTls | undefined> {
  if (tls === undefined) return undefined
  // One after the other, so that the same file is named each time when both are missing.
  const cert = await readPem(tls.cert, 'cert')
  return { cert, key: await readPem(tls.key, 'key') }
}

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

function readPem(path: string, name: keyof GrpcTls): Promise<string> {
  return readNamedFile(path, largestFile, (message) => new ConfigurationError([{ message, path: ['grpc', 'tls', name] }]))
}
