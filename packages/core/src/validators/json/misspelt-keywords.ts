import { closest, foldWord } from '../../contract/closest.ts'
import { ConfigurationError, type ConfigurationProblem, unknownName } from '../../contract/configuration-error.ts'
import { acceptsValue, schemaKeywords } from '../../schema/read/keywords.ts'
import { readSchema } from '../../schema/read/read-schema.ts'
import { type RawSchema, schemasUnder } from '../../schema/read/subschemas.ts'
import type { JsonValue } from '../../schema/values/json-value.ts'

type Path = readonly (string | number)[]

/** Throws a ConfigurationError for keywords of a schema that are misspelt: they would check nothing. Paths begin at the option. */
export function rejectMisspelt(schema: unknown): void {
  const problems = misspelt(readSchema(schema).schema, ['schema'])
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
  if (meant === undefined || foldWord(key) === foldWord(meant)) return meant
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

/** Those whose mark is forgotten to some effect. */
const missed = ['$ref', '$defs']
