import { isObject, type JsonObject, own } from '../../json/json-value.ts'
import { type Draft, drafts, metaschemaUri } from '../draft.ts'
import { draft7 } from './metaschemas/draft-7.ts'
import { draft201909, draft202012 } from './metaschemas/vocabularies.ts'

const published: Readonly<Record<Draft, readonly JsonObject[]>> = { '7': draft7, '2019-09': draft201909, '2020-12': draft202012 }

/** The schemas of a draft and its vocabularies that an address without fragment belongs to; undefined for any other address. */
export function metaschemasAt(uri: string): readonly JsonObject[] | undefined {
  return drafts.map((draft) => published[draft]).find((schemas) => schemas.some((schema) => addressOf(schema) === uri))
}

function addressOf(schema: JsonObject): string {
  return String(own(schema, '$id')).replace('#', '')
}

/** What a schema of a draft must look like, all vocabularies in one: nothing in it is dynamic, so that large schemas are checked fast. */
export function rulesOf(draft: Draft): JsonObject {
  if (draft === '7') return { $ref: metaschemaUri['7'] }
  const parts = published[draft].map(plainly)
  const merged = (keyword: string): JsonObject => Object.assign({}, ...parts.map((part) => own(part, keyword)))
  return { type: ['object', 'boolean'], properties: merged('properties'), $defs: merged('$defs') }
}

/** The keywords that a draft defines. */
export function keywordsOf(draft: Draft): string[] {
  return published[draft].flatMap((schema) => Object.keys(own(schema, 'properties') ?? {}))
}

/** The same with references to this document in place of dynamic ones. */
function plainly(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema, (keyword, value) => {
    if (keyword === '$ref' && typeof value === 'string') return value.slice(value.indexOf('#'))
    if (!isObject(value)) return value
    const { $dynamicRef, $recursiveRef, ...rest } = value
    return typeof $dynamicRef === 'string' || typeof $recursiveRef === 'string' ? { ...rest, $ref: '#' } : value
  })
  return JSON.parse(text)
}
