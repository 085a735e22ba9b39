import type { ReadStore } from './open-reader.ts'

export type { ReadStore, RunReader } from './open-reader.ts'

/** Opens a store read-only, even while a gateway writes to it; the schema is not migrated. */
export async function openReader(url: string): Promise<ReadStore> {
  // A database is loaded only when it is used.
  return (await import('./open-reader.ts')).openStoreReader(url)
}
