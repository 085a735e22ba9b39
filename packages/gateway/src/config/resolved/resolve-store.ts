import { dirname, resolve } from 'node:path'
import { defined } from '@stickler/core/internal'
import { readStoreUrl } from '../../records/store-url.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import { type ConfigValue, configSchema, storeSchema } from '../schema/config-schema.ts'
import { needVariables } from '../schema/named-variables.ts'

/** Where runs are recorded. */
export type StoreConfig = Readonly<ReturnType<typeof resolveStore>>

/** The default store. */
const usualStore = 'sqlite:.stickler/stickler.db'

type WrittenStore = Omit<ConfigValue['store'], 'url' | 'urlEnv'> & { readonly [key in 'url' | 'urlEnv' | 'path']?: unknown }

/**
 * Resolves the address of a store; files are relative to `folder`. Throws a ConfigurationError when
 * it is invalid.
 */
export function resolveStore(address: string, folder: string, { url: _url, urlEnv: _urlEnv, path: _path, ...written }: WrittenStore) {
  const store = readStoreUrl(address)
  const path = store.engine === 'sqlite' && !store.memory ? resolve(folder, store.path) : undefined
  const url = path === undefined ? address : `sqlite:${path}`
  const open = {
    ...written,
    kind: store.engine,
    /** Full path of the folder for journals. */
    folder: path === undefined ? resolve(folder, '.stickler') : dirname(path),
    /** The address without its password. */
    shown: store.engine === 'postgres' ? withoutPassword(url) : url,
    /** The file of an SQLite store; absent in memory. */
    ...defined({ path }),
  }
  return withSecrets(open, { url })
}

/**
 * The store of a configuration: its address as written, or from the environment, or the default.
 */
export function writtenStore(
  written: ConfigValue['store'],
  { env, folder }: { readonly env: Environment; readonly folder: string },
): StoreConfig {
  const { url, urlEnv } = written
  return resolveStore(url ?? (urlEnv === undefined ? undefined : fromEnvironment(env, urlEnv)) ?? usualStore, folder, written)
}

/** Where a read-only command finds the store. */
interface CommandStoreOptions {
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
  needVariables(storeSchema, written, env, ['store'])
  return writtenStore(written, { env, folder })
}

/** The address of a service, safe to show: without its password and its query. */
export function withoutPassword(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}
