import type { Expression, Kysely } from 'kysely'
import type { TableRows } from '../rows/entry.ts'
import type { Tables } from '../rows/tables.ts'

/** What adding runs to sums did. */
export interface Folded {
  /** Number of runs that were added. */
  readonly runs: number
  /** Whether there may be more. */
  readonly more: boolean
}

/** A database; hides the differences between SQLite and PostgreSQL. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** Maximum number of records in one transaction without blocking the event loop. */
  readonly transactionRecords: number
  /** How many small tasks share a transaction, and how many transactions run at once. */
  readonly taskTransactions: { readonly tasks: number; readonly atOnce: number }
  /** Types of columns. */
  readonly types: {
    /** A text that is compared byte by byte. */
    readonly text: Expression<unknown>
    readonly integer: Expression<unknown>
    readonly real: Expression<unknown>
    /** A primary key that counts up and never reuses a number. */
    readonly sequence: Expression<unknown>
  }
  /** Runs a task in a transaction, while no other process changes the schema. */
  migrate(task: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>
  /** Runs a task in a transaction. */
  transaction<Result>(task: (transaction: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** Writes rows in one transaction that no other process can run concurrently, so that they become visible in the order of their sequence; existing rows stay unchanged. */
  insert(tables: readonly TableRows[]): Promise<void>
  /** Writes whole lines of a journal off the event loop, and returns their number; undefined if the caller has to do it line by line, absent if writing does not block the event loop. */
  insertLines?(bytes: Uint8Array): Promise<number | undefined>
  /** Adds runs to sums off the event loop; undefined if the caller has to do it, absent if the database does not block the event loop. */
  fold?(now: number): Promise<Folded | undefined>
  /** Whether an error is about the written values, so that a repetition will not help. */
  isDataError(error: unknown): boolean
  /** Whether a transaction was rolled back because of a conflict, so that a repetition helps. */
  isConflict(error: unknown): boolean
  close(): Promise<void>
}
