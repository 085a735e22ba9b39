import { isNamedBy } from '@stickler/core/internal'

/** Whether a route's model stands for several names. */
export function isPattern(model: string): boolean {
  return model.includes('*')
}

/**
 * Finds the value of a model's name: by the name itself, otherwise by the pattern with the most
 * letters, and the first of equals.
 */
export function findByModel<Value>(entries: readonly (readonly [model: string, value: Value])[]): (model: string) => Value | undefined {
  const named = new Map(entries.filter(([model]) => !isPattern(model)))
  const patterns = entries.filter(([model]) => isPattern(model)).sort(([a], [b]) => lettersOf(b) - lettersOf(a))
  // A pattern is no name of a model.
  return (model) => named.get(model) ?? (isPattern(model) ? undefined : patterns.find(([pattern]) => isNamedBy(pattern, model))?.[1])
}

function lettersOf(pattern: string): number {
  return pattern.replaceAll('*', '').length
}
