import type { StoreQueries } from './store.ts'

/** What commands read of a store. */
export type RunReader = Pick<StoreQueries, 'listRuns' | 'getRun' | 'summary'> & { close(): Promise<void> }

/** What a command found where the store should be. */
export type ReadStore =
  | { readonly state: 'missing' | 'empty' | 'current' | 'earlier'; readonly reader: RunReader }
  /** Nobody else can see it. */
  | { readonly state: 'memory' }

/** Opens a store to be read, also while a gateway writes to it; nothing in it is changed, and its schema is not brought up to date. */
export async function openReader(url: string): Promise<ReadStore> {
  // Databases are loaded only by those who need them.
  return (await import('./open-reader.ts')).openStoreReader(url)
}
