import { verdictNames } from './verdict-names.ts'

const longest = 300
const mask = '[…]'

/** How a provider names an error: its own `type`, `code` and `param`, where they are plain names. */
export interface UpstreamIdentity {
  readonly type?: string
  readonly code?: string
  readonly param?: string
}

/** The names that a provider gave its error, which agents act on, such as `context_length_exceeded`; never the gateway's own verdict. */
export function upstreamIdentity(body: string): UpstreamIdentity {
  const value = parsed(body)
  const error = member(value, 'error')
  const named = (name: string): Readonly<Record<string, string>> => {
    const said = member(error, name) ?? member(value, name)
    const isName = typeof said === 'string' && nameForm.test(said) && !isPrivate(said) && !reserved.has(said)
    return isName ? { [name]: said } : {}
  }
  return { ...named('type'), ...named('code'), ...named('param') }
}

const reserved: ReadonlySet<string> = new Set(Object.values(verdictNames))
const nameForm = /^[A-Za-z_][\w.[\]-]{0,99}$/

/** What a provider said about a request that it refused: its own message in one bounded line, without what looks like a key, an address or a path. */
export function upstreamWords(body: string): string {
  const said = messageIn(body)
  if (said === undefined) return ''
  const words = said.slice(0, longest).split(/[\s\p{C}]+/u)
  return words
    .map((word) => (isPrivate(word) ? mask : word))
    .join(' ')
    .trim()
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function messageIn(body: string): string | undefined {
  const value = parsed(body)
  const error = member(value, 'error')
  const candidates = [member(error, 'message'), error, member(value, 'message'), member(value, 'detail')]
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '')
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function isPrivate(word: string): boolean {
  if (word.includes('://') || word.includes('@')) return true
  if (/^["'(`]*(?:\/|[A-Za-z]:\\|~\/)[^/\\]*[/\\]/.test(word)) return true
  if (/^["'(`]*(?:sk|pk|key|token)[-_]/i.test(word)) return true
  return word.length >= 24 && /\d/.test(word) && /[A-Za-z]/.test(word)
}
