import { isNamedBy } from '@stickler/core/internal'

/** Whether a route's model stands for several names. */
export function isPattern(model: string): boolean {
  return model.includes('*')
}

/** So many names are remembered, each of them no longer than any that a provider gives: callers choose them. */
const mostNames = 1000
const longestName = 256

/**
 * Finds the value of a model's name: by the name itself, otherwise by the pattern with the most
 * letters, and the first of equals. A pattern is not for what another route names in other letters:
 * providers may ignore case.
 */
export function findByModel<Value>(entries: readonly (readonly [model: string, value: Value])[]): (model: string) => Value | undefined {
  const named = new Map(entries.filter(([model]) => !isPattern(model)))
  const patterns = entries.filter(([model]) => isPattern(model)).sort(([a], [b]) => lettersOf(b) - lettersOf(a))
  const folded = new Map([...named].reverse().map(([model, value]) => [fold(model), value]))
  // A pattern is no name of a model.
  const similar = (model: string): Value | undefined =>
    isPattern(model) ? undefined : (folded.get(fold(model)) ?? patterns.find(([pattern]) => isNamedBy(pattern, model))?.[1])
  const remembered = new Map<string, Value | undefined>()
  return (model) => {
    const value = named.get(model)
    if (value !== undefined || patterns.length === 0) return value
    if (remembered.has(model)) return remembered.get(model)
    const found = similar(model)
    if (remembered.size === mostNames) remembered.clear()
    if (model.length <= longestName) remembered.set(model, found)
    return found
  }
}

function fold(model: string): string {
  return model.trim().toLowerCase()
}

function lettersOf(pattern: string): number {
  return pattern.replaceAll('*', '').length
}
