import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { MethodDefinition } from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'

/** A request for a verdict, as it is on the wire. */
export interface WireRequest {
  readonly language: string
  readonly source: string
}

/** A fault, as it is on the wire. */
interface WireFault {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly message: string
  readonly suggestion: string
}

/** A verdict, as it is on the wire; a number is one that this version does not know. */
export interface WireReply {
  readonly verdict: 'VERDICT_UNSPECIFIED' | 'VALID' | 'INVALID' | 'UNSUPPORTED' | number
  readonly trace: readonly WireFault[]
}

/** The languages, as they are on the wire. */
interface WireLanguages {
  readonly languages: readonly string[]
}

/** The methods of the service. */
interface ParserMethods {
  readonly Parse: MethodDefinition<WireRequest, WireReply>
  readonly Languages: MethodDefinition<object, WireLanguages>
}

/** The name of the service, for health checks. */
export const parserServiceName = 'stickler.parser.v1.Parser'

/** Loads our `.proto`, which is shipped with the package: found by its name, so from sources, builds and bundles alike. */
export function loadParserProto(): { readonly definition: PackageDefinition; readonly methods: ParserMethods } {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@stickler/parser/package.json')), 'proto')
  const load = (keepCase: boolean): PackageDefinition =>
    loadSync('stickler/parser/v1/parser.proto', { includeDirs: [folder], enums: String, defaults: true, keepCase })
  // Reflection shows the names of fields as they are written.
  return { definition: load(true), methods: load(false)[parserServiceName] as unknown as ParserMethods }
}
