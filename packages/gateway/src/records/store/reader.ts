import type { ReadStore } from './open-reader.ts'
import type { StoreOptions } from './store-options.ts'

export type { ReadStore, RunReader } from './open-reader.ts'

/** Opens a store read-only, even while a gateway writes to it; the schema is not migrated. */
export async function openReader(url: string): Promise<ReadStore> {
  // A database is loaded only when it is used.
  return (await import('./open-reader.ts')).openStoreReader(url)
}

/** Opens a store and writes to it; rejects when it cannot be used. */
export async function probeStore({
  store: { url, folder, keepText },
}: {
  readonly store: Pick<StoreOptions, 'url' | 'folder' | 'keepText'>
}): Promise<{ readonly ok: true }> {
  const { openStore } = await import('./open-store.ts')
  const store = await openStore({ url, folder, keepText, now: Date.now })
  try {
    // A write that expires after a second.
    await store.cache.set('stickler doctor', '{}', 1)
    return { ok: true }
  } finally {
    await store.close()
  }
}
