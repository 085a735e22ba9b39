import type { Kysely } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../engine/tables.ts'

/** One step of the schema; once released it never changes. */
export interface Migration {
  /** Sorts by time. */
  readonly name: string
  up(db: Kysely<Tables>, types: Engine['types'], engine: Engine['name']): Promise<void>
}
