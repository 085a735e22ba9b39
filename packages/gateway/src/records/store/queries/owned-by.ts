import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { name } from '../rows/values.ts'

/** The condition that leaves only the runs of one key in a table; a run without a key is nobody's. Always true without an owner. */
export function ownedBy(owner: string | undefined, table = 'runs'): RawBuilder<SqlBool> {
  if (owner === undefined) return sql<SqlBool>`true`
  const key = sql.ref(`${table}.key_name`)
  // The index leaves out runs without a key, and is used only where the query does so too.
  return sql<SqlBool>`(${key} = ${name(owner)} and ${key} <> '')`
}
