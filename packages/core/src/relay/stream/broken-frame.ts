import { isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { BrokenEvent } from '../calls/upstream-call.ts'
import { harmlessWords, upstreamIdentity } from '../errors/provider-error-names.ts'

type Path = readonly (string | number)[]

/** The differences between a provider's error and the one that its client sees. */
interface BrokenChanges {
  readonly api: string
  readonly model: string | undefined
  /** The message, safe to show. */
  readonly message: string
  /** Whether unchecked text may be shown. */
  readonly isLive: boolean
  /** Top-level fields, such as `stickler`. */
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * The provider's own error event that ended its stream; undefined when it is not an error in its
 * API's format.
 */
export function brokenEvent({ name, data }: BrokenEvent, changes: BrokenChanges): BrokenEvent | undefined {
  const event = parseJson(data)
  const found = errorIn(event)
  if (found === undefined || !isFields(event) || hasOddNames(found.error)) return undefined
  const { response } = event
  if (isFields(response) && !changes.isLive && Array.isArray(response.output) && response.output.length > 0) return undefined
  const edits = [...harmlessEdits(found.error, found.path), ...edited([...found.path, 'message'], found.error.message, changes.message)]
  for (const [member, value] of Object.entries(changes.members)) edits.push({ path: [member], json: JSON.stringify(value) })
  if (isFields(response) && changes.model !== undefined) edits.push(...edited(['response', 'model'], response.model, changes.model))
  if (changes.api !== 'chat') return { name, data: editJson(data, edits) }
  // Open WebUI drops an error beside choices, and executes events.
  for (const member of ['choices', 'event']) if (event[member] !== undefined) edits.push({ path: [member], json: undefined })
  for (const key of ['type', 'param', 'code']) if (found.error[key] === undefined) edits.push({ path: [...found.path, key], json: 'null' })
  return { name: '', data: editJson(data, edits) }
}

/** The data of an event that comes after another with this number. */
export function numberedAfter(last: number, data: string): string {
  const event = parseJson(data)
  const isLower = isFields(event) && typeof event.sequence_number === 'number' && event.sequence_number <= last
  return isLower ? editJson(data, [{ path: ['sequence_number'], json: String(last + 1) }]) : data
}

/** Whether an event ends a completely failed answer, and contains that answer. */
export function isFailedResponse({ data }: BrokenEvent): boolean {
  const event = parseJson(data)
  return isFields(event) && isFields(event.response) && isFields(event.response.error)
}

function errorIn(event: unknown): { readonly path: Path; readonly error: Readonly<Record<string, unknown>> } | undefined {
  if (!isFields(event)) return undefined
  if (isFields(event.response)) {
    return isFields(event.response.error) ? { path: ['response', 'error'], error: event.response.error } : undefined
  }
  if (isFields(event.error)) return { path: ['error'], error: event.error }
  return event.type === 'error' && typeof event.message === 'string' ? { path: [], error: event } : undefined
}

/** Whether a name is absent, or one of the gateway's own verdicts. */
function hasOddNames({ type, code, param }: Readonly<Record<string, unknown>>): boolean {
  const names = upstreamIdentity(JSON.stringify({ error: { type, code, param } }))
  return [
    [type, names.type],
    [code, names.code],
    [param, names.param],
  ].some(([said, kept]) => typeof said === 'string' && said !== kept)
}

function harmlessEdits(value: unknown, path: Path): JsonEdit[] {
  if (typeof value === 'string') return path.at(-1) === 'message' ? [] : edited(path, value, harmlessWords(value))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => harmlessEdits(inner, [...path, Array.isArray(value) ? Number(key) : key]))
}

function edited(path: Path, before: unknown, after: string): JsonEdit[] {
  return typeof before !== 'string' || before === after ? [] : [{ path, json: JSON.stringify(after) }]
}
