import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'

/** Adds usage objects of one shape: counts are summed at every depth, everything else is that of the last one. */
export function sumUsage(usages: readonly Fields[]): Fields {
  return usages.reduce((sum, usage) => added(sum, usage))
}

/** Nothing that a provider really sends is nested deeper. */
const deepest = 8

function added(a: Fields, b: Fields, depth = 0): Fields {
  const sum: Record<string, unknown> = { ...a }
  for (const name of Object.keys(b)) {
    if (name === '__proto__') continue
    const [one, other] = [a[name], b[name]]
    if (typeof one === 'number' && typeof other === 'number') sum[name] = one + other
    else if (isFields(one) && isFields(other) && depth < deepest) sum[name] = added(one, other, depth + 1)
    else if (other !== null || one === undefined) sum[name] = other
  }
  return sum
}
