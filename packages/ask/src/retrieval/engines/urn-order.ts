/** Orders urns by code points, as databases order the bytes of UTF-8. */
export function urnOrder(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const difference = place(one.charCodeAt(index)) - place(other.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Surrogates encode what sorts after all other units. */
function place(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
