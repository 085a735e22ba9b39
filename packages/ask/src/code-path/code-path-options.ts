import {
  ConfigurationError,
  type ConfigurationProblem,
  type Contract,
  type Ports,
  type Prompt,
  type Runner,
  unknownName,
} from '@stickler/core'
import type { CodeState } from './code-state.ts'

/** What the nodes need. */
export interface CodePathOptions {
  /** The model. */
  readonly runner: Runner
  /** The parser; without one nothing is validated. */
  readonly parser?: Ports['parser']
  /** The rules, which must declare a validation status; default: the preset of the design. */
  readonly contract?: Contract
  /** What the model is asked, such as the query with what was retrieved for it; default: the query. */
  readonly promptOf?: (state: CodeState) => Prompt
  /** Told of every answer that is returned without a verdict. */
  readonly onUnvalidated?: () => void
}

/** Every option, so that none can be forgotten here. */
const known: Readonly<Record<keyof CodePathOptions, true>> = {
  runner: true,
  parser: true,
  contract: true,
  promptOf: true,
  onUnvalidated: true,
}

/** Throws a ConfigurationError for options that would only show later, or never: an answer is not to be left unvalidated by mistake. */
export function refuseWrongOptions(options: CodePathOptions): void {
  const problems: ConfigurationProblem[] = Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({ path: [], message: unknownName('option', name, Object.keys(known)) }))
  // Callers without types may pass anything.
  const { runner, parser }: { readonly runner?: unknown; readonly parser?: unknown } = options
  if (!has(runner, 'run')) problems.push({ path: ['runner'], message: 'is missing, or is no runner: it has no function `run`' })
  if (parser !== undefined && !has(parser, 'parse')) problems.push({ path: ['parser'], message: noParser(parser) })
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function noParser(given: unknown): string {
  return has(given, 'then') ? 'is a promise; await it, as in `await openParser(…)`' : 'is no parser: it has no function `parse`'
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}
