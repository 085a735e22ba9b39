import type { Generated } from 'kysely'
import { runColumnTypes, type StoredType } from '../../run/run-columns.ts'

/** The type of a column; a nullable one ends with a question mark. */
export type ColumnType = 'sequence' | StoredType | `${StoredType}?`

/** What an operator says of a run. */
const labelColumnTypes = { label: 'text?', note: 'text?', labelled_at: 'integer?', labelled_by: 'text?' } as const

/** The columns of a label. */
export type LabelColumn = keyof typeof labelColumnTypes

/** Every table with its columns. */
export const tables = {
  /** One enforced answer, and what an operator says of it. */
  runs: { seq: 'sequence', ...runColumnTypes, ...labelColumnTypes },
  /** One issue of a run: found in an attempt, remaining or fixed. Of each attempt only the first ones have rows; the attempt has all of them. */
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
  /** Cached answers of `/ask`. */
  answer_cache: { key: 'text', at: 'integer', expires_at: 'integer', value: 'text' },
  /** The usage of a key on one day, and its reservations for running requests; integers, so that sums are exact. */
  key_budgets: {
    ...{ key_name: 'text', day: 'integer', tokens: 'integer', nano_usd: 'integer' },
    ...{ held_tokens: 'integer', held_nano_usd: 'integer' },
  },
  /** The reservation of one request; the amount at risk is counted if it is never settled. */
  reservations: {
    ...{ id: 'text', key_name: 'text', day: 'integer', tokens: 'integer', nano_usd: 'integer' },
    ...{ risk_tokens: 'integer', risk_nano_usd: 'integer', made_at: 'integer', expires_at: 'integer' },
    /** 1 when it was released after it expired; kept for a request that is settled later. */
    lost: 'integer',
  },
  /** Sessions of commands, by the hash of their history: hashes and ids, no text. */
  runner_sessions: { key: 'text', at: 'integer', session: 'text' },
  /** The sums of a period: `at` is its beginning, `width` its length in milliseconds, `cells` the JSON of its sums. */
  rollups: { width: 'integer', at: 'integer', cells: 'text' },
  /** How far runs have been added to the sums: the last `seq`. */
  rollup_state: { name: 'text', seq: 'integer' },
  /** The migrations that have run. */
  stickler_migrations: { name: 'text', at: 'integer' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnType>>>>

type Held<Type> = Type extends 'sequence'
  ? Generated<number>
  : Type extends `${infer Stored}?`
    ? Held<Stored> | null
    : Type extends 'text'
      ? string
      : number

/** All tables. */
export type Tables = {
  readonly [Table in keyof typeof tables]: { readonly [Name in keyof (typeof tables)[Table]]: Held<(typeof tables)[Table][Name]> }
}
