import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { parseJson } from '../../json/parse-json.ts'

/** Characters read beyond the shown ones, so that a secret at the edge is whole when it is masked. */
export const secretRoom = 8192

/** Maximum bytes of an error that are read; fewer are shown. */
export const maxErrorBytes = 4096 + secretRoom

/** Names of providers' errors, with their status if an error has none. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['invalid_prompt', 400],
  ['content_policy_violation', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

/** The failure for an error object instead of an answer; undefined without one. */
export function errorObjectFailure(holder: Fields): RunnerFailure | undefined {
  const { error } = holder
  if (error === undefined || error === null || error === false || error === '') return undefined
  const said = (errorMessage(holder) ?? JSON.stringify(error)).slice(0, secretRoom).trim()
  const status = statusOf(error)
  return new RunnerFailure(status === undefined ? 'protocol' : 'http', `the provider sent an error: ${said}`, {
    ...(status === undefined ? {} : { status }),
    body: JSON.stringify({ ...frameOf(holder), error: { ...(isFields(error) ? namesOf(error) : {}), message: said } }),
  })
}

/** The error in a body; those of Google are in a list. */
export function errorIn(body: string): unknown {
  const read = parseJson(body)
  return Array.isArray(read) ? read[0] : read
}

/** The error message of a provider, wherever it is. */
export function errorMessage(value: unknown): string | undefined {
  if (!isFields(value)) return undefined
  const { error, message, detail } = value
  const candidates = [isFields(error) ? error.message : error, message, detail, faults(isFields(message) ? message.detail : detail)]
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '')
}

/** The faults that Mistral, and servers on FastAPI, list: each with its place and a message. */
function faults(detail: unknown): string {
  if (!Array.isArray(detail)) return ''
  return detail
    .filter(isFields)
    .map(({ loc, msg }) => (Array.isArray(loc) ? `${loc.slice(1).join('.')}: ${msg}` : `${msg}`))
    .join('; ')
}

/** The envelope of an error in the Messages API. */
function frameOf({ type, request_id: id }: Fields): Fields {
  if (type !== 'error') return {}
  return { type, ...(typeof id === 'string' && id.length <= 100 ? { request_id: id } : {}) }
}

/** The names of an error, if they are short enough. */
function namesOf(error: Fields): Fields {
  const names: Record<string, string> = {}
  for (const name of ['type', 'code', 'param']) {
    const value = error[name]
    if (typeof value === 'string' && value.length <= 100) names[name] = value
  }
  return names
}

function statusOf(error: unknown): number | undefined {
  if (!isFields(error)) return undefined
  const given = [error.status, error.status_code, error.code].map(Number).find((code) => code >= 400 && code <= 599)
  return given ?? statuses.get(String(error.code)) ?? statuses.get(String(error.type))
}

/** The failure for an invalid answer, with the beginning of its text. */
export function protocolFailure(what: string, body = ''): RunnerFailure {
  const shown = excerpt(body)
  return new RunnerFailure('protocol', shown === '' ? what : `${what}: ${shown}`, body === '' ? {} : { body: body.slice(0, maxErrorBytes) })
}

/** Longer than the shown text: secrets are masked before the cut. */
export function excerpt(text: string): string {
  return text.slice(0, secretRoom).trim()
}
