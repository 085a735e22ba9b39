import { ConfigurationError } from '@stickler/core'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { fromEnvironment } from '../../upstreams/settings/environment.ts'
import { notSet } from '../reading/expand-environment.ts'
import { type ConfigValue, configSchema } from '../schema/config-schema.ts'
import type { StoreConfig } from './gateway-config.ts'
import { resolveStore, writtenStore } from './resolve-store.ts'

/** Where a read-only command finds the store. */
export interface CommandStoreOptions {
  readonly env: Environment
  /** The folder of the configuration. */
  readonly folder: string
  /** Overrides the configured address, with the folder that it is relative to. */
  readonly over?: { readonly url: string; readonly cwd: string }
}

/** The store settings for commands that serve nothing; the defaults when absent. */
export function commandStore(value: Pick<ConfigValue, 'store'> | undefined, { env, folder, over }: CommandStoreOptions): StoreConfig {
  const written = value?.store ?? configSchema.parse({}).store
  if (over !== undefined) return resolveStore(over.url, over.cwd, written)
  const { urlEnv } = written
  if (urlEnv !== undefined && fromEnvironment(env, urlEnv) === undefined) {
    throw new ConfigurationError([{ path: ['store', 'urlEnv'], message: notSet(urlEnv) }])
  }
  return writtenStore(written, { env, folder })
}
