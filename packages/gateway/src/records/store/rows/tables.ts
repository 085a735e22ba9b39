import type { Generated } from 'kysely'
import { runColumnTypes, type StoredType } from '../../run/run-columns.ts'

/** The type of a column; one that may be empty ends with a question mark. */
export type ColumnType = 'sequence' | StoredType | `${StoredType}?`

/** Every table with its columns. */
export const tables = {
  /** One enforced answer. */
  runs: { seq: 'sequence', ...runColumnTypes },
  /** One issue of a run: found in an attempt, remaining or fixed; of those in attempts only the leading ones, all of them stand with their attempts. */
  issues: {
    run_id: 'text',
    position: 'integer',
    kind: 'text',
    /** Number of the attempt; 0 when it belongs to the run as a whole. */
    attempt: 'integer',
    /** Time of the run, so that one index serves the newest runs with a code. */
    at: 'integer',
    validator: 'text',
    code: 'text',
    severity: 'text',
    /** 1 for the first issue of the run with this validator, code and severity: counts runs, not repetitions. */
    leads: 'integer',
    message: 'text',
    /** JSON of hint, span, path and suggestion; null without any. */
    detail: 'text?',
  },
  /** One change that a repair made; `detail` is the JSON of its certificate, `at` the time of the run. */
  repairs: { run_id: 'text', position: 'integer', rule: 'text', class: 'text', detail: 'text', at: 'integer' },
  /** One question of `/ask`. */
  audit: { seq: 'sequence', id: 'text', at: 'integer', row: 'text' },
  /** Answers that may be given again. */
  answer_cache: { key: 'text', at: 'integer', expires_at: 'integer', value: 'text' },
  /** What a key has spent on a day, and what is reserved for running requests; whole numbers, so that sums are exact. */
  key_budgets: {
    ...{ key_name: 'text', day: 'integer', tokens: 'integer', nano_usd: 'integer' },
    ...{ held_tokens: 'integer', held_nano_usd: 'integer' },
  },
  /** What is set aside for one request; what is at risk is counted if nobody settles it. */
  reservations: {
    ...{ id: 'text', key_name: 'text', day: 'integer', tokens: 'integer', nano_usd: 'integer' },
    ...{ risk_tokens: 'integer', risk_nano_usd: 'integer', made_at: 'integer', expires_at: 'integer' },
    /** 1 when it was taken back because it had expired; kept for whoever settles it after all. */
    lost: 'integer',
  },
  /** Sessions of commands, by the hash of what they have seen: hashes and ids, no words. */
  runner_sessions: { key: 'text', at: 'integer', session: 'text' },
  /** Which migrations have been made. */
  stickler_migrations: { name: 'text', at: 'integer' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnType>>>>

type Held<Type> = Type extends 'sequence'
  ? Generated<number>
  : Type extends `${infer Stored}?`
    ? Held<Stored> | null
    : Type extends 'text'
      ? string
      : number

/** Everything that is kept. */
export type Tables = {
  readonly [Table in keyof typeof tables]: { readonly [Name in keyof (typeof tables)[Table]]: Held<(typeof tables)[Table][Name]> }
}
