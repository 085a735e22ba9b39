import { refuse } from './read-fields.ts'

/** Objects in a schema that checks will read; the same limit holds for schemas of contracts. */
const mostObjects = 20_000

/** Refuses a schema of a client that is too large to check answers against. */
export function checkSchemaSize(schema: unknown, param: string): void {
  const open: unknown[] = [schema]
  let objects = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && ++objects > mostObjects)
      refuse(param, `${param} is too large a schema: it contains more than ${mostObjects} objects.`, 'schema_too_large')
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
}
