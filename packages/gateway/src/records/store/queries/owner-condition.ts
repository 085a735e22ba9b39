import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { name } from '../rows/values.ts'

/** The condition for the runs of one key; a run without a key has no owner. Always true without an owner. */
export function ownedBy(owner: string | undefined, table = 'runs'): RawBuilder<SqlBool> {
  if (owner === undefined) return sql<SqlBool>`true`
  const key = sql.ref(`${table}.key_name`)
  // The index omits runs without a key, and is used only if the query does so too.
  return sql<SqlBool>`(${key} = ${name(owner)} and ${key} <> '')`
}
