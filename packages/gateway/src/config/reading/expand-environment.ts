import type { Environment } from '../../upstreams/settings/environment.ts'

/** A text with its variables expanded, or the problem. */
export type Expanded =
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
