import type { ReadStore } from './open-reader.ts'

export type { ReadStore, RunReader } from './open-reader.ts'

/** Opens a store to be read, also while a gateway writes to it; nothing in it is changed, and its schema is not brought up to date. */
export async function openReader(url: string): Promise<ReadStore> {
  // Databases are loaded only by those who need them.
  return (await import('./open-reader.ts')).openStoreReader(url)
}
