import type { Environment } from '@stickler/core'
import { usualEnvironment } from '../workers/usual-environment.ts'

/** What the command itself reads. */
const prefixes: readonly string[] = ['ANTHROPIC_', 'CLAUDE_']

/** What of an environment the Claude command line gets. */
export interface CommandVariables {
  /** Further variables that it gets, such as those of its tools. */
  readonly pass?: readonly string[]
  /** Variables that it does not get unless `pass` names them. */
  readonly withhold?: readonly string[]
}

/** The part of an environment that the Claude command line gets: basics, proxies, ANTHROPIC_* and CLAUDE_*, and what is named. */
export function claudeCliEnvironment(env: Environment, variables: CommandVariables = {}): Record<string, string> {
  return usualEnvironment(env, { ...variables, prefixes })
}

/** What the command gets of the environment of this process. */
export function ownEnvironment(): Record<string, string> {
  return claudeCliEnvironment(process.env)
}
