import type { Contract, SourcePosition } from '@stickler/core'
import type { ParserSettings } from '@stickler/parser/config'
import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import type { LoadedPlugin } from '../plugins/plugin-set.ts'
import type { GrpcConfig } from './grpc-config.ts'
import type { KeyLimits } from './key-limits.ts'
import type { RulesConfig } from './outside-rules.ts'
import type { RetrievalConfig } from './retrieval-config.ts'

/** A complete configuration; secrets can be read but never print. */
export interface GatewayConfig {
  /** The name of the file, for messages. */
  readonly file: string
  /** The place of a key in the file, or of the nearest one above it; absent where there is no file. */
  positionOf?(path: readonly (string | number)[]): SourcePosition
  readonly server: ServerConfig
  readonly store: StoreConfig
  /** In the order of the file. */
  readonly upstreams: readonly UpstreamConfig[]
  /** Keys that are sent nowhere, because the variable named for them is not set; only models on this machine may do without. */
  readonly unsetKeys?: readonly UnsetKey[]
  readonly contracts: ReadonlyMap<string, Contract>
  /** The plugins whose validators the contracts may use; absent where there is no file. */
  readonly plugins?: readonly LoadedPlugin[]
  readonly routes: readonly RouteConfig[]
  /** Where passages for pipelines come from; absent when there are none. */
  readonly retrieval?: RetrievalConfig
  /** Absent when there is no `/ask`. */
  readonly ask?: AskConfig
  /** Absent when there is no gRPC. */
  readonly grpc?: GrpcConfig
  /** The parser that checks code. */
  readonly parser: ParserSettings
  /** The settings of external rules; absent where there is no file. */
  readonly rules?: RulesConfig
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent' }
  readonly metrics: { readonly enabled: boolean }
}

/** A variable that `apiKeyEnv` names and that is not set. */
export interface UnsetKey {
  /** `upstream NAME`, or `embeddings`. */
  readonly of: string
  readonly variable: string
}

/** Where and how to listen. */
export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly workers: number
  /** In bytes. */
  readonly bodyLimit: number
  readonly inFlight: number
  readonly heartbeatMs: number
  readonly shutdownGraceMs: number
  readonly deadlineMs: number
  readonly allowedHosts: readonly string[]
  readonly origins: readonly string[]
  readonly trustedProxies: readonly string[]
  /** The threads that check large answers. */
  readonly judging: JudgingConfig
  /** What each key may use. */
  readonly perKey: KeyLimits
  /** A separate listener for operators; absent when one listener serves all. */
  readonly admin?: { readonly host: string; readonly port: number }
  /** Client keys; without these and operator keys, anyone on this machine may do everything. */
  readonly keyCount: number
  /** The variable named for client keys, if it is empty. */
  readonly emptyKeysEnv?: string
  readonly operatorKeyCount: number
  /** Secret: the client keys as `createKeyring` reads them. */
  readonly keys: string
  /** Secret: the keys of operators. */
  readonly operatorKeys: string
}

/** Threads that check large answers, and every answer for plugins. */
export interface JudgingConfig {
  /** In characters. */
  readonly threshold: number
  /** By the number of cores when absent. */
  readonly threads?: number
  readonly deadlineMs: number
  readonly queue: number
  readonly memoryMb: number
}

/** Where runs are recorded. */
export interface StoreConfig {
  readonly kind: 'sqlite' | 'postgres'
  /** The file of an SQLite store; absent in memory. */
  readonly path?: string
  /** Full path of the folder for journals. */
  readonly folder: string
  /** The address without its password. */
  readonly shown: string
  /** Secret: the whole address; that of an SQLite file has its full path. */
  readonly url: string
  readonly keepText: boolean
  /** What happens to answers that cannot be recorded. */
  readonly onFull: 'serve' | 'refuse'
  readonly retentionDays: number
}

/** One upstream of a route. */
export interface RouteTarget {
  readonly upstream: string
  /** The model name to send; the client's when absent. */
  readonly model?: string
}

/** The route of a model name. */
export interface RouteConfig {
  /** `*` matches all others. */
  readonly model: string
  /** In order of preference; at least one. */
  readonly targets: readonly [RouteTarget, ...RouteTarget[]]
  /** Name of the contract; absent when answers pass unenforced. */
  readonly contract?: string
  /** Name of the pipeline that finds passages and chooses the contract. */
  readonly pipeline?: string
  readonly errorsAs: 'frame' | 'text'
  /** The status of a withheld answer, in place of 422 and 424. */
  readonly refusalStatus?: 400 | 406 | 422
  readonly exemptTasks: readonly string[]
  /** APIs whose answers pass unenforced although there is a contract. */
  readonly exemptApis: readonly 'completions'[]
  /** Most messages of a request, and most characters of each. */
  readonly messages: { readonly count: number; readonly characters: number }
  /** Full path of the folder for checks that read files. */
  readonly root?: string
}

/** Questions over sources. */
export interface AskConfig {
  readonly upstreams: readonly string[]
  /** Name of the pipeline that answers questions without sources. */
  readonly pipeline?: string
  readonly cache: { readonly enabled: boolean; readonly ttlSeconds: number; readonly maxEntries: number }
  readonly limits: {
    readonly promptTokens: number
    readonly completionTokens: number
    readonly sources: number
    readonly sourceBytes: number
    readonly sourcesBytes: number
    readonly timeMs: number
    readonly dailyCostUsd?: number
  }
  readonly audit: { readonly answer: boolean; readonly question: boolean; readonly retentionDays: number }
}
