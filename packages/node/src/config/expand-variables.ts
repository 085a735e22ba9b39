import type { ConfigurationProblem, Environment } from '@stickler/core'
import { partsOf } from '@stickler/core/internal'
import type { $ZodType } from 'zod/v4/core'

/** A text with its variables expanded, or the problem. */
type Expanded =
  | { readonly text: string; readonly used: readonly UsedVariable[]; readonly problem?: undefined }
  | { readonly problem: string }

/** A variable that was expanded. */
export interface UsedVariable {
  readonly name: string
  readonly value: string
}

const variable = /\$\$\{|\$\{([^}]*)(\}?)/g
const form = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/

/**
 * Expands environment variables in a text: `${NAME}`, `${NAME:-default}`; `$${` is a literal `${`.
 * Values are not expanded again.
 */
export function expandText(text: string, env: Environment): Expanded {
  if (!text.includes('${')) return { text, used: [] }
  const used: UsedVariable[] = []
  let problem: string | undefined
  const expanded = text.replace(variable, (found: string, inside: string | undefined, end: string | undefined) => {
    if (inside === undefined) return '${'
    const [, name, standard] = (end === '}' && form.exec(inside)) || []
    const value = name === undefined ? undefined : lookUp(env, name, standard)
    if (name !== undefined && value !== undefined) used.push({ name, value })
    else problem ??= name === undefined ? malformed : notSet(name)
    return value ?? found
  })
  return problem === undefined ? { text: expanded, used } : { problem }
}

const malformed = `a variable is written \${NAME} or \${NAME:-default}; write $\${ for the characters themselves`

/** The message for a required variable that is missing. */
export function notSet(name: string): string {
  return `the environment variable ${name} is not set`
}

function lookUp(env: Environment, name: string, standard: string | undefined): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  // As shells have it: with a default, an empty variable counts as absent.
  return standard === undefined ? value : value || standard
}

/** Plain data with environment variables expanded. */
interface ExpandedData {
  readonly data: unknown
  readonly problems: readonly ConfigurationProblem[]
  readonly used: readonly UsedVariable[]
}

type Path = readonly (string | number)[]

/** Expands environment variables in every text of plain data; where the schema expects a number or a boolean, `port: ${PORT}` becomes one. */
export function expandData(data: unknown, env: Environment, schema: $ZodType): ExpandedData {
  const problems: ConfigurationProblem[] = []
  const used: UsedVariable[] = []
  const types = new Map<string, string[]>()
  for (const { schema: one, value, path } of partsOf(schema, data)) {
    if (typeof value === 'string' && value.includes('${'))
      types.set(pathKey(path), [...(types.get(pathKey(path)) ?? []), one._zod.def.type])
  }

  function expand(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return expandAt(value, path)
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner, [...path, key])]))
  }

  function expandAt(text: string, path: Path): unknown {
    const expanded = expandText(text, env)
    if (expanded.problem !== undefined) {
      problems.push({ message: expanded.problem, path })
      return text
    }
    used.push(...expanded.used)
    const isWhole = expanded.used.length > 0 && /^\$\{[^}]*\}$/.test(text)
    return isWhole ? readAs(expanded.text, types.get(pathKey(path)) ?? []) : expanded.text
  }

  return { data: expand(data, []), problems, used }
}

/** A text as one of these types; a name of digits stays a text. */
function readAs(text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return types.includes('number') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text
}

/** A path as one text. */
export function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String))
}

/** Replaces values by the names of their variables, so that a message repeats no secret. */
export function nameVariables(message: string, used: readonly UsedVariable[]): string {
  return (
    used
      .filter(({ value }) => value.length >= 4)
      // Messages quote values as JSON.
      .flatMap(({ name, value }) => [...new Set([value, JSON.stringify(value).slice(1, -1)])].map((one) => ({ name, value: one })))
      .reduce(nameVariable, message)
  )
}

/** Names a variable also where a message clips its value. */
function nameVariable(message: string, { name, value }: UsedVariable): string {
  const head = value.slice(0, 16)
  const named = `\${${name}}`
  let text = ''
  let rest = message
  for (let at = rest.indexOf(head); at >= 0; at = rest.indexOf(head)) {
    let end = head.length
    while (end < value.length && rest[at + end] === value[end]) end++
    const isValue = end === value.length || rest[at + end] === '…'
    text += rest.slice(0, at) + (isValue ? named : head)
    rest = rest.slice(at + (isValue ? end : head.length))
  }
  return text + rest
}
