import type { Environment } from './expand-environment.ts'

/** The variable with the keys of clients, where none is named. */
export const usualKeys = 'STICKLER_KEYS'

/** The variable with the keys of operators, where none is named. */
export const usualOperatorKeys = 'STICKLER_OPERATOR_KEYS'

/** What an environment variable holds, when it is set to something. */
export function fromEnvironment(env: Environment, name: string): string | undefined {
  return (Object.hasOwn(env, name) ? env[name] : undefined) || undefined
}
