import { Answer } from '../../answer/answer.ts'
import type { ConfigurationProblem } from '../configuration-error.ts'
import type { IssueDraft } from '../issue.ts'
import type { Policy } from '../policy.ts'
import type { ActiveValidator } from './read-checks.ts'

/** A fallback as it is delivered. */
export function fallbackText(fallback: unknown): string {
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback)
}

/** What is wrong with the fallback of a contract: who reads a value from answers must be able to read it from this one too. */
export function fallbackProblems({ fallback, locale }: Policy, validators: readonly ActiveValidator[]): ConfigurationProblem[] {
  // That it cannot be written is said already.
  if (fallback === undefined || fallback === null) return []
  const text = fallbackText(fallback)
  if (text.trim() === '') return [{ message: 'must have a character that can be seen', path: ['fallback'] }]
  const context = { locale, context: {}, ports: {}, signal: new AbortController().signal }
  return validators.flatMap(({ name, prepared, severity, definition }) => {
    if (prepared.value === undefined || severity === 'warning') return []
    const found = prepared.check(new Answer(text), context)
    // What has to wait for something is not known here.
    if (Symbol.asyncIterator in found) return []
    const isWrong = ({ code, severity: own = definition.codes[code]?.severity }: IssueDraft): boolean => own === 'error'
    const wrong = [...found].filter((one) => one.kind === 'issue' && isWrong(one)) as IssueDraft[]
    return wrong
      .slice(0, 1)
      .map(({ message }) => ({ message: `breaks the check ${name} of this contract: ${message}`, path: ['fallback'] }))
  })
}
