/** Longer names are cut; clients and providers choose some of them. */
const longestName = 128

/** A name as written in a span. */
export function short(name: string): string {
  return name.length > longestName ? name.slice(0, longestName) : name
}
