import { fenced, introduced, sentSchema } from '../../contract/configuration/answer-format.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { withSubschemas } from '../../schema/read/subschemas.ts'
import { utf8Length } from '../tokens/estimate-tokens.ts'

/** The most bytes of a schema in feedback; of a longer one, there are the parts that issues are about. */
const mostSchemaBytes = 8000

/** The codes that a model cannot act on without the schema. */
const needsSchema: ReadonlySet<string> = new Set(['MISSING_JSON', 'SCHEMA_MISMATCH'])

const partsOfSchema: Readonly<Record<Locale, string>> = {
  en: 'These are the parts of its JSON Schema that the answer missed, by their paths in the answer:',
  de: 'Das sind die Teile des JSON-Schemas, die die Antwort verfehlt hat, nach ihren Pfaden in der Antwort:',
}

/** The most bytes that `schemaFeedback` adds to feedback. */
export function mostSchemaFeedbackBytes({ validators, policy: { locale } }: Contract): number {
  const around =
    utf8Length(fenced('')) + Math.max(utf8Length(partsOfSchema[locale]), utf8Length(introduced('', { lines: true }, locale))) + 4
  const sizes = validators.map(({ prepared: { schema } }) => (isObject(schema) ? utf8Length(sentSchema(schema).json) + around : 0))
  return sizes.reduce((sum, size) => sum + Math.min(size, mostSchemaBytes + around), 0)
}

/** What a run knows of the schemas that its model has been told. */
interface KnownSchemas {
  knowsSchema(schema: JsonObject): boolean
  addKnownSchema(schema: JsonObject): void
}

/** The lines with the schemas that issues are about and that the model was never told, or their needed parts. */
export function schemaFeedback(
  { validators, policy: { locale } }: Contract,
  issues: readonly Issue[],
  run: KnownSchemas,
): readonly string[] {
  return validators.flatMap(({ name, prepared }) => {
    const paths = issues.filter(({ validator, code }) => validator === name && needsSchema.has(code)).map(({ path }) => path ?? [])
    if (paths.length === 0 || !isObject(prepared.schema)) return []
    const { schema, json } = sentSchema(prepared.schema)
    if (run.knowsSchema(schema)) return []
    if (utf8Length(json) <= mostSchemaBytes) {
      run.addKnownSchema(schema)
      return [introduced(json, prepared, locale), '']
    }
    // Of lines, the schema is that of each.
    const parts = neededParts(schema, prepared.lines === true ? paths.map((path) => path.slice(1)) : paths)
    return parts === undefined ? [] : [partsOfSchema[locale], fenced(parts), '']
  })
}

/** More parts would rarely fit. */
const mostParts = 20

type Path = readonly (string | number)[]

/** The parts of a schema at these paths, as many as there is room for. */
function neededParts(schema: JsonObject, paths: readonly Path[]): string | undefined {
  const parts = new Map<string, string>()
  let room = mostSchemaBytes - 2
  for (const path of paths.slice(0, mostParts)) {
    const { part, depth } = partAt(schema, path)
    const label = JSON.stringify(path.slice(0, depth).join('.') || '$')
    if (parts.has(label)) continue
    const json = outlined(part, schema, room - utf8Length(label) - 2)
    if (json === undefined) break
    parts.set(label, json)
    room -= utf8Length(label) + utf8Length(json) + 2
  }
  return parts.size === 0 ? undefined : `{${Array.from(parts, ([label, json]) => `${label}:${json}`).join()}}`
}

/** The schema of what is at a path, or of the nearest value around it that the schema describes. */
function partAt(root: JsonObject, path: Path): { readonly part: JsonValue; readonly depth: number } {
  let part: JsonValue = root
  for (const [depth, segment] of path.entries()) {
    const next = inside(part, segment, root, { left: mostSteps })
    if (next === undefined) return { part, depth }
    part = next
  }
  return { part, depth: path.length }
}

/** How many references and combinations are followed to one value. */
const mostSteps = 100

function inside(schema: JsonValue, segment: string | number, root: JsonObject, steps: { left: number }): JsonValue | undefined {
  const node = resolved(schema, root)
  if (!isObject(node) || steps.left-- <= 0) return undefined
  const { properties, additionalProperties, prefixItems, items } = node
  const found =
    typeof segment === 'number'
      ? ((isArray(prefixItems) ? prefixItems[segment] : undefined) ?? (isArray(items) ? items[segment] : items))
      : isObject(properties) && Object.hasOwn(properties, segment)
        ? properties[segment]
        : isObject(additionalProperties)
          ? additionalProperties
          : undefined
  if (found !== undefined) return found
  for (const variant of [node.allOf, node.anyOf, node.oneOf].filter(isArray).flat()) {
    const nested = inside(variant, segment, root, steps)
    if (nested !== undefined) return nested
  }
  return undefined
}

/** A schema in place of a reference to it, where it is in the same document. */
function resolved(schema: JsonValue, root: JsonObject): JsonValue {
  let node = schema
  for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < mostSteps; steps++) {
    if (!/^#(?:\/|$)/.test(node.$ref)) return node
    let target: JsonValue | undefined = root
    for (const segment of node.$ref.slice(2).split('/').filter(Boolean)) {
      const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
      target = isArray(target) ? target[Number(key)] : isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined
    }
    if (target === undefined) return node
    node = target
  }
  return node
}

/** A schema as JSON, with as much of its depth as fits. */
function outlined(schema: JsonValue, root: JsonObject, room: number): string | undefined {
  for (const depth of [8, 4, 2, 1, 0]) {
    // Each schema inside is at least a name and two brackets.
    const budget = { left: Math.ceil(room / 5) }
    const json = JSON.stringify(outline(schema, root, depth, budget))
    if (budget.left > 0 && utf8Length(json) <= room) return json
  }
  const node = resolved(schema, root)
  return isObject(node) ? clipped(node, room) : undefined
}

/** What only describes a schema, or is found by reference. */
const notOutlined = new Set(['$defs', 'definitions', '$schema', '$id', '$comment', 'title', 'description', 'examples', 'default'])

function outline(schema: JsonValue, root: JsonObject, depth: number, budget: { left: number }): JsonValue {
  const node = resolved(schema, root)
  if (!isObject(node) || budget.left-- <= 0) return node === schema && !isObject(node) ? node : {}
  const kept = Object.fromEntries(Object.entries(node).filter(([keyword]) => !notOutlined.has(keyword)))
  if (depth >= 0) return withSubschemas(kept, (inner) => outline(inner, root, depth - 1, budget) as JsonObject)
  const { type } = kept
  return type === undefined ? {} : { type }
}

/** An object of too many properties: the names of as many as fit, those that are required first. */
function clipped({ type, required, properties }: JsonObject, room: number): string | undefined {
  const names = [...(isArray(required) ? required : []), ...(isObject(properties) ? Object.keys(properties) : [])]
  const shown: JsonValue[] = []
  let left = room - utf8Length(JSON.stringify({ type, properties: [], '…': names.length }))
  for (const name of new Set(names)) {
    left -= utf8Length(JSON.stringify(name)) + 1
    if (left < 0) break
    shown.push(name)
  }
  return shown.length === 0
    ? undefined
    : JSON.stringify({ ...(type !== undefined && { type }), properties: shown, '…': names.length - shown.length })
}
