import type * as z from 'zod/mini'
import english from 'zod/v4/locales/en.js'
import { closest } from '../closest.ts'
import { type ConfigurationProblem, unknownName } from '../configuration-error.ts'

type Path = readonly (string | number)[]
type Complaint = z.core.$ZodIssue

/** Has Zod say in words what is wrong: without a language, as in its small build, it only says that something is. */
export const inWords = { error: english().localeError }

/** Turns the errors of Zod into readable problems: unknown keys and words get a "did you mean", or where they belong as `elsewhere` says it. */
export function describeComplaints(
  complaints: readonly Complaint[],
  schema: z.core.$ZodType,
  value: unknown,
  above: Path = [],
  elsewhere: (key: string) => string | undefined = () => undefined,
): ConfigurationProblem[] {
  return complaints.flatMap((complaint) => {
    const path = [...above, ...complaint.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))]
    const given = valueAt(value, path)
    switch (complaint.code) {
      case 'unrecognized_keys': {
        const known = keysOf(schema, value, path)
        return complaint.keys.map((key) => {
          const meant = closest(key, known)
          const place = meant === undefined ? elsewhere(key) : undefined
          const message = place === undefined ? unknownName('key', key, known, meant) : `unknown key ${JSON.stringify(key)}; ${place}`
          return { message, path: [...path, key] }
        })
      }
      case 'invalid_value':
        return [{ message: wrongWord(given, complaint.values.map(String)) ?? plain(complaint.message), path }]
      case 'invalid_type':
        return [
          { message: given === undefined ? `is missing; ${expected(complaint.expected)} is expected` : plain(complaint.message), path },
        ]
      case 'invalid_union':
        return describeUnion(complaint, schema, value, path, elsewhere)
      default:
        return [{ message: plain(complaint.message), path }]
    }
  })
}

type UnionComplaint = Extract<Complaint, { code: 'invalid_union' }>

/** Describes what is wrong with the intended member: the one whose complaints go deepest, not the one of another type. */
function describeUnion(
  complaint: UnionComplaint,
  schema: z.core.$ZodType,
  value: unknown,
  path: Path,
  elsewhere: (key: string) => string | undefined,
): ConfigurationProblem[] {
  const words = 'options' in complaint && Array.isArray(complaint.options) ? complaint.options.map(String) : undefined
  if (words) return [{ message: wrongWord(valueAt(value, path), words) ?? `is missing; one of ${words.join(', ')} is expected`, path }]
  // A mapping where words are listed was meant for another member.
  const isMapping = typeof valueAt(value, path) === 'object'
  const isOther = ({ code, path: at }: Complaint): boolean =>
    at.length === 0 && (code === 'invalid_type' || (code === 'invalid_value' && isMapping))
  const meant = complaint.errors.find((errors) => !errors.some(isOther))
  if (meant) return describeComplaints(meant, schema, value, path, elsewhere)
  const types = complaint.errors.flatMap((errors) =>
    errors.flatMap((error) => ('expected' in error ? [typeName(String(error.expected))] : [])),
  )
  return [{ message: `expected ${[...new Set(types)].join(' or ') || 'something else'}`, path }]
}

/** Users know mappings as objects. */
function typeName(type: string): string {
  return type === 'record' ? 'object' : type
}

function wrongWord(given: unknown, words: readonly string[]): string | undefined {
  return typeof given === 'string' ? unknownName('value', given, words) : undefined
}

function plain(message: string): string {
  const rest = message.replace(/^Invalid input: /, '')
  return rest.slice(0, 1).toLowerCase() + rest.slice(1)
}

function expected(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The value at a path of plain data, if present. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined
    current = (current as Record<string | number, unknown>)[segment]
  }
  return current
}

/** The keys that a schema knows at a path of a value. */
export function keysOf(schema: z.core.$ZodType, value: unknown, path: Path): string[] {
  let schemas = members(schema, value)
  let current = value
  for (const segment of path) {
    current = valueAt(current, [segment])
    schemas = schemas.flatMap((one) => childOf(one, segment)).flatMap((one) => members(one, current))
  }
  return [...new Set(schemas.flatMap((one) => Object.keys(definitionOf(one).shape ?? {})))]
}

/** A part of plain data, with the schema that reads it. */
interface DataPart {
  readonly schema: z.core.$ZodType
  readonly value: unknown
  readonly path: Path
  /** What it is a member of. */
  readonly within: unknown
}

/** Every part of plain data that a schema reads; parts that it cannot read are left out. */
export function* partsOf(schema: z.core.$ZodType, value: unknown, path: Path = [], within?: unknown): Generator<DataPart> {
  for (const one of members(schema, value)) {
    yield { schema: one, value, path, within }
    const isList = Array.isArray(value)
    if (typeof value !== 'object' || value === null || isList !== (definitionOf(one).type === 'array')) continue
    for (const [key, inner] of Object.entries(value)) {
      const segment = isList ? Number(key) : key
      for (const child of childOf(one, segment)) yield* partsOf(child, inner, [...path, segment], value)
    }
  }
}

/** What is read of a schema's definition; by its type name, because several copies of Zod may be about. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly element?: z.core.$ZodType
  readonly valueType?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly in?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
  readonly discriminator?: string
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as Definition
}

function childOf(schema: z.core.$ZodType, segment: string | number): z.core.$ZodType[] {
  const { shape, element, valueType } = definitionOf(schema)
  const child = shape && Object.hasOwn(shape, segment) ? shape[segment] : (element ?? valueType)
  return child ? [child] : []
}

/** A schema without its wrappers; of a union, the members that the value may have been meant for. */
function members(schema: z.core.$ZodType, value: unknown): z.core.$ZodType[] {
  const { innerType, in: input, options, discriminator } = definitionOf(schema)
  const inner = innerType ?? input
  if (inner) return members(inner, value)
  if (!options) return [schema]
  const word = discriminator === undefined ? undefined : valueAt(value, [discriminator])
  const meant = options.filter((option) => {
    const tag = discriminator === undefined ? undefined : definitionOf(option).shape?.[discriminator]
    return tag === undefined || word === undefined || (tag._zod.values?.has(word as string) ?? true)
  })
  // A word that no member has may be any of theirs misspelt.
  return (meant.length > 0 ? meant : options).flatMap((option) => members(option, value))
}
