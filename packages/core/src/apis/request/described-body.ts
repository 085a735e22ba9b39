import * as z from 'zod'
import type { FieldKind, FieldTable } from './read-fields.ts'

/** The types of parameters as schemas, for descriptions alone: reading a request needs none. */
const schemas: Readonly<Record<FieldKind, () => z.ZodType>> = {
  boolean: () => z.boolean(),
  number: () => z.number(),
  integer: () => z.int(),
  count: () => z.int().positive(),
  size: () => z.int().nonnegative(),
  text: () => z.string(),
  name: () => z.string().min(1),
  object: () => z.looseObject({}),
  list: () => z.array(z.unknown()),
  objects: () => z.array(z.looseObject({})),
  texts: () => z.array(z.string()),
  'text or texts': () => z.union([z.string(), z.array(z.string())]),
  'text or object': () => z.union([z.string(), z.looseObject({})]),
  'text or list': () => z.union([z.string(), z.array(z.unknown())]),
}

/** The schema of a body: the parameters that are checked, and what is described in more detail. */
export function describedBody(table: FieldTable, described: Readonly<Record<string, z.ZodType>>): z.ZodType {
  const checked: Record<string, z.ZodType> = {}
  for (const [name, kind] of table) checked[name] = schemas[kind]().nullish()
  return z.looseObject({ ...checked, ...described })
}
