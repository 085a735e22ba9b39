import {
  anthropicShape,
  bedrockShape,
  flatShape,
  functionCallShape,
  geminiShape,
  gluellmShape,
  invalidCallShape,
  responsesShape,
  uiPartShape,
  vercelShape,
} from './call-shapes.ts'
import { type Fields, field, isFields } from './fields.ts'
import { customItemShape, nativeShape } from './native-calls.ts'
import { customShape, openaiShape } from './openai-calls.ts'
import type { ToolShape } from './shape.ts'

/** All shapes; an entry has the first one that fits. */
const shapes: readonly ToolShape[] = [
  // First, because clients know these by their type, whatever else they hold.
  nativeShape,
  customItemShape,
  openaiShape,
  customShape,
  invalidCallShape,
  functionCallShape,
  anthropicShape,
  vercelShape,
  gluellmShape,
  geminiShape,
  bedrockShape,
  uiPartShape,
  responsesShape,
  flatShape,
]

/** Where the calls of a value are. */
export interface Located {
  readonly entries: readonly unknown[]
  /** `calls`: every entry is meant as one; `list`: unless its type says that it is something else; `parts`: only where its shape says so. */
  readonly holds: 'calls' | 'list' | 'parts'
  /** The shape of calls that are added. */
  readonly shape: ToolShape
  /** The value with other entries in their place. */
  put(entries: readonly unknown[]): unknown
}

/** The shape of an entry; undefined when it has none. */
export function shapeOf(entry: unknown): ToolShape | undefined {
  return isFields(entry) ? shapes.find((shape) => shape.fits(entry)) : undefined
}

/** Finds the calls in a response, a message, a list of calls, or one call. */
export function locateCalls(value: unknown): Located | undefined {
  if (Array.isArray(value)) return { entries: value, holds: 'list', shape: shapeIn(value), put: (entries) => entries }
  const message = innerMessage(value)
  const held = inHolder(message.value)
  if (held) return { ...held, put: (entries) => message.put(held.put(entries)) }
  const shape = shapeOf(value)
  return shape && { entries: [value], holds: 'calls', shape, put: (entries) => (entries.length === 1 ? entries[0] : entries) }
}

interface Inner {
  readonly value: unknown
  /** The whole with another message in it. */
  put(message: unknown): unknown
}

/** Where the message of a response is; of several choices it is the first. */
const places: readonly { readonly path: readonly (string | number)[]; readonly has?: string; readonly beside?: string }[] = [
  { path: ['choices', 0, 'message'] },
  { path: ['message'] },
  // Gemini, and one of its candidates.
  { path: ['candidates', 0, 'content'] },
  { path: ['content'], has: 'parts' },
  // Bedrock.
  { path: ['output', 'message'] },
  // LangChain's messages as JSON, in both of its forms.
  { path: ['kwargs'], beside: 'lc' },
  { path: ['data'], has: 'content', beside: 'type' },
]

/** The message of a response or of one of its choices; any other value is its own. */
export function innerMessage(value: unknown): Inner {
  for (const { path, has, beside } of places) {
    const found = isFields(value) ? at(value, path) : undefined
    if (!isFields(found) || (has && field(found, has) === undefined) || (beside && field(value, beside) === undefined)) continue
    return { value: found, put: (changed) => putAt(value, path, changed) }
  }
  return { value, put: (changed) => changed }
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((inner, key) => (typeof key === 'number' ? Array.isArray(inner) && inner[key] : field(inner, key)), value)
}

function putAt(value: unknown, [key, ...rest]: readonly (string | number)[], changed: unknown): unknown {
  if (key === undefined) return changed
  if (typeof key === 'number') return Array.isArray(value) ? value.with(key, putAt(value[key], rest, changed)) : value
  return isFields(value) ? { ...value, [key]: putAt(field(value, key), rest, changed) } : value
}

function inHolder(value: unknown): Located | undefined {
  if (!isFields(value)) return undefined
  const invalid = field(value, 'invalid_tool_calls')
  if (Array.isArray(invalid) && invalid.length > 0) return withInvalid(value, invalid)
  for (const { holder } of shapes) {
    const given = holder && field(value, holder.key)
    // Providers send `null` and empty lists for "no calls"; a text is the content of a plain message.
    if (holder === undefined || given === undefined || given === null || (holder.holds === 'parts' && !Array.isArray(given))) continue
    const entries: readonly unknown[] = Array.isArray(given) && holder.holds !== 'one' ? given : [given]
    if (entries.length === 0) continue
    const holds = holder.holds === 'parts' ? 'parts' : 'calls'
    if (holds === 'parts' && entries.every((entry) => shapeOf(entry) === undefined)) continue
    if (holder.only && !entries.some((entry) => holder.only?.(field(entry, 'type')))) continue
    return { entries, holds, shape: shapeIn(entries), put: (changed) => putBack(value, holder.key, holder.holds === 'one', changed) }
  }
  return undefined
}

/** LangChain keeps calls whose arguments it could not parse apart from the others; a model still made them. */
function withInvalid(value: Fields, invalid: readonly unknown[]): Located {
  const calls = field(value, 'tool_calls')
  const isInvalid = (entry: unknown): boolean => isFields(entry) && invalidCallShape.fits(entry)
  return {
    entries: [...(Array.isArray(calls) ? calls : []), ...invalid],
    holds: 'calls',
    shape: flatShape,
    put: (changed) => ({
      ...value,
      tool_calls: changed.filter((entry) => !isInvalid(entry)),
      invalid_tool_calls: changed.filter(isInvalid),
    }),
  }
}

function putBack(value: Fields, key: string, single: boolean, entries: readonly unknown[]): Fields {
  const [first, ...more] = entries
  if (!single) return { ...value, [key]: entries }
  if (more.length === 0 && first !== undefined) return { ...value, [key]: first }
  // `function_call` has room for one call only.
  const { [key]: _dropped, ...rest } = value
  const calls = entries.filter(isFields).map((entry) => openaiShape.write(flatShape.read(entry)))
  return { ...rest, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
}

function shapeIn(entries: readonly unknown[]): ToolShape {
  for (const entry of entries) {
    const shape = shapeOf(entry)
    if (shape) return shape
  }
  return openaiShape
}
