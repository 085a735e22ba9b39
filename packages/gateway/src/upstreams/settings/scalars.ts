import { environmentName } from '@stickler/core/internal'
import * as z from 'zod'

/** What is known of an environment variable that a key of the file names. */
interface VariableTerms {
  /** Throws a ConfigurationError for a value that cannot be used; by default it is sent in a header. */
  readonly read?: (value: string) => unknown
  /** Whether it has the key of a model, which one on this machine may do without. */
  readonly isModelKey?: boolean
  /** Whether it has the keys of callers, which may be missing. */
  readonly isKeyring?: true
}

/** The keys that name environment variables; in a list, they are passed on to a command. */
export const variables = z.registry<VariableTerms>()
variables.add(environmentName, { isModelKey: false })

/** The name of an environment variable of which more is known. */
export function variableName(terms: VariableTerms): typeof environmentName {
  return environmentName.clone().register(variables, terms)
}

/** The variable with the key of a model. */
export const modelKeyName = variableName({ isModelKey: true })

/** A name that other parts of the file refer to. */
export const nameSchema = z.string().trim().min(1).max(100)

/** Seconds in a file, at most a day because longer timers do not exist; milliseconds in the configuration that is read from it. */
export const durationSchema = z.number().positive().max(86_400).transform(inMs)

/** Seconds in milliseconds. */
export function inMs(seconds: number): number {
  return seconds * 1000
}
