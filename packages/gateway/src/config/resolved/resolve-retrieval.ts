import { join, resolve } from 'node:path'
import { readIndexAddress } from '@stickler/ask/config'
import { shownUrl } from '../../upstreams/settings/base-url.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import type { WrittenRetrieval } from '../schema/retrieval-schema.ts'
import type { StoreConfig } from './gateway-config.ts'
import { withoutPassword } from './resolve-store.ts'
import type { EmbeddingsConfig, IndexConfig, ModelChoice, RelevanceConfig, RetrievalConfig } from './retrieval-config.ts'

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

/** Fills in all defaults of a valid `retrieval`, and secrets from the environment. */
export function resolveRetrieval(written: WrittenRetrieval, around: RetrievalSurroundings): RetrievalConfig {
  const { index, indexEnv, collection, chunks, embeddings, relevance, classifier, reformulation } = written
  const address =
    index ?? (indexEnv === undefined ? undefined : fromEnvironment(around.env, indexEnv)) ?? join(around.store.folder, 'index.db')
  const choose = (choice: 'rules' | { upstream: string; model?: string | undefined }): ModelChoice | undefined =>
    choice === 'rules' ? undefined : chosen(choice, around.upstreams)
  return {
    index: resolveIndex(address, around.folder),
    collection,
    chunks,
    embeddings: resolveEmbeddings(embeddings, around.env),
    relevance: resolveRelevance(relevance, around.upstreams),
    ...defined({ classifier: choose(classifier), reformulation: choose(reformulation) }),
  }
}

/**
 * Resolves the address of an index; files are relative to `folder`. Throws a ConfigurationError
 * when it is invalid.
 */
export function resolveIndex(address: string, folder: string): IndexConfig {
  const read = readIndexAddress(address)
  if (read.kind !== 'sqlite') return withSecrets({ kind: read.kind, shown: withoutPassword(read.url) }, { url: read.url })
  const path = resolve(folder, read.path)
  return withSecrets({ kind: read.kind, shown: path }, { url: path })
}

function resolveEmbeddings(written: WrittenRetrieval['embeddings'], env: Environment): EmbeddingsConfig {
  if (typeof written === 'string') return { kind: written }
  const { baseUrl, model, apiKeyEnv, dimensions, timeout } = written
  const shown = shownUrl(baseUrl)
  const apiKey = apiKeyEnv === undefined ? undefined : fromEnvironment(env, apiKeyEnv)
  return withSecrets(
    { kind: 'service' as const, shown, model, timeoutMs: timeout * 1000, ...defined({ dimensions }) },
    { baseUrl: shown.includes('?') ? baseUrl : shown, ...(apiKey === undefined ? {} : { apiKey }) },
  )
}

function resolveRelevance(written: WrittenRetrieval['relevance'], upstreams: readonly NamedModel[]): RelevanceConfig {
  if (written.strategy === 'llm') return { strategy: written.strategy, model: chosen(written, upstreams) }
  return { strategy: written.strategy, ...defined({ threshold: written.threshold }) }
}

function chosen(
  { upstream, model }: { readonly upstream: string; readonly model?: string | undefined },
  upstreams: readonly NamedModel[],
): ModelChoice {
  const asked = model ?? upstreams.find(({ name }) => name === upstream)?.model
  return { upstream, ...defined({ model: asked }) }
}
