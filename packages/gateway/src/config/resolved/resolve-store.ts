import { dirname, resolve } from 'node:path'
import { readStoreUrl } from '../../records/store-url.ts'
import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import type { StoreConfig } from './gateway-config.ts'

/** Where runs are recorded when nothing else is written. */
export const usualStore = 'sqlite:.stickler/stickler.db'

/** Works out the address of a store; files are relative to `folder`. Throws a ConfigurationError when it cannot be right. */
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

/** The address of a service as it may be shown: without its password and its query. */
export function withoutPassword(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}
