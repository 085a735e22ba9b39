import type { Expression, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Work that only one process may do at a time. */
export type Exclusive = 'migrations' | 'records'

/** A database; whatever differs between SQLite and PostgreSQL is behind this. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** Records that one transaction may hold without blocking the event loop. */
  readonly transactionRecords: number
  /** Types of columns. */
  readonly types: {
    /** A text that is compared byte by byte. */
    readonly text: Expression<unknown>
    readonly integer: Expression<unknown>
    readonly real: Expression<unknown>
    /** A primary key that counts up and never gives a number twice. */
    readonly sequence: Expression<unknown>
  }
  /** The placeholder of the parameter with a number, from 1. */
  placeholder(number: number): string
  /** Runs a task in a transaction that no other process can run beside; what is inserted gets visible in the order of its sequence. */
  exclusively<Result>(work: Exclusive, task: (transaction: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** Whether an error is about the values that were written: trying again will not help. */
  isDataError(error: unknown): boolean
  close(): Promise<void>
}
