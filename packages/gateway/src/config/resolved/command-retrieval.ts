import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { fromEnvironment } from '../../upstreams/settings/environment.ts'
import { type ConfigValue, configSchema } from '../schema/config-schema.ts'
import { retrievalSchema } from '../schema/retrieval-schema.ts'
import { resolveRetrieval } from './resolve-retrieval.ts'
import { writtenStore } from './resolve-store.ts'
import type { RetrievalConfig } from './retrieval-config.ts'

/**
 * The retrieval settings for commands that serve nothing; the defaults when absent. Throws a
 * ConfigurationError for missing environment variables.
 */
export function commandRetrieval(
  value: Pick<ConfigValue, 'retrieval' | 'store' | 'upstreams'> | undefined,
  { env, folder }: { readonly env: Environment; readonly folder: string },
): RetrievalConfig {
  const { retrieval = retrievalSchema.parse({}), store: written, upstreams } = value ?? { ...configSchema.parse({}), retrieval: undefined }
  const missing = variablesOf(retrieval).filter(({ name }) => fromEnvironment(env, name) === undefined)
  if (missing.length > 0) throw new ConfigurationError(missing.map(notSet))
  const store = writtenStore(written, { env, folder })
  return resolveRetrieval(retrieval, { env, folder, store, upstreams })
}

interface Variable {
  readonly name: string
  readonly path: readonly string[]
}

function variablesOf({ indexEnv, embeddings }: NonNullable<ConfigValue['retrieval']>): readonly Variable[] {
  const key = typeof embeddings === 'string' ? undefined : embeddings.apiKeyEnv
  return [
    ...(indexEnv === undefined ? [] : [{ name: indexEnv, path: ['retrieval', 'indexEnv'] }]),
    ...(key === undefined ? [] : [{ name: key, path: ['retrieval', 'embeddings', 'apiKeyEnv'] }]),
  ]
}

function notSet({ name, path }: Variable): ConfigurationProblem {
  return { path, message: `the environment variable ${name} is not set` }
}
