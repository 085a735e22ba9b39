import type { Environment } from '../../upstreams/settings/environment.ts'

/** A text with its variables put in, or what is wrong with it. */
export type Expanded =
  | { readonly text: string; readonly used: readonly UsedVariable[]; readonly problem?: undefined }
  | { readonly problem: string }

/** A variable that was put in. */
export interface UsedVariable {
  readonly name: string
  readonly value: string
}

const variable = /\$\$\{|\$\{([^}]*)(\}?)/g
const form = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/

/** Puts environment variables into a text: `${NAME}`, `${NAME:-default}`; `$${` stands for `${`. What is put in is not looked at again. */
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

/** The sentence for a variable that is needed and not there. */
export function notSet(name: string): string {
  return `the environment variable ${name} is not set`
}

function lookUp(env: Environment, name: string, standard: string | undefined): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  // As shells have it: with a default, an empty variable counts as absent.
  return standard === undefined ? value : value || standard
}
