import { ConfigurationError, unknownName } from '../contract/configuration-error.ts'
import type { CheckOptions } from './check/check-setting.ts'

/** Every option of a kind, so that none can be forgotten here. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** The options of `check`. */
export const checkOptions: OptionNames<CheckOptions> = { context: true, ports: true, signal: true, clock: true, only: true, executor: true }

/** Throws a ConfigurationError for options that do not exist, which would be ignored in silence. */
export function rejectUnknown<Options extends object>(options: Options, known: OptionNames<Options>): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const names = Object.keys(known)
  throw new ConfigurationError(unknown.map((name) => ({ message: unknownName('option', name, names), path: [] })))
}
