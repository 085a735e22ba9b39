import { resolve } from 'node:path'
import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { isFields } from '@stickler/core/runners'
import { FileFault, readRegularFile } from '@stickler/node/files'
import type * as z from 'zod'
import { memberOf } from '../reading/plain-data.ts'
import type { grpcSchema } from '../schema/grpc-schema.ts'

/** Where questions are answered over gRPC. */
export interface GrpcConfig {
  readonly host: string
  readonly port: number
  /** Full paths of PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

/** The certificate and its key, as in their files. */
export interface GrpcTls {
  readonly cert: string
  readonly key: string
}

/** Certificates with their chains are smaller. */
const largestFile = 1024 * 1024

/** Fills in full paths. */
export function resolveGrpc({ host, port, tls }: z.output<typeof grpcSchema>, folder: string): GrpcConfig {
  return { host, port, ...(tls === undefined ? {} : { tls: { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) } }) }
}

/** Finds what `grpc` needs elsewhere; works on plain data. */
export function checkGrpc(data: unknown): ConfigurationProblem[] {
  const grpc = memberOf(data, 'grpc')
  if (!isFields(grpc)) return []
  const missing = memberOf(memberOf(data, 'ask'), 'pipeline') === undefined
  const { host, port } = grpc
  const server = memberOf(data, 'server')
  const isTwin = typeof port === 'number' && port > 0 && port === memberOf(server, 'port') && host === memberOf(server, 'host')
  return [
    ...(missing ? [{ message: 'questions over gRPC are answered by a pipeline; set ask.pipeline', path: ['grpc'] }] : []),
    ...(isTwin ? [{ message: `port ${port} is already used by the server`, path: ['grpc', 'port'] }] : []),
  ]
}

/** Reads the certificate files; throws a ConfigurationError that names the unreadable one. */
export async function readGrpcTls({ tls }: GrpcConfig): Promise<GrpcTls | undefined> {
  if (tls === undefined) return undefined
  const [cert, key] = await Promise.all([readPem(tls.cert, 'cert'), readPem(tls.key, 'key')])
  return { cert, key }
}

async function readPem(path: string, name: keyof GrpcTls): Promise<string> {
  try {
    return await readRegularFile(path, largestFile)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const because = error instanceof FileFault ? error.message : code === 'ENOENT' ? 'there is no such file' : code
    throw new ConfigurationError([{ message: `cannot read ${path}: ${because}`, path: ['grpc', 'tls', name] }])
  }
}
