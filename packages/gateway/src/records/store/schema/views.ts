import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../rows/tables.ts'

/** A documented view, which never changes. */
export interface View {
  readonly name: string
  query(parts: Dialect): RawBuilder<unknown>
}

/** Expressions that differ between SQLite and PostgreSQL. */
interface Dialect {
  /** Converts milliseconds since 1970 to a time. */
  time(column: string): RawBuilder<unknown>
  /** The day of a time, in UTC. */
  day(column: string): RawBuilder<unknown>
  /** Converts 0 and 1 to a boolean. */
  truth(column: string): RawBuilder<unknown>
}

const dialects: Readonly<Record<Engine['name'], Dialect>> = {
  sqlite: {
    time: (column) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)} / 1000.0, 'unixepoch')`,
    day: (column) => sql`date(${sql.ref(column)} / 1000, 'unixepoch')`,
    truth: (column) => sql`${sql.ref(column)}`,
  },
  postgres: {
    time: (column) => sql`to_timestamp(${sql.ref(column)} / 1000.0)`,
    day: (column) => sql`cast(to_timestamp(${sql.ref(column)} / 1000) at time zone 'UTC' as date)`,
    truth: (column) => sql`(${sql.ref(column)} = 1)`,
  },
}

/** All views, in the order of their creation. */
export const views: readonly View[] = [
  {
    name: 'stickler_runs',
    query: ({ time, day, truth }) => sql`
      select id, ${time('at')} as started_at, ${day('at')} as day, at as at_ms, ms as duration_ms, first_text_ms, status, reason,
        contract, model, upstream, upstream_model, api, key_name as key, session, request_id, choice,
        ${truth('stream')} as streamed, ${truth('delivered')} as delivered, http_status, attempt_count as attempts,
        case when attempt_count > 1 then attempt_count - 1 else 0 end as retries, issue_count as issues, fixed_count as fixed, repair_count as repairs,
        prompt_tokens, completion_tokens, cost as cost_usd, failure_kind, failure_status, failure_message
      from runs`,
  },
  {
    name: 'stickler_failures',
    query: ({ time, day }) => sql`
      select issues.run_id, ${time('issues.at')} as started_at, ${day('issues.at')} as day, issues.at as at_ms, issues.validator, issues.code, issues.severity,
        issues.message, issues.kind as found_in, runs.status, runs.contract, runs.model, runs.upstream, runs.key_name as key
      from issues join runs on runs.id = issues.run_id and runs.at = issues.at
      where issues.leads = 1`,
  },
  {
    name: 'stickler_daily',
    query: ({ day }) => sql`
      select ${day('at')} as day, contract, model, key_name as key, status, count(*) as runs, sum(attempt_count) as attempts,
        sum(case when attempt_count > 1 then attempt_count - 1 else 0 end) as retries, sum(repair_count) as repairs,
        sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens, sum(cost) as cost_usd, avg(ms) as average_ms
      from runs group by 1, 2, 3, 4, 5`,
  },
]

/** Makes all views. */
export async function createViews(db: Kysely<Tables>, engine: Engine['name']): Promise<void> {
  for (const { name, query } of views) await sql`create view ${sql.ref(name)} as ${query(dialects[engine])}`.execute(db)
}
