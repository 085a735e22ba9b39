import type { Generated } from 'kysely'

/** One enforced answer; wide texts stand last, so that scans of numbers need not read them. */
export interface RunsTable {
  readonly seq: Generated<number>
  readonly id: string
  readonly at: number
  readonly ms: number
  readonly status: string
  readonly attempt_count: number
  readonly issue_count: number
  readonly fixed_count: number
  readonly repair_count: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost: number | null
  readonly contract: string
  readonly model: string
  readonly api: string
  readonly session: string | null
  readonly stream: number
  readonly http_status: number
  readonly first_text_ms: number | null
  readonly upstream: string
  readonly upstream_model: string
  readonly key_name: string
  readonly request_id: string
  readonly choice: number
  readonly reason: string
  /** JSON of the facts that were declared to be kept, by name; null without any. */
  readonly facts: string | null
  readonly failure_kind: string | null
  readonly failure_status: number | null
  readonly failure_message: string | null
  /** JSON of the validators that could not run; null when all ran. */
  readonly unchecked: string | null
  readonly request: string | null
  readonly text: string | null
  /** JSON of the attempts with their issues; null in runs from before the column, whose attempts are rows of a table. */
  readonly attempts: string | null
  /** 1 when usage was estimated because the provider did not tell it. */
  readonly estimated: number | null
  /** 1 when the text was delivered, 0 when it was not; null in runs from before the column. */
  readonly delivered: number | null
  /** JSON of the nodes of a pipeline; null without one, and in runs from before the column. */
  readonly pipeline: string | null
}

/** One call of the model in a run from before its attempts stood in a column. */
export interface AttemptsTable {
  readonly run_id: string
  readonly position: number
  readonly number: number
  readonly call: string
  readonly ms: number
  readonly finish_reason: string | null
  readonly prompt_tokens: number | null
  readonly completion_tokens: number | null
  readonly cost: number | null
  readonly stopped_at: number | null
  readonly decision: string | null
  readonly text: string | null
  readonly feedback: string | null
}

/** One issue of a run: found in an attempt, remaining or fixed; of those in attempts only the leading ones, all of them stand with their attempts. */
export interface IssuesTable {
  readonly run_id: string
  readonly position: number
  readonly kind: 'attempt' | 'remaining' | 'fixed'
  /** Number of the attempt; 0 when it belongs to the run as a whole. */
  readonly attempt: number
  /** Time of the run, so that one index serves the newest runs with a code. */
  readonly at: number
  readonly validator: string
  readonly code: string
  readonly severity: string
  /** 1 for the first issue of the run with this validator, code and severity: counts runs, not repetitions. */
  readonly leads: number
  readonly message: string
  /** JSON of hint, span, path and suggestion; null without any. */
  readonly detail: string | null
}

/** One change that a repair made. */
export interface RepairsTable {
  readonly run_id: string
  readonly position: number
  readonly rule: string
  readonly class: string
  /** JSON of the whole certificate. */
  readonly detail: string
  /** Time of the run; 0 in rows from before the column. */
  readonly at: number
}

/** One question of `/ask`. */
export interface AuditTable {
  readonly seq: Generated<number>
  readonly id: string
  readonly at: number
  readonly row: string
}

/** Answers that may be given again. */
export interface AnswerCacheTable {
  readonly key: string
  readonly at: number
  readonly expires_at: number
  readonly value: string
}

/** What tenants spent on a day. */
export interface SpendTable {
  readonly tenant: string
  readonly day: number
  readonly usd: number
}

/** What a key has spent on a day, and what is reserved for running requests. */
export interface KeyBudgetsTable {
  readonly key_name: string
  readonly day: number
  readonly tokens: number
  readonly nano_usd: number
  readonly held_tokens: number
  readonly held_nano_usd: number
}

/** What is set aside for one request. */
export interface ReservationsTable {
  readonly id: string
  readonly key_name: string
  readonly day: number
  readonly tokens: number
  readonly nano_usd: number
  /** What is counted if nobody settles it. */
  readonly risk_tokens: number
  readonly risk_nano_usd: number
  readonly made_at: number
  readonly expires_at: number
  /** 1 when it was taken back because it had expired; kept for whoever settles it after all. */
  readonly lost: number
}

/** Sessions of commands, by the hash of what they have seen. */
export interface RunnerSessionsTable {
  readonly key: string
  readonly at: number
  readonly session: string
}

/** Which migrations have been made. */
export interface MigrationsTable {
  readonly name: string
  readonly at: number
}

/** Everything that is kept. */
export interface Tables {
  readonly runs: RunsTable
  readonly attempts: AttemptsTable
  readonly issues: IssuesTable
  readonly repairs: RepairsTable
  readonly audit: AuditTable
  readonly answer_cache: AnswerCacheTable
  readonly spend: SpendTable
  readonly key_budgets: KeyBudgetsTable
  readonly reservations: ReservationsTable
  readonly runner_sessions: RunnerSessionsTable
  readonly stickler_migrations: MigrationsTable
}
