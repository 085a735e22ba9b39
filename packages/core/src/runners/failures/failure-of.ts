import { maxErrorBytes } from '../../apis/shared/provider-error.ts'
import { asRunnerFailure, type FailureDetails, RunnerFailure } from '../../engine/runner-failure.ts'
import { causesOf, codeOf, fieldOf, kindOfConnection } from './network-code.ts'
import { httpFailure, innermostMessage } from './provider-failures.ts'

const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** How long a provider asks to wait, from `retry-after-ms` or `retry-after`; nothing when they make no sense. */
export function readRetryAfter(headers: Pick<Headers, 'get'>, today: () => number): number | undefined {
  const ms = readNumber(headers.get('retry-after-ms'))
  if (ms !== undefined) return ms
  const given = headers.get('retry-after')?.trim() ?? ''
  const seconds = readNumber(given)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse finds a date in almost anything, so the form is checked first.
  const date = httpDate.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - today())
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\d{1,12}(?:\.\d{1,6})?$/.test(text.trim())) return undefined
  return Number(text)
}

/** Gives what the clients of providers throw, such as `fetch` and the SDKs, its kind, so that retries work; anything else is a crash. */
export function failureOf(thrown: unknown, today: () => number = Date.now): RunnerFailure {
  const causes = [...causesOf(thrown)]
  const known = causes.find((cause) => cause instanceof RunnerFailure)
  if (known !== undefined) return known
  for (const cause of causes) {
    const status = statusOf(cause)
    if (status === undefined) continue
    const retryAfterMs = readRetryAfter(headersOf(cause), today)
    return withCause(httpFailure(status, bodyOf(cause), retryAfterMs === undefined ? {} : { retryAfterMs }), thrown)
  }
  if (causes.some(isTimeout)) return new RunnerFailure('timeout', `the call took too long: ${reasonOf(thrown)}`, { cause: thrown })
  if (causes.some(isAbort)) return new RunnerFailure('aborted', 'the call was aborted', { cause: thrown })
  if (causes.some(isNetwork)) {
    const code = codeOf(thrown)
    const isMidway = causes.some(isBrokenOff)
    const what = isMidway ? 'the connection broke' : 'the provider could not be reached'
    return new RunnerFailure(kindOfConnection(thrown), `${what}: ${reasonOf(thrown)}`, {
      cause: thrown,
      ...(isMidway && { isMidway: true }),
      ...(code === '' ? {} : { code }),
    })
  }
  return asRunnerFailure(thrown)
}

function reasonOf(thrown: unknown): string {
  return codeOf(thrown) || innermostMessage(thrown).slice(0, 200).trim()
}

function withCause({ kind, message, details }: RunnerFailure, cause: unknown): RunnerFailure {
  return new RunnerFailure(kind, message, { ...details, cause } satisfies FailureDetails)
}

/** The error status of a response: where the SDKs, `ai`, axios and AWS put it. */
function statusOf(error: unknown): number | undefined {
  const response = fieldOf(error, 'response')
  const places = [error, response, fieldOf(error, '$metadata')].flatMap((holder) =>
    ['status', 'statusCode', 'httpStatusCode'].map((name) => fieldOf(holder, name)),
  )
  return places.find((status): status is number => Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599)
}

function headersOf(error: unknown): Pick<Headers, 'get'> {
  const headers = fieldOf(error, 'headers') ?? fieldOf(error, 'responseHeaders') ?? fieldOf(fieldOf(error, 'response'), 'headers')
  return {
    get(name) {
      const value = headerIn(headers, name) ?? fieldOf(headers, name)
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null
    },
  }
}

function headerIn(headers: unknown, name: string): unknown {
  try {
    return typeof fieldOf(headers, 'get') === 'function' ? (headers as Headers).get(name) : undefined
  } catch {
    return undefined
  }
}

/** What the provider said, as text; else what the error says. */
function bodyOf(error: unknown): string {
  const said = fieldOf(error, 'responseBody') ?? fieldOf(fieldOf(error, 'response'), 'data') ?? fieldOf(error, 'error')
  const text = typeof said === 'string' ? said : asObject(said)
  const message = fieldOf(error, 'message')
  return (text || (typeof message === 'string' ? message : '')).slice(0, maxErrorBytes)
}

/** The SDK of OpenAI takes the object out of its `error`, that of Anthropic does not. */
function asObject(said: unknown): string {
  if (typeof said !== 'object' || said === null) return ''
  try {
    return JSON.stringify(fieldOf(said, 'error') === undefined ? { error: said } : said)
  } catch {
    return ''
  }
}

function isTimeout(error: unknown): boolean {
  return namesOf(error).some((name) => name === 'TimeoutError' || name === 'APIConnectionTimeoutError')
}

function isAbort(error: unknown): boolean {
  const code = fieldOf(error, 'code')
  return (
    code === 'ABORT_ERR' || code === 'ERR_CANCELED' || namesOf(error).some((name) => name === 'AbortError' || name === 'APIUserAbortError')
  )
}

/** Codes of Node, undici and Bun for connections that could not be made or broke, and for what is not HTTP. */
const networkCode =
  /^(?:ECONN[A-Z]+|E(?:SOCKET)?TIMEDOUT|EPIPE|EPROTO|ENOTFOUND|EAI_[A-Z]+|E(?:HOST|NET)(?:UNREACH|DOWN|RESET)|EADDRNOTAVAIL|UND_ERR_[A-Z_]+|HPE_[A-Z_]+|Z_[A-Z]+_ERROR|ERR_(?:TLS|SSL|BROTLI|ZSTD|SOCKET|HTTP2|STREAM_PREMATURE)[A-Z_]*|CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|Connection(?:Refused|Closed)|FailedToOpenSocket)$/

/** How the message of `fetch` begins in Node and Chromium when a response breaks off. */
const brokenMessages = ['terminated', 'network error', 'error reading a body']

/** How it begins in Node, Chromium, Firefox, Safari and Deno when there is no response. */
const networkMessages = [...brokenMessages, 'fetch failed', 'failed to fetch', 'networkerror', 'load failed', 'error sending request']

/** Whether a response had begun. */
function isBrokenOff(error: unknown): boolean {
  return fieldOf(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE' || saysOneOf(error, brokenMessages)
}

function saysOneOf(error: unknown, beginnings: readonly string[]): boolean {
  const message = fieldOf(error, 'message')
  const said = error instanceof TypeError && typeof message === 'string' ? message.slice(0, 30).toLowerCase() : ''
  return beginnings.some((beginning) => said.startsWith(beginning))
}

function isNetwork(error: unknown): boolean {
  const code = fieldOf(error, 'code')
  if (typeof code === 'string' && code.length <= 60 && networkCode.test(code)) return true
  if (saysOneOf(error, networkMessages)) return true
  return namesOf(error).includes('APIConnectionError')
}

/** Its name and that of its class: the SDKs leave `name` as it is. */
function namesOf(error: unknown): string[] {
  return [fieldOf(error, 'name'), fieldOf(fieldOf(error, 'constructor'), 'name')].filter((name) => typeof name === 'string')
}
