import { isFields } from '../answer/tool-shapes/fields.ts'
import { ConfigurationError, type ConfigurationProblem, unknownName } from '../contract/configuration-error.ts'
import type { CheckOptions } from './check/check-setting.ts'

/** Every option of a kind, so that none can be forgotten here. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** The options of `check`. */
export const checkOptions: OptionNames<CheckOptions> = {
  context: true,
  ports: true,
  signal: true,
  clock: true,
  only: true,
  request: true,
  executor: true,
}

/** Throws a ConfigurationError for what is not a contract, such as the plain object that one is made from. */
export function requireContract(given: unknown): void {
  if (isFields(given) && Array.isArray(given.validators) && isFields(given.policy)) return
  const isWritten = isFields(given) && ('checks' in given || 'preset' in given)
  throw new ConfigurationError([
    {
      message: isWritten
        ? 'this is a plain object; pass what `contract({ … })` makes of it'
        : 'pass a contract, such as `contract({ checks: [json({ schema })] })`',
      path: ['contract'],
    },
  ])
}

/** Throws a ConfigurationError for what is not an answer, such as the response of a client. */
export function requireAnswerText(given: unknown): void {
  // By a method, since there may be several copies of the class.
  if (typeof given === 'string' || (isFields(given) && typeof given.changed === 'function')) return
  throw new ConfigurationError([{ message: 'pass a text, or `readAnswer(response)` for the response of a client', path: ['answer'] }])
}

/** Throws a ConfigurationError for what is not the report of a check. */
export function requireReport(given: unknown): void {
  if (isFields(given) && Array.isArray(given.issues)) return
  throw new ConfigurationError([{ message: 'pass what `check` found, or call `settle`, which checks and repairs', path: ['report'] }])
}

/** Throws a ConfigurationError for what a run cannot do without: each with what to pass. */
export function requireRun(given: { readonly contract?: unknown; readonly runner?: unknown; readonly prompt?: unknown }): void {
  const { runner, prompt } = given
  const problems: ConfigurationProblem[] = []
  if (!isFields(runner) || typeof runner.run !== 'function') {
    const advice =
      typeof runner === 'function'
        ? 'wrap the function: `fromFunction(call)`'
        : 'pass a runner, such as `openai({ … })` or `fromFunction(call)`'
    problems.push({ message: advice, path: ['runner'] })
  }
  if (typeof prompt !== 'string' && !Array.isArray(prompt))
    problems.push({ message: 'pass a text or a list of messages', path: ['prompt'] })
  requireContract(given.contract)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Throws a ConfigurationError for options that do not exist, which would be ignored in silence. */
export function rejectUnknown<Options extends object>(options: Options, known: OptionNames<Options>): void {
  if (!isFields(options)) throw new ConfigurationError([{ message: `pass an object with ${Object.keys(known).join(', ')}`, path: [] }])
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const names = Object.keys(known)
  // What providers call a prompt is not spelt like it.
  const meant = (name: string): string | undefined => (name === 'messages' && names.includes('prompt') ? 'prompt' : undefined)
  throw new ConfigurationError(unknown.map((name) => ({ message: unknownName('option', name, names, meant(name)), path: [] })))
}
