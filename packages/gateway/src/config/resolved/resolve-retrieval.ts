import { join, resolve } from 'node:path'
import { readIndexAddress } from '@stickler/ask/internal/config'
import { defined } from '@stickler/core/internal'
import { shownUrl } from '../../upstreams/settings/base-url.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import { type ConfigValue, configSchema } from '../schema/config-schema.ts'
import { needVariables } from '../schema/named-variables.ts'
import { retrievalSchema, type WrittenRetrieval } from '../schema/retrieval-schema.ts'
import { type StoreConfig, withoutPassword, writtenStore } from './resolve-store.ts'

/** The complete retrieval settings. */
export type RetrievalConfig = Readonly<ReturnType<typeof resolveRetrieval>>

/** What computes vectors. */
export type EmbeddingsConfig = RetrievalConfig['embeddings']

/** A model that helps to understand queries; its name is absent where the upstream has only one. */
export type ModelChoice = NonNullable<RetrievalConfig['classifier']>

/** The context of a written `retrieval`. */
interface RetrievalSurroundings {
  readonly env: Environment
  /** The folder of the configuration. */
  readonly folder: string
  readonly store: Pick<StoreConfig, 'folder'>
  readonly upstreams: readonly { readonly name: string; readonly model?: string | undefined }[]
}

/** Adds to a valid `retrieval` its full address, secrets from the environment, and the models of upstreams. */
export function resolveRetrieval(written: WrittenRetrieval, { env, folder, store, upstreams }: RetrievalSurroundings) {
  const { index, indexEnv, embeddings, relevance, classifier, reformulation, ...rest } = written
  const address = index ?? (indexEnv === undefined ? undefined : fromEnvironment(env, indexEnv)) ?? join(store.folder, 'index.db')
  const chosen = <Choice extends { upstream: string; model?: string }>(choice: Choice): Choice => {
    const model = choice.model ?? upstreams.find(({ name }) => name === choice.upstream)?.model
    return { ...choice, ...defined({ model }) }
  }
  return {
    ...rest,
    index: resolveIndex(address, folder),
    embeddings: embeddings.kind === 'service' ? resolveEmbeddings(embeddings, env) : embeddings,
    relevance: relevance.strategy === 'llm' ? chosen(relevance) : relevance,
    // Rules where there is no model.
    ...defined({ classifier: classifier && chosen(classifier), reformulation: reformulation && chosen(reformulation) }),
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
  needVariables(retrievalSchema, retrieval, env, ['retrieval'])
  return resolveRetrieval(retrieval, { env, folder, store: writtenStore(written, { env, folder }), upstreams })
}

/** Resolves the address of an index; files are relative to `folder`. Throws a ConfigurationError when it is invalid. */
function resolveIndex(address: string, folder: string) {
  const read = readIndexAddress(address)
  const url = 'url' in read ? read.url : resolve(folder, read.path)
  return withSecrets({ kind: read.kind, shown: 'url' in read ? withoutPassword(url) : url }, { url })
}

function resolveEmbeddings(
  { baseUrl, apiKeyEnv, ...rest }: Extract<WrittenRetrieval['embeddings'], { kind: 'service' }>,
  env: Environment,
) {
  const shown = shownUrl(baseUrl)
  const apiKey = apiKeyEnv === undefined ? undefined : fromEnvironment(env, apiKeyEnv)
  // The displayed form is enough, unless it hides a query.
  return withSecrets({ ...rest, shown }, { baseUrl: shown.includes('?') ? baseUrl : shown, ...defined({ apiKey }) })
}
