import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { MethodDefinition } from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'

/** A question, as it is on the wire. */
export interface WireQuestion {
  readonly query: string
  readonly sessionId: string
}

/** A part of an answer, as it is on the wire. */
export interface WireAnswer {
  readonly text: string
  readonly avapCode: string
  readonly isFinal: boolean
  readonly validationStatus: string
}

/** The methods of the service. */
export interface GrpcMethods {
  readonly AskAgent: MethodDefinition<WireQuestion, WireAnswer>
  readonly AskAgentStream: MethodDefinition<WireQuestion, WireAnswer>
}

/** The name of the service, for health checks. */
export const grpcServiceName = 'brunix.AssistanceEngine'

/** Loads the `.proto`, which is shipped with the package: found by its name, so from sources, builds and bundles alike. */
export function loadProto(): { readonly definition: PackageDefinition; readonly methods: GrpcMethods } {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@stickler/gateway/package.json')), 'proto')
  const load = (keepCase: boolean): PackageDefinition =>
    loadSync('brunix/assistance_engine.proto', { includeDirs: [folder], defaults: true, keepCase })
  // Reflection shows the names of fields as they are written.
  return { definition: load(true), methods: load(false)[grpcServiceName] as unknown as GrpcMethods }
}
