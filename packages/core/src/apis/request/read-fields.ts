import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { HttpError } from '../shared/http-error.ts'

/** Rejects a request because of one parameter. */
export function refuse(param: string, message: string, code = 'invalid_value'): never {
  throw new HttpError(400, message, { type: 'invalid_request_error', param, code })
}

/** The rejection of a request because of one parameter; the message says what is wrong. */
export function wrongParameter(param: string, message: string, code = 'invalid_value'): HttpError {
  return new HttpError(400, `${param} ${message}.`, { type: 'invalid_request_error', param, code })
}

/** Rejects a parameter that cannot be honoured here. */
export function refuseUnsupported(param: string, why: string): never {
  refuse(param, why, 'unsupported_parameter')
}

interface Kind {
  readonly words: string
  fits(value: unknown): boolean
}

const isText = (value: unknown) => typeof value === 'string'
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

const kinds = {
  boolean: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  number: { words: 'a number', fits: (value) => Number.isFinite(value) },
  integer: { words: 'an integer', fits: (value) => Number.isSafeInteger(value) },
  count: { words: 'a positive integer', fits: (value) => Number.isSafeInteger(value) && Number(value) > 0 },
  size: { words: 'an integer of 0 or more', fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0 },
  text: { words: 'a string', fits: isText },
  name: { words: 'a string that is not empty', fits: (value) => isText(value) && value !== '' },
  object: { words: 'an object', fits: isFields },
  list: { words: 'an array', fits: Array.isArray },
  objects: { words: 'an array of objects', fits: (value) => Array.isArray(value) && value.every(isFields) },
  texts: { words: 'an array of strings', fits: areTexts },
  'text or texts': { words: 'a string or an array of strings', fits: (value) => isText(value) || areTexts(value) },
  'text or object': { words: 'a string or an object', fits: (value) => isText(value) || isFields(value) },
  'text or list': { words: 'a string or an array', fits: (value) => isText(value) || Array.isArray(value) },
} satisfies Record<string, Kind>

/** The type of a parameter. */
export type FieldKind = keyof typeof kinds

/** Parameters and their types. */
export type FieldTable = ReadonlyMap<string, FieldKind>

/** Rejects the first parameter of the wrong type; null counts as absent. */
export function checkFields(fields: Fields, table: FieldTable, path = ''): void {
  // Requests use few of the many parameters.
  for (const name in fields) {
    const kind = table.get(name)
    if (kind === undefined) continue
    const value = fields[name]
    if (value !== undefined && value !== null && !kinds[kind].fits(value))
      refuse(path + name, `${path}${name} must be ${kinds[kind].words}.`)
  }
}

/** Rejects a parameter that is missing or of the wrong type. */
export function requireField(fields: Fields, name: string, kind: FieldKind, path = ''): void {
  const value = fields[name]
  if (value === undefined) refuse(path + name, `${path}${name} is missing; it must be ${kinds[kind].words}.`, 'missing_required_parameter')
  if (!kinds[kind].fits(value)) refuse(path + name, `${path}${name} must be ${kinds[kind].words}.`)
}

const maxModelLength = 256

/** The requested model. */
export function readModel(body: Fields): string {
  requireField(body, 'model', 'name')
  const model = String(body.model)
  if (model.length > maxModelLength) refuse('model', `model must have at most ${maxModelLength} characters.`)
  // A model is named in headers, logs and metrics too.
  if (hasControls(model)) refuse('model', 'model must not hold control characters.')
  return model
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** The objects of a list with 1 to `max` entries. */
export function readObjects(value: unknown, param: string, max: number): readonly Fields[] {
  if (value === undefined) refuse(param, `${param} is missing; it must be an array of objects.`, 'missing_required_parameter')
  if (!Array.isArray(value)) refuse(param, `${param} must be an array of objects.`)
  if (value.length === 0) refuse(param, `${param} must not be empty.`)
  return eachObject(value, param, max)
}

const none: readonly Fields[] = []

/** The objects of a list that may be empty or absent. */
export function readOptionalObjects(value: unknown, param: string, max: number): readonly Fields[] {
  if (value === undefined || value === null) return none
  if (!Array.isArray(value)) refuse(param, `${param} must be an array of objects.`)
  return eachObject(value, param, max)
}

function eachObject(list: readonly unknown[], param: string, max: number): readonly Fields[] {
  if (list.length > max) refuse(param, `${param} must have at most ${max} entries; it has ${list.length}.`)
  list.forEach((entry, index) => {
    if (!isFields(entry)) refuse(`${param}[${index}]`, `${param}[${index}] must be an object.`)
  })
  // Guaranteed by the loop.
  return list as readonly Fields[]
}
