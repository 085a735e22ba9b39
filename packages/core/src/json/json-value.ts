import { isHighSurrogate, isLowSurrogate } from '../answer/characters.ts'

/** A value as `JSON.parse` makes it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object; its keys are data, so only own ones count. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** The JSON type of a value; integers are numbers. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** What JSON Schema calls types. */
export const kinds: ReadonlySet<unknown> = new Set<JsonKind | 'integer'>([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])

/** The JSON type of a value; undefined for what JSON does not know. */
export function kindOf(value: unknown): JsonKind | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'object' || type === 'string' || type === 'number' || type === 'boolean' ? type : undefined
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON array. */
export function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The value of an own key. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets a key as plain data, also `__proto__`. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

/** One text for all values that JSON Schema calls equal; undefined when nested deeper than `depth`. */
export function canonical(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return scalar(value)
  if (depth === 0) return undefined
  const parts: string[] = []
  const keys = Array.isArray(value) ? undefined : Object.keys(value).sort()
  for (const part of keys ?? (value as readonly unknown[])) {
    const inner = canonical(keys ? (value as JsonObject)[part as string] : part, depth - 1)
    if (inner === undefined) return undefined
    parts.push(keys ? `${JSON.stringify(part)}:${inner}` : inner)
  }
  return keys ? `{${parts.join()}}` : `[${parts.join()}]`
}

function scalar(value: unknown): string {
  // A number out of range reads as infinite, for which JSON has no text.
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** Number of characters, as JSON Schema counts them: code points. */
export function characters(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
      count--
      at++
    }
  }
  return count
}

/** Whether a number is a multiple of another, by their decimal digits rather than their binary ones. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const shift = exponent - divisorExponent
  return shift >= 0 ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n
}

function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toString().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
