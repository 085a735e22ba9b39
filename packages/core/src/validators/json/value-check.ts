import { closest, foldWord } from '../../contract/closest.ts'
import { ConfigurationError, type ConfigurationProblem, unknownName } from '../../contract/configuration-error.ts'
import { quote } from '../../contract/quote.ts'
import { isObject, type JsonValue } from '../../json/json-value.ts'
import { changedText } from '../../repairs/apply.ts'
import { repairBySchema } from '../../repairs/schema-guided/repair-by-schema.ts'
import { allowsType, type Shape, shapesOf } from '../../repairs/schema-guided/shape.ts'
import { BoundedInterpreter } from '../../schema/bounded-interpreter.ts'
import { type CompiledSchema, compileSchema, type SchemaOptions } from '../../schema/compile.ts'
import type { SchemaProblem } from '../../schema/problem.ts'
import { acceptsValue, schemaKeywords } from '../../schema/read/keywords.ts'
import { readSchema } from '../../schema/read/read-schema.ts'
import { type RawSchema, schemasUnder } from '../../schema/read/subschemas.ts'
import { SchemaError } from '../../schema/schema-error.ts'
import { checkStandard, isStandardSchema, type StandardCheck, type StandardLike } from '../../schema/standard.ts'
import { type GuidingSchema, guidingSchema, writtenSchema } from '../../schema/standard-json.ts'
import { budgetFor, type StepBudget } from '../../schema/step-budget.ts'
import type { AcceptedKinds } from '../shared/prose-values.ts'
import { withinBudget } from '../shared/too-complex-value.ts'

type Path = readonly (string | number)[]

/** Throws a ConfigurationError for keywords of a schema that are misspelt, and for a schema without any: they would check nothing. Paths begin at the option. */
function rejectMisspelt(given: unknown): void {
  const { schema } = readSchema(given)
  const problems = misspelt(schema, ['schema'])
  const words = Object.keys(schema)
  if (
    problems.length === 0 &&
    words.length > 0 &&
    !words.some((word) => schemaKeywords().has(word) || foreign.has(word) || isNamespaced(word))
  )
    problems.push({ message: 'no word in it is a keyword of JSON Schema; a shape of Zod goes into `z.object(…)`', path: ['schema'] })
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function misspelt(schema: RawSchema, path: Path): ConfigurationProblem[] {
  if (typeof schema === 'boolean') return []
  return Object.entries(schema).flatMap(([key, value]) => {
    const meant = meantBy(key, value)
    const here = meant === undefined ? [] : [{ message: unknownName('keyword', key, [meant]), path: [...path, key] }]
    const inner = schemasUnder(meant ?? key, value).flatMap(([below, held]) => misspelt(held, [...path, key, ...below]))
    return [...here, ...inner]
  })
}

/** The keyword that another word was meant for; undefined for a keyword, and for a word of somebody else's vocabulary. */
function meantBy(key: string, value: JsonValue): string | undefined {
  const keywords = schemaKeywords()
  if (keywords.has(key) || foreign.has(key) || isNamespaced(key)) return undefined
  const isMarked = key.startsWith('$')
  const alike = [...keywords].filter((keyword) => keyword.startsWith('$') === isMarked)
  const meant = closest(key, isMarked ? alike : [...alike, ...missed], 4)
  if (meant === undefined) return undefined
  // An annotation in another spelling checks as little as it would in its own.
  if (foldWord(key) === foldWord(meant)) return annotations.has(meant) ? undefined : meant
  // Short words and plurals are words of their own: what they hold decides.
  const isWord = meant.length < 6 || key === `${meant}s` || `${key}s` === meant
  // `ref: "User"` is somebody's own, `ref: "#/$defs/user"` is not.
  if (meant === '$ref' && !/[#/]/.test(String(value))) return undefined
  return isCompound(key, meant) || (isWord && !acceptsValue(meant, value)) ? undefined : meant
}

/** `x-format`, `ui:order`, `@type`: a mark of another vocabulary. */
function isNamespaced(key: string): boolean {
  return /^x[-_]|[^\w$-]/i.test(key)
}

/** `descriptionDe`, `title_en`, `tsType`: a keyword and another word. */
function isCompound(key: string, keyword: string): boolean {
  const hump = keyword.slice(0, 1).toUpperCase() + keyword.slice(1)
  return (
    (key.startsWith(keyword) && /^[A-Z_-]/.test(key.slice(keyword.length))) ||
    [hump, `_${keyword}`, `-${keyword}`].some((end) => key.endsWith(end))
  )
}

/** Words of earlier drafts, OpenAPI, JSON Type Definition and form builders that resemble keywords. */
const foreign: ReadonlySet<string> = new Set(['id', 'example', 'requires', 'optionalProperties', 'defaults'])

/** Keywords that check nothing and change nothing. */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'deprecated', 'readOnly', 'writeOnly', 'examples'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', '$comment'],
])

/** Those whose mark is forgotten to some effect. */
const missed = ['$ref', '$defs']

/** Keywords that say nothing of other kinds of value, though a schema with them means this one. */
const keywords = {
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'patternProperties', 'additionalProperties', 'minProperties', 'maxProperties'],
}

/** Whether a schema accepts arrays and objects, worked out when it is asked for; a library's schema without a JSON Schema may accept both. */
function acceptedKinds(compiled: CompiledSchema | undefined): AcceptedKinds {
  const known: { array?: boolean; object?: boolean } = {}
  const accepts = (kind: 'array' | 'object'): boolean => {
    known[kind] ??= compiled === undefined || readShapes(compiled).some((shape) => meansKind(shape, kind))
    return known[kind]
  }
  return {
    get array() {
      return accepts('array')
    },
    get object() {
      return accepts('object')
    },
  }
}

/** One shape that says nothing where there are too many. */
function readShapes({ interpreter }: CompiledSchema): readonly Shape[] {
  try {
    const shapes = shapesOf(new BoundedInterpreter(interpreter, budgetFor(0)), [interpreter.root], undefined)
    return shapes.length > 0 ? shapes : [[]]
  } catch (error) {
    if (error instanceof SchemaError) return [[]]
    throw error
  }
}

function meansKind(shape: Shape, kind: 'array' | 'object'): boolean {
  if (!allowsType(shape, kind)) return false
  const mentions = (one: 'array' | 'object') =>
    shape.some(({ schema }) => isObject(schema) && keywords[one].some((keyword) => Object.hasOwn(schema, keyword)))
  return mentions(kind) || !mentions(kind === 'array' ? 'object' : 'array')
}

/** What a value is checked against. */
export interface ValueCheck {
  /** The JSON Schema that guides repairs: the given one, or that of a library schema. */
  readonly json: GuidingSchema | undefined
  /** Which of the values amid prose it may take. */
  readonly accepts: AcceptedKinds
  /** Whether that JSON Schema decides; if not, it guides only the repair of a value that the library rejects. */
  readonly decides: boolean
  /** What is wrong with the value of a JSON text, and the value as the schema hands it on: with the defaults that it declares; `whole` pays for all checks of an answer together. */
  validate(value: unknown, text: string, whole?: StepBudget): CheckedValue | Promise<CheckedValue>
}

/** A value that was checked. */
export interface CheckedValue {
  readonly problems: readonly SchemaProblem[]
  readonly value: unknown
}

/** Prepares the schema of a request, as far as it can be used; none is checked against where nothing of it can. */
export function requestedCheck(schema: unknown): { readonly check: ValueCheck | undefined; readonly flaw: string | undefined } {
  if (schema === undefined) return { check: undefined, flaw: undefined }
  try {
    const compiled = compileSchema(schema, { quote, asMeant: true })
    const check = checkByJsonSchema(schema, compiled)
    // What is only a part of the schema tells what is wrong, but not how to correct it.
    return { check: compiled.flaw ? { ...check, json: undefined } : check, flaw: compiled.flaw?.message }
  } catch (error) {
    if (error instanceof SchemaError) return { check: undefined, flaw: error.message }
    throw error
  }
}

/** Prepares a JSON Schema or a Standard Schema; throws a SchemaError for one that cannot be used, and a ConfigurationError for misspelt keywords. */
export function prepareValueCheck(schema: unknown, options: Pick<SchemaOptions, 'draft' | 'format'>): ValueCheck {
  if (isStandardSchema(schema)) return checkByLibrary(schema)
  const written = writtenSchema(schema)
  if (written === schema) rejectMisspelt(schema)
  return checkByJsonSchema(written, compileSchema(written, { ...options, quote }))
}

/** The library decides, also where its JSON Schema says less or more. */
function checkByLibrary(schema: StandardLike): ValueCheck {
  const json = guidingSchema(schema, quote)
  return {
    json,
    accepts: acceptedKinds(json?.compiled),
    decides: false,
    validate(value, text) {
      const handOn = (checked: StandardCheck): CheckedValue =>
        checked.ok ? { problems: [], value: checked.value } : { problems: worded(checked.problems, json, value, text), value }
      const checked = checkStandard(schema, value)
      return checked instanceof Promise ? checked.then(handOn) : handOn(checked)
    },
  }
}

/** The problems that a library has found, in the sentences of its JSON Schema where that finds something at the same places. */
function worded(problems: readonly SchemaProblem[], json: GuidingSchema | undefined, value: unknown, text: string): SchemaProblem[] {
  const same = new Map<string, SchemaProblem[]>()
  for (const problem of problemsBySchema(json, value, text)) {
    const place = placeOf(problem)
    const known = same.get(place)
    if (known === undefined) same.set(place, [problem])
    else known.push(problem)
  }
  return [...new Set(problems.flatMap((problem) => same.get(placeOf(problem)) ?? [problem]))]
}

function problemsBySchema(json: GuidingSchema | undefined, value: unknown, text: string): readonly SchemaProblem[] {
  try {
    return json?.compiled.validate(value, budgetFor(text.length)) ?? []
  } catch (error) {
    // What costs too much is said in the words of the library.
    if (error instanceof SchemaError) return []
    throw error
  }
}

/** What a problem is about: Zod names the property that is missing, and the object that has one too many. */
function placeOf({ path, keyword, params }: SchemaProblem): string {
  const place = keyword === 'required' ? [...path, String(params.missingProperty)] : path
  if (keyword === 'unrecognized_keys') return JSON.stringify([...path, null])
  return JSON.stringify(unknownKeys.has(keyword) ? [...path.slice(0, -1), null] : place)
}

const unknownKeys: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

function checkByJsonSchema(schema: unknown, compiled: CompiledSchema): ValueCheck {
  const hasDefaults = declaresDefaults(schema)
  return {
    json: { schema, compiled },
    accepts: acceptedKinds(compiled),
    decides: true,
    validate(value, text, whole) {
      const problems = withinBudget(
        () => compiled.validate(value, budgetFor(text.length, whole)),
        () => compiled.validate(null, budgetFor(text.length)),
      )
      return { problems, value: problems.length > 0 || !hasDefaults ? value : withDefaults(text, schema, compiled) }
    },
  }
}

/** Whether it is worth looking for defaults. */
function declaresDefaults(schema: unknown): boolean {
  return JSON.stringify(schema).includes('"default"')
}

function withDefaults(text: string, schema: unknown, compiled: CompiledSchema): unknown {
  const edits = repairBySchema(text, schema, { compiled, defaults: 'all' }).filter(({ rule }) => rule === 'fill-default')
  return JSON.parse(changedText(text, edits) ?? text)
}
