import type { Expression, Kysely } from 'kysely'
import type { LinePlace } from '../journal/segment.ts'
import type { TableRows } from '../rows/table-rows.ts'
import type { Tables } from '../rows/tables.ts'

/** A database; whatever differs between SQLite and PostgreSQL is behind this. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** Records that one transaction may hold without blocking the event loop. */
  readonly transactionRecords: number
  /** How small tasks are run: so many share a transaction, and so many transactions run at once. */
  readonly taskTransactions: { readonly tasks: number; readonly atOnce: number }
  /** Types of columns. */
  readonly types: {
    /** A text that is compared byte by byte. */
    readonly text: Expression<unknown>
    readonly integer: Expression<unknown>
    readonly real: Expression<unknown>
    /** A primary key that counts up and never gives a number twice. */
    readonly sequence: Expression<unknown>
  }
  /** Runs a task in a transaction, while no other process changes the schema. */
  migrate(task: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>
  /** Runs a task in a transaction: all of it happens, or nothing. */
  transaction<Result>(task: (transaction: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** Runs a task in a transaction while nobody writes rows or does the same work; gives up soon when others hold what it needs, and does nothing when another process is at it. Only PostgreSQL needs it. */
  alone(work: 'makeDays' | 'dropRuns' | 'dropAudit', task: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>
  /** Writes rows in one transaction that no other process can run beside, so that they get visible in the order of their sequence; rows that are there already stay as they are. */
  insert(tables: readonly TableRows[]): Promise<void>
  /** Writes lines of a journal as they stand in its file, off the event loop, and tells how many there were; only where that costs it time. */
  insertLines?(place: LinePlace): Promise<number>
  /** Whether an error is about the values that were written: trying again will not help. */
  isDataError(error: unknown): boolean
  /** Whether a transaction was undone because another one was in its way: trying again helps. */
  isConflict(error: unknown): boolean
  close(): Promise<void>
}
