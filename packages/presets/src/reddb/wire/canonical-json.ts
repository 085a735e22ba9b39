/** An array or object that is being written. */
interface Frame {
  readonly source: object
  /** The keys that are written, in order; absent for an array. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  next: number
}

/** Writes a value as compact JSON with sorted keys, so that equal values are equal bytes; a text longer than `longest` is a RangeError. */
export function canonicalJson(value: unknown, longest = Number.POSITIVE_INFINITY): string {
  const out: string[] = []
  let length = 0
  const add = (piece: string): void => {
    length += piece.length
    if (length > longest) throw new RangeError(`the JSON is longer than ${longest} characters`)
    out.push(piece)
  }
  const open: Frame[] = []
  const ancestors = new Set<object>()
  const write = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) {
      add(scalar(item))
      return
    }
    if (ancestors.has(item)) throw new TypeError('canonical JSON cannot hold a value that contains itself')
    ancestors.add(item)
    const frame = frameOf(item, longest)
    add(frame.keys === undefined ? '[' : '{')
    open.push(frame)
  }
  write(value)
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.next === frame.length) {
      add(frame.keys === undefined ? ']' : '}')
      ancestors.delete(frame.source)
      open.pop()
      continue
    }
    if (frame.next > 0) add(',')
    const key = frame.keys?.[frame.next] ?? frame.next
    frame.next++
    const item: unknown = Reflect.get(frame.source, key)
    if (typeof key === 'string') add(`${text(key)}:`)
    // A hole in an array is null, as JSON.stringify writes it.
    write(item === undefined ? null : item)
  }
  return out.join('')
}

function frameOf(source: object, longest: number): Frame {
  if (Array.isArray(source)) return { source, keys: undefined, length: source.length, next: 0 }
  const prototype: unknown = Object.getPrototypeOf(source)
  // Maps, dates and other instances would silently become empty objects.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError('canonical JSON holds plain objects and arrays only')
  // Each has three characters at least, and sorting is what takes long.
  if (Object.keys(source).length > longest) throw new RangeError(`the JSON is longer than ${longest} characters`)
  const keys = Object.entries(source)
    .flatMap(([key, member]) => (member === undefined ? [] : [key]))
    .sort()
  return { source, keys, length: keys.length, next: 0 }
}

function scalar(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw new TypeError(`canonical JSON cannot hold ${typeof value === 'number' ? value : typeof value}`)
}

/** As JSON.stringify, which escapes lone surrogates, but also safe where U+2028 and U+2029 end a line. */
function text(value: string): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (unit) => (unit === '\u2028' ? '\\u2028' : '\\u2029'))
}
