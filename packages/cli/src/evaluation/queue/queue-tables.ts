/** Runs one statement. */
export type RunStatement = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** The schema of our tables. What they hold is never older than an evaluation, so that another layout gets another name. */
export const schema = 'stickler_eval_1'

/** Makes the tables of evaluations, workers and verdicts, unless they are there. */
export async function makeTables(run: RunStatement): Promise<void> {
  const [found] = await run<{ name: string | null }>(`select to_regclass('${schema}.verdicts')::text as name`)
  if (found?.name) return
  await run(`
    create schema if not exists ${schema};
    create table if not exists ${schema}.evaluations (
      id text primary key,
      contracts text[] not null,
      names text[] not null,
      seen_at timestamptz not null default now()
    );
    create table if not exists ${schema}.workers (
      id uuid primary key,
      contracts text[] not null,
      seen_at timestamptz not null default now()
    );
    create table if not exists ${schema}.verdicts (
      contract text not null,
      answer bytea not null,
      run text not null,
      result text not null,
      at timestamptz not null default now(),
      primary key (contract, answer, run)
    );
  `)
}
