import type { Expression, Kysely } from 'kysely'
import type { LinePlace } from '../journal/segment.ts'
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
  /** Writes lines of a journal directly from its file, off the event loop, and returns their number; absent if writing does not block the event loop. */
  insertLines?(place: LinePlace): Promise<number>
  /** Adds runs to sums off the event loop; undefined if the caller has to do it, absent if the database does not block the event loop. */
  fold?(now: number): Promise<Folded | undefined>
  /** Whether an error is about the written values, so that a repetition will not help. */
  isDataError(error: unknown): boolean
  /** Whether a transaction was rolled back because of a conflict, so that a repetition helps. */
  isConflict(error: unknown): boolean
  close(): Promise<void>
}

/** The data that a thread starts with. */
export interface ThreadData {
  readonly path: string
  readonly busyTimeoutMs: number
  /** Maximum number of records in one transaction. */
  readonly batchRecords: number
}

/** What a thread is asked: to write the lines at a position in a journal, or to add runs to sums at a time. */
export type ThreadTask = { readonly place: LinePlace } | { readonly fold: number }

/** Result of a task: the number of records now in the database or what adding to sums did, or the error code of the database; empty if the thread cannot do it. */
export interface ThreadResult {
  readonly written?: number
  readonly folded?: Folded
  readonly code?: string
}

/** Messages to a thread: a task with the number of the call, or to close the file and exit. */
export type ToThread = (ThreadTask & { readonly call: number }) | 'close'

/** Messages from a thread: that it is ready, or the result of a call. */
export type FromThread = 'ready' | (ThreadResult & { readonly call: number })
