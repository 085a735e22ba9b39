/** The environment, passed in. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The value of an environment variable, unless it is empty. */
export function fromEnvironment(env: Environment, name: string): string | undefined {
  return (Object.hasOwn(env, name) ? env[name] : undefined) || undefined
}
