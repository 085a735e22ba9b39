import { ConfigurationError } from './configuration-error.ts'

/** Rejects settings that are not positive numbers; those that are absent pass. */
export function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  const problems = Object.entries(numbers).flatMap(([name, value = 1]) =>
    value > 0 ? [] : [{ path: [name], message: 'must be a positive number' }],
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}
