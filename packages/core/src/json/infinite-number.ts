/** The path of a number that is out of range, which `JSON.parse` reads as infinite; undefined when all numbers are finite. */
export function infiniteNumber(value: unknown): readonly (string | number)[] | undefined {
  const open: Place[] = [{ value, step: '', parent: undefined }]
  for (let place = open.pop(); place; place = open.pop()) {
    const { value: one } = place
    if (one === Number.POSITIVE_INFINITY || one === Number.NEGATIVE_INFINITY) return pathOf(place)
    if (typeof one !== 'object' || one === null) continue
    const parent = place
    const push = (inner: unknown, step: string | number): void => {
      if (typeof inner === 'object' ? inner !== null : typeof inner === 'number' && !Number.isFinite(inner))
        open.push({ value: inner, step, parent })
    }
    if (Array.isArray(one)) one.forEach(push)
    else for (const [key, inner] of Object.entries(one)) push(inner, key)
  }
  return undefined
}

/** A part that is looked at; its path is put together only when it is needed. */
interface Place {
  readonly value: unknown
  readonly step: string | number
  readonly parent: Place | undefined
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at?.parent; at = at.parent) path.push(at.step)
  return path.reverse()
}
