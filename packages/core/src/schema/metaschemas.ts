import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Draft } from './draft.ts'
import { isObject, type JsonObject, own } from './json-value.ts'

/** The schemas of the drafts themselves, by address without fragment. */
export type Metaschemas = (uri: string) => readonly JsonObject[] | undefined

/** Gives the schemas of the drafts; each is taken from ajv, which ships them, when it is first asked for. */
export function createMetaschemas(): Metaschemas {
  const read = new Map<Draft, readonly JsonObject[]>()
  return (uri) => {
    const draft = draftAt(uri)
    if (draft === undefined) return undefined
    const known = read.get(draft) ?? shipped(draft)
    read.set(draft, known)
    return known
  }
}

function draftAt(uri: string): Draft | undefined {
  if (uri === 'http://json-schema.org/draft-07/schema') return '7'
  const draft = /^https:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/(?:schema|meta\/[a-z-]+)$/.exec(uri)?.[1]
  return draft === '2019-09' || draft === '2020-12' ? draft : undefined
}

function shipped(draft: Draft): readonly JsonObject[] {
  const Engine = { '7': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 }[draft]
  const { schemas } = new Engine({ logger: false })
  const found: JsonObject[] = []
  for (const entry of Object.values(schemas)) {
    const schema: unknown = entry?.schema
    if (isObject(schema) && typeof own(schema, '$id') === 'string') found.push(schema)
  }
  return found
}
