import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { MethodDefinition } from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'
import { assistanceService, type WireAnswer, type WireQuestion } from '@stickler/presets/internal'

type MethodName = (typeof assistanceService.methods)[keyof typeof assistanceService.methods]

/** The methods of the service. */
export type GrpcMethods = Readonly<Record<MethodName, MethodDefinition<WireQuestion, WireAnswer>>>

/** Loads the `.proto`, which is shipped with the presets: found by its name, so from sources, builds and bundles alike. */
export function loadProto(): { readonly definition: PackageDefinition; readonly methods: GrpcMethods } {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@stickler/presets/package.json')), 'proto')
  const load = (keepCase: boolean): PackageDefinition =>
    loadSync(assistanceService.proto, { includeDirs: [folder], defaults: true, keepCase })
  // Reflection shows the names of fields as they are written.
  return { definition: load(true), methods: load(false)[assistanceService.name] as unknown as GrpcMethods }
}
