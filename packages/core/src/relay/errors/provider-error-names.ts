import type { ProviderError } from '../../apis/shared/client-error.ts'
import { errorIn, errorMessage } from '../../apis/shared/provider-error.ts'
import { verdictNames } from '../../apis/shared/verdict-names.ts'
import type { FailureDetails } from '../../engine/runner-failure.ts'

const longest = 2000
const mask = '[…]'

/** How a provider names an error: its own `type`, `code` and `param`, where they are plain names. */
interface UpstreamIdentity extends ProviderError {
  readonly type?: string
  readonly code?: string
  readonly param?: string
}

/**
 * The provider's names of its error, which agents act on, such as `context_length_exceeded`; never
 * the gateway's own verdict.
 */
export function upstreamIdentity(body: string): UpstreamIdentity {
  const value = errorIn(body)
  const error = member(value, 'error')
  const isMessages = member(value, 'type') === 'error'
  const named = (name: 'type' | 'code' | 'param'): Readonly<Record<string, string>> => {
    const said = member(error, name) ?? (isMessages ? undefined : member(value, name))
    return isName(said) ? { [name]: said } : {}
  }
  const id = member(value, 'request_id')
  return {
    ...named('type'),
    ...named('code'),
    ...named('param'),
    ...(isMessages && { isMessages }),
    ...(isName(id) && { requestId: id }),
  }
}

function isName(said: unknown): said is string {
  return typeof said === 'string' && nameForm.test(said) && !isPrivate(said) && !reserved.has(said)
}

const reserved: ReadonlySet<string> = new Set(Object.values(verdictNames))
const nameForm = /^[A-Za-z_][\w.[\]-]{0,99}$/

/**
 * A provider's message about a request that it rejected: on one bounded line, without anything that
 * looks like a key, an address or a path.
 */
export function upstreamWords(body: string): string {
  return harmlessWords(errorMessage(errorIn(body)) ?? '')
}

/**
 * Whether a provider rejects what a client has sent; problems with the gateway's key or account are
 * not the client's.
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499 && !ofGateway.has(status)
}

/**
 * What a provider says of a request that it rejects, as clients and logs may have it; empty for
 * errors that are not about the request.
 */
export function refusalWords({ status = 0, body = '' }: Pick<FailureDetails, 'status' | 'body'>): string {
  return status === 429 || isRefusal(status) ? upstreamWords(body) : ''
}

const ofGateway: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 429])

/**
 * A provider's text on one bounded line, without anything that looks like a key, an address or a
 * path.
 */
export function harmlessWords(said: string): string {
  const words = said.slice(0, longest).split(/[\s\p{C}]+/u)
  return words
    .map((word) => (isPrivate(word) ? mask : word))
    .join(' ')
    .trim()
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function isPrivate(word: string): boolean {
  const bare = word.replace(/^["'(`[<]+/, '')
  if (bare.includes('://')) return !isPublicPage(bare)
  if (bare.includes('@')) return true
  if (/^(?:\/|[A-Za-z]:\\|~\/)[^/\\]*[/\\]/.test(bare)) return true
  if (/^(?:sk|pk|key|token|org|proj)[-_]/i.test(bare)) return true
  return !/^(?:call|toolu|srvtoolu|req|resp|msg|fc|rs|chatcmpl)[-_]/.test(bare) && looksLikeKey(bare)
}

/** Long runs of letters and digits together; dates, versions and names of models are short ones. */
function looksLikeKey(word: string): boolean {
  if (word.length < 16) return false
  const mixed = word.split(/[^A-Za-z0-9]+/).filter((run) => /\d/.test(run) && /[A-Za-z]/.test(run))
  return mixed.some((run) => run.length >= 16) || mixed.reduce((sum, { length }) => sum + length, 0) >= 20
}

const hidden: ReadonlySet<string> = new Set(['local', 'localhost', 'internal', 'intranet', 'lan', 'corp', 'home', 'private', 'svc', 'test'])

/**
 * Whether an address is a public page, such as a provider's documentation: no port, no query, no IP
 * address.
 */
function isPublicPage(word: string): boolean {
  let end = word.length
  while (end > 0 && '.,;:!)]>"\'`'.includes(word[end - 1] ?? '')) end--
  const found = /^https:\/\/(?:[a-z0-9-]+\.)+([a-z]{2,24})(?:\/[\w.~%/#-]*)?$/i.exec(word.slice(0, end))
  return found !== null && !hidden.has((found[1] ?? '').toLowerCase()) && !looksLikeKey(word)
}
