import type { IndexEngine } from '../index-engine.ts'

/** Everything about one engine that keeps an index; adding one is adding its record to the list. */
export interface EngineKind {
  readonly name: string
  /** Its addresses for people, such as `postgres://…`. */
  readonly shown: string
  /** Recognises its addresses by how they begin; absent for the engine of files, whose address is any path. */
  readonly address?: RegExp
  /** What the guide says of it: an address, what must be there, how texts and vectors are searched. */
  readonly guide: Readonly<Record<'address' | 'needs' | 'text' | 'vectors', string>>
  /** Opens the index at an address, or in a file; loads its code, and reaches or creates nothing before the first call. */
  open(address: string, collection: string): Promise<IndexEngine>
}
