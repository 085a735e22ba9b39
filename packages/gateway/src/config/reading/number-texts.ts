import type * as z from 'zod'
import { pathKey } from './expand-data.ts'

/**
 * Reads a number or truth value where the schema wants one and a variable stands: `port: ${PORT}`.
 * Only what the schema complains of is read, so that a name of digits stays a text.
 */
export function readNumberTexts(data: unknown, whole: ReadonlySet<string>, schema: z.ZodType): unknown {
  if (whole.size === 0) return data
  const { error } = schema.safeParse(data)
  const wanted = new Map(
    error?.issues.flatMap((issue) =>
      issue.code === 'invalid_type' && whole.has(pathKey(issue.path)) ? [[pathKey(issue.path), issue.expected] as const] : [],
    ),
  )
  return wanted.size === 0 ? data : replaceAt(data, [], wanted)
}

function replaceAt(value: unknown, path: readonly (string | number)[], wanted: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return readAs(value, wanted.get(pathKey(path)))
  if (Array.isArray(value)) return value.map((item, index) => replaceAt(item, [...path, index], wanted))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceAt(inner, [...path, key], wanted)]))
}

function readAs(text: string, type: string | undefined): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if ((type === 'number' || type === 'int') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  return text
}
