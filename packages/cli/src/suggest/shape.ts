/** What was seen at one place of JSON values. */
export interface Shape {
  seen: number
  readonly types: Map<string, number>
  /** Properties of objects; undefined once there are too many, or one whose name is not an identifier. */
  properties: Map<string, Shape> | undefined
  /** What items of lists look like; undefined until one was seen. */
  inner: Shape | undefined
  /** Different texts with how often each was seen; undefined once there are too many. */
  texts: Map<string, number> | undefined
  longestText: number
  hasEmptyText: boolean
  readonly range: { min: number; max: number }
  longestList: number
}

const mostProperties = 100
const mostTexts = 20
const deepest = 8

/** A place where nothing was seen yet. */
export function emptyShape(): Shape {
  return {
    seen: 0,
    types: new Map(),
    properties: new Map(),
    inner: undefined,
    texts: new Map(),
    longestText: 0,
    hasEmptyText: false,
    range: { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
    longestList: 0,
  }
}

/** Adds what a value looks like; deeper values only by their type. */
export function observe(shape: Shape, value: unknown, depth = 0): void {
  shape.seen++
  const type = typeOf(value)
  shape.types.set(type, (shape.types.get(type) ?? 0) + 1)
  if (typeof value === 'string') observeText(shape, value)
  else if (typeof value === 'number') {
    shape.range.min = Math.min(shape.range.min, value)
    shape.range.max = Math.max(shape.range.max, value)
  } else if (Array.isArray(value)) {
    shape.longestList = Math.max(shape.longestList, value.length)
    if (depth < deepest) for (const item of value as readonly unknown[]) observe(innerOf(shape), item, depth + 1)
  } else if (typeof value === 'object' && value !== null && depth < deepest) observeObject(shape, value, depth)
}

function innerOf(shape: Shape): Shape {
  shape.inner ??= emptyShape()
  return shape.inner
}

function observeText(shape: Shape, text: string): void {
  shape.longestText = Math.max(shape.longestText, text.length)
  shape.hasEmptyText ||= text === ''
  if (shape.texts === undefined) return
  shape.texts.set(text, (shape.texts.get(text) ?? 0) + 1)
  if (shape.texts.size > mostTexts) shape.texts = undefined
}

function observeObject(shape: Shape, value: object, depth: number): void {
  const { properties } = shape
  for (const [key, inner] of Object.entries(value)) {
    if (properties !== undefined && !isIdentifier(key)) shape.properties = undefined
    if (shape.properties !== undefined) {
      const known = shape.properties.get(key) ?? emptyShape()
      shape.properties.set(key, known)
      observe(known, inner, depth + 1)
      if (shape.properties.size > mostProperties) shape.properties = undefined
    }
  }
}

/** Keys that are data, such as addresses of people, are never written down. */
function isIdentifier(key: string): boolean {
  return /^[A-Za-z_$][\w$.-]{0,63}$/.test(key) && !/\d{4}/.test(key)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
