import { dirname, resolve } from 'node:path'
import { readStoreUrl } from '../../records/store-url.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import type { ConfigValue } from '../schema/config-schema.ts'
import type { StoreConfig } from './gateway-config.ts'

/** The default store. */
export const usualStore = 'sqlite:.stickler/stickler.db'

/**
 * Resolves the address of a store; files are relative to `folder`. Throws a ConfigurationError when
 * it is invalid.
 */
export function resolveStore(url: string, folder: string, rest: Pick<StoreConfig, 'keepText' | 'onFull' | 'retentionDays'>): StoreConfig {
  const { keepText, onFull, retentionDays } = rest
  const common = { folder: resolve(folder, '.stickler'), keepText, onFull, retentionDays }
  const address = readStoreUrl(url)
  if (address.engine === 'postgres') return withSecrets({ ...common, kind: 'postgres' as const, shown: withoutPassword(url) }, { url })
  if (address.memory) return withSecrets({ ...common, kind: 'sqlite' as const, shown: url }, { url })
  const path = resolve(folder, address.path)
  const full = `sqlite:${path}`
  return withSecrets({ ...common, kind: 'sqlite' as const, path, folder: dirname(path), shown: full }, { url: full })
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

/** The address of a service, safe to show: without its password and its query. */
export function withoutPassword(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}
