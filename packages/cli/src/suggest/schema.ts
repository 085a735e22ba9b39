import type { Shape } from './shape.ts'

/** From so many values on, what was seen says something about what was not. */
const enough = 20
const mostValues = 10
/** Each value of an enumeration was seen so often on average, and at least twice. */
const eachSeen = 5

/** A JSON Schema that accepts everything that was seen. */
export function schemaOf(shape: Shape, name = ''): Readonly<Record<string, unknown>> {
  const types = typesOf(shape)
  const values = types.length === 1 && types[0] === 'string' ? valuesOf(shape, name) : undefined
  if (values !== undefined) return { enum: values }
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(types.includes('object') ? objectRules(shape) : {}),
    ...(types.includes('array') ? listRules(shape, name) : {}),
    ...(types.includes('string') ? textRules(shape) : {}),
    ...(types.includes('number') || types.includes('integer') ? numberRules(shape, name) : {}),
  }
}

function typesOf({ types }: Shape): readonly string[] {
  const all = [...types.keys()].sort()
  return all.includes('number') ? all.filter((type) => type !== 'integer') : all
}

/** Names of properties whose values are about people, or are secrets. */
const personal = /name|user|author|owner|person|customer|assignee|mail|phone|address|city|street|token|secret|passw|key|id$/i

/** The values of an enumeration: few short words, each seen often; free text and what may be about somebody never is one. */
function valuesOf({ texts, seen }: Shape, name: string): readonly string[] | undefined {
  if (texts === undefined || seen < enough || personal.test(name)) return undefined
  const all = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  if (all.length > mostValues || all.length * eachSeen > seen || all.some(([text, count]) => count < 2 || !isLabel(text))) return undefined
  return all.map(([text]) => text)
}

/** One word of at most 24 letters, as programs name things: no address, number, sentence or key. */
function isLabel(text: string): boolean {
  return /^[A-Za-z]+(?:[_-][A-Za-z]+){0,3}$/.test(text) && text.length <= 24
}

function objectRules({ properties, types }: Shape): Readonly<Record<string, unknown>> {
  if (properties === undefined || properties.size === 0) return {}
  const objects = types.get('object') ?? 0
  const sorted = [...properties]
  const required = sorted.flatMap(([key, { seen }]) => (seen === objects ? [key] : []))
  return {
    properties: Object.fromEntries(sorted.map(([key, inner]) => [key, schemaOf(inner, key)])),
    ...(required.length > 0 ? { required } : {}),
    ...(objects >= enough ? { additionalProperties: false } : {}),
  }
}

function listRules({ inner, longestList, seen }: Shape, name: string): Readonly<Record<string, unknown>> {
  return {
    ...(inner === undefined ? {} : { items: schemaOf(inner, name) }),
    ...(seen >= enough ? { maxItems: roundUp(longestList) } : {}),
  }
}

function textRules({ longestText, hasEmptyText, seen }: Shape): Readonly<Record<string, unknown>> {
  return { ...(hasEmptyText ? {} : { minLength: 1 }), ...(seen >= enough ? { maxLength: roundUp(longestText) } : {}) }
}

/** Numbers that identify something have no range, and are not written down. */
function numberRules({ range, seen }: Shape, name: string): Readonly<Record<string, unknown>> {
  return seen < enough || personal.test(name) ? {} : { minimum: range.min, maximum: range.max }
}

/** The next number with two digits that count. */
export function roundUp(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.max(1, Math.ceil(value / step) * step)
}
