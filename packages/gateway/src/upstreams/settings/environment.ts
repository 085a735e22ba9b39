/** The environment, passed in. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What an environment variable holds, when it is set to something. */
export function fromEnvironment(env: Environment, name: string): string | undefined {
  return (Object.hasOwn(env, name) ? env[name] : undefined) || undefined
}
