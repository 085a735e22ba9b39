/** Where a fault is in the arguments. */
export type Path = readonly (string | number)[]

/** Sorts findings with a path into the order of a value: those on a whole before those on its parts. */
export function valueOrder<Item extends { readonly path: Path }>(items: readonly Item[], value: unknown, depth = 0): readonly Item[] {
  if (items.length < 2 || typeof value !== 'object' || value === null) return items
  const whole: Item[] = []
  const parts = new Map<string, Item[]>()
  for (const item of items) {
    const key = item.path[depth]
    if (key === undefined || !Object.hasOwn(value, key)) whole.push(item)
    else {
      const part = parts.get(String(key)) ?? []
      parts.set(String(key), part)
      part.push(item)
    }
  }
  const keys = parts.size < 2 ? [...parts.keys()] : Object.keys(value).filter((key) => parts.has(key))
  return [...whole, ...keys.flatMap((key) => valueOrder(parts.get(key) ?? [], (value as Record<string, unknown>)[key], depth + 1))]
}
