import type { Contract, ContractInput, SourcePosition } from '@stickler/core'
import type { LoadedPlugin } from '@stickler/node/internal/config'
import type { ParserSettings } from '@stickler/parser/internal/config'
import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import type { ConfigValue } from '../schema/config-schema.ts'
import type { WrittenRetrieval } from '../schema/retrieval-schema.ts'
import type { RulesConfig } from './outside-rules.ts'

/** Sections that are read as they are. */
type ReadAsWritten = Omit<
  ConfigValue,
  'server' | 'limits' | 'store' | 'upstreams' | 'plugins' | 'contracts' | 'routes' | 'retrieval' | 'parser'
>

/** A complete configuration: what the schema reads, and what takes the folder or the environment. Secrets can be read but never print. */
export interface GatewayConfig extends Readonly<ReadAsWritten> {
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
  /** The contracts as they are written, with the schemas of files inserted; absent where there is no file. */
  readonly writtenContracts?: Readonly<Record<string, ContractInput>>
  /** The plugins whose validators the contracts may use; absent where there is no file. */
  readonly plugins?: readonly LoadedPlugin[]
  readonly routes: readonly RouteConfig[]
  /** Where passages for pipelines come from; absent when there are none. */
  readonly retrieval?: RetrievalConfig
  /** The parser that checks code. */
  readonly parser: ParserSettings
  /** The settings of external rules; absent where there is no file. */
  readonly rules?: RulesConfig
}

/** A variable that `apiKeyEnv` names and that is not set. */
export interface UnsetKey {
  /** `upstream NAME`, or `embeddings`. */
  readonly of: string
  readonly variable: string
}

/** Where and how to listen. */
export interface ServerConfig extends Readonly<Omit<ConfigValue['server'], 'keysEnv' | 'operatorKeysEnv'>> {
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
export type JudgingConfig = ServerConfig['judging']

/** What one API key may use; unlimited where not set. */
export type KeyLimits = ServerConfig['perKey']

/** Where runs are recorded. */
export interface StoreConfig extends Readonly<Omit<ConfigValue['store'], 'url' | 'urlEnv'>> {
  readonly kind: 'sqlite' | 'postgres'
  /** The file of an SQLite store; absent in memory. */
  readonly path?: string
  /** Full path of the folder for journals. */
  readonly folder: string
  /** The address without its password. */
  readonly shown: string
  /** Secret: the whole address; that of an SQLite file has its full path. */
  readonly url: string
}

/** One upstream of a route. */
export interface RouteTarget {
  readonly upstream: string
  /** The model name to send; the client's when absent. */
  readonly model?: string
}

type WrittenRoute = ConfigValue['routes'][number]

/** The route of a model name; its `root` is a full path. */
export interface RouteConfig extends Readonly<Omit<WrittenRoute, 'upstream' | 'upstreamModel' | 'fallback'>> {
  /** In order of preference; at least one. */
  readonly targets: readonly [RouteTarget, ...RouteTarget[]]
  /** Most messages of a request, and most characters of each. */
  readonly messages: Required<WrittenRoute['messages']>
}

/** Questions over sources. */
export type AskConfig = NonNullable<ConfigValue['ask']>

/** Where questions are answered over gRPC; the files of its certificate are full paths. */
export type GrpcConfig = NonNullable<ConfigValue['grpc']>

type EmbeddingsKeys = Exclude<WrittenRetrieval['embeddings'], string>

/** The complete retrieval settings. */
export interface RetrievalConfig
  extends Readonly<Omit<WrittenRetrieval, 'index' | 'indexEnv' | 'embeddings' | 'classifier' | 'reformulation'>> {
  readonly index: IndexConfig
  readonly embeddings: EmbeddingsConfig
  /** The model that classifies; rules when absent. */
  readonly classifier?: ModelChoice
  /** The model that rewrites queries; rules when absent. */
  readonly reformulation?: ModelChoice
}

/** Where passages are stored. */
export interface IndexConfig {
  /** The name of its engine. */
  readonly kind: string
  /** The address without its password; that of a file is its full path. */
  readonly shown: string
  /** Secret: the whole address. */
  readonly url: string
}

/** What computes vectors. */
export type EmbeddingsConfig = { readonly kind: 'none' } | { readonly kind: 'local' } | EmbeddingsService

/** An OpenAI-compatible embeddings service. */
export interface EmbeddingsService extends Readonly<Omit<EmbeddingsKeys, 'apiKeyEnv'>> {
  readonly kind: 'service'
  /** The address without its query. */
  readonly shown: string
  /** Secret when it has a query. */
  readonly baseUrl: string
  /** Secret. */
  readonly apiKey?: string
}

/** A model that helps to understand queries; its name is absent where the upstream has only one. */
export type ModelChoice = Readonly<Exclude<WrittenRetrieval['classifier'], string>>
