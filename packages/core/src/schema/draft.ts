import type { JsonValue } from '../json/json-value.ts'
import { isObject, own } from '../json/json-value.ts'

/** The drafts of JSON Schema that are understood. */
export const drafts = ['7', '2019-09', '2020-12'] as const

/** One of `7`, `2019-09`, `2020-12`. */
export type Draft = (typeof drafts)[number]

/** The address of a draft's own schema. */
export const metaschemaUri: Readonly<Record<Draft, string>> = {
  '7': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

/** The draft that a schema says it is written in; the newest when it says nothing. */
export function draftOf(schema: JsonValue): Draft {
  const named = isObject(schema) ? own(schema, '$schema') : undefined
  if (typeof named !== 'string') return '2020-12'
  if (/draft-0[3-7]/.test(named)) return '7'
  return named.includes('2019-09') ? '2019-09' : '2020-12'
}
