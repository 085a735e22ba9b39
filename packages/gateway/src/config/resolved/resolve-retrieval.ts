import { join, resolve } from 'node:path'
import { readIndexAddress } from '@stickler/ask/internal/config'
import { ConfigurationError } from '@stickler/core'
import { notSet } from '@stickler/node/internal/config'
import { shownUrl } from '../../upstreams/settings/base-url.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import { type ConfigValue, configSchema } from '../schema/config-schema.ts'
import { retrievalSchema, type WrittenRetrieval } from '../schema/retrieval-schema.ts'
import type { EmbeddingsConfig, IndexConfig, ModelChoice, RetrievalConfig, StoreConfig } from './gateway-config.ts'
import { withoutPassword, writtenStore } from './resolve-store.ts'

/** The context of a written `retrieval`. */
export interface RetrievalSurroundings {
  readonly env: Environment
  /** The folder of the configuration. */
  readonly folder: string
  readonly store: Pick<StoreConfig, 'folder'>
  readonly upstreams: readonly NamedModel[]
}

/** An upstream, as far as its model is chosen by its name. */
type NamedModel = { readonly name: string; readonly model?: string | undefined }

/** Adds to a valid `retrieval` its full address, secrets from the environment, and the models of upstreams. */
export function resolveRetrieval(written: WrittenRetrieval, around: RetrievalSurroundings): RetrievalConfig {
  const { index, indexEnv, embeddings, relevance, classifier, reformulation, ...rest } = written
  const address =
    index ?? (indexEnv === undefined ? undefined : fromEnvironment(around.env, indexEnv)) ?? join(around.store.folder, 'index.db')
  const chosen = <Choice extends ModelChoice>(choice: Choice): Choice => {
    const model = choice.model ?? around.upstreams.find(({ name }) => name === choice.upstream)?.model
    return { ...choice, ...defined({ model }) }
  }
  const model = (choice: 'rules' | ModelChoice) => (choice === 'rules' ? undefined : chosen(choice))
  return {
    ...rest,
    index: resolveIndex(address, around.folder),
    embeddings: resolveEmbeddings(embeddings, around.env),
    relevance: relevance.strategy === 'llm' ? chosen(relevance) : relevance,
    ...defined({ classifier: model(classifier), reformulation: model(reformulation) }),
  }
}

/**
 * The retrieval settings for commands that serve nothing; the defaults when absent. Throws a
 * ConfigurationError for missing environment variables.
 */
export function commandRetrieval(
  value: Pick<ConfigValue, 'retrieval' | 'store' | 'upstreams'> | undefined,
  { env, folder }: { readonly env: Environment; readonly folder: string },
): RetrievalConfig {
  const { retrieval = retrievalSchema.parse({}), store: written, upstreams } = value ?? configSchema.parse({})
  const { indexEnv, embeddings } = retrieval
  const variables = [
    { name: indexEnv, path: ['retrieval', 'indexEnv'] },
    { name: typeof embeddings === 'string' ? undefined : embeddings.apiKeyEnv, path: ['retrieval', 'embeddings', 'apiKeyEnv'] },
  ]
  const missing = variables.flatMap(({ name, path }) =>
    name === undefined || fromEnvironment(env, name) !== undefined ? [] : [{ path, message: notSet(name) }],
  )
  if (missing.length > 0) throw new ConfigurationError(missing)
  return resolveRetrieval(retrieval, { env, folder, store: writtenStore(written, { env, folder }), upstreams })
}

/**
 * Resolves the address of an index; files are relative to `folder`. Throws a ConfigurationError
 * when it is invalid.
 */
function resolveIndex(address: string, folder: string): IndexConfig {
  const read = readIndexAddress(address)
  if ('url' in read) return withSecrets({ kind: read.kind, shown: withoutPassword(read.url) }, { url: read.url })
  const path = resolve(folder, read.path)
  return withSecrets({ kind: read.kind, shown: path }, { url: path })
}

function resolveEmbeddings(written: WrittenRetrieval['embeddings'], env: Environment): EmbeddingsConfig {
  if (typeof written === 'string') return { kind: written }
  const { baseUrl, apiKeyEnv, ...rest } = written
  const shown = shownUrl(baseUrl)
  const apiKey = apiKeyEnv === undefined ? undefined : fromEnvironment(env, apiKeyEnv)
  return withSecrets(
    { ...rest, kind: 'service' as const, shown },
    { baseUrl: shown.includes('?') ? baseUrl : shown, ...(apiKey === undefined ? {} : { apiKey }) },
  )
}
