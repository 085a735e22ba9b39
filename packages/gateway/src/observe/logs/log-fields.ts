import { ConfigurationError } from '@stickler/core'

/** Longer texts are cut; a log line reports what happened, not the texts. */
const longestText = 256
const longestList = 16
const mostFrames = 12

/** The only fields that a log line may have; none of them can hold a prompt, an answer, a header, a key or a query string. */
const allowed: ReadonlySet<string> = new Set([
  'api',
  'attempt',
  'attempts',
  'client',
  'code',
  'codes',
  'completionTokens',
  'contract',
  'count',
  'event',
  'file',
  'host',
  'key',
  'kind',
  'limit',
  'liveCodes',
  'lost',
  'method',
  'model',
  'ms',
  'path',
  'pid',
  'port',
  'promptTokens',
  'queued',
  'reason',
  'repairs',
  'requestId',
  'retries',
  'role',
  'route',
  'run',
  'said',
  'shadow',
  'shadowVerdict',
  'signal',
  'status',
  'stderr',
  'store',
  'stream',
  'upstream',
  'upstreamModel',
  'validator',
  'verdict',
  'version',
  'worker',
])

/** The start of those fields as JSON. */
const beginnings: ReadonlyMap<string, string> = new Map([...allowed].map((name) => [name, `,"${name}":`]))

/** Members of a log line, each with a comma before it. */
export interface LogMembers {
  readonly text: string
  /** Whether all of it is known to be free of secrets. */
  readonly isHarmless: boolean
}

/** No members. */
export const noMembers: LogMembers = { text: '', isHarmless: true }

/**
 * Keeps the allowed content of a log line: known fields with short, flat values, and the harmless
 * parts of an error.
 */
export function keepAllowed(fields: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err' || name === 'error') kept.err = errorFields(value)
    else if (allowed.has(name)) {
      const flat = flatten(value)
      if (flat !== undefined) kept[name] = flat
    }
  }
  return kept
}

/**
 * Writes the allowed content of a log line, as `keepAllowed` selects it; without a copy, because
 * every run has a line.
 */
export function writeAllowed(fields: object): LogMembers {
  let text = ''
  let harmless = true
  for (const name of Object.keys(fields)) {
    if (name === 'err' || name === 'error') return writeKept(keepAllowed(fields))
    const beginning = beginnings.get(name)
    if (beginning === undefined) continue
    const value: unknown = (fields as Record<string, unknown>)[name]
    if (typeof value === 'string' && value.length <= longestText && isHarmless(value)) text += `${beginning}"${value}"`
    else if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean') text += `${beginning}${value}`
    else {
      const flat = flatten(value)
      if (flat !== undefined) text += beginning + JSON.stringify(flat)
      harmless = false
    }
  }
  return { text, isHarmless: harmless }
}

function writeKept(kept: Record<string, unknown>): LogMembers {
  const members = JSON.stringify(kept).slice(1, -1)
  return { text: members === '' ? '' : `,${members}`, isHarmless: false }
}

/** A text that is short enough for a log line. */
export function shortText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

function flatten(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (!Array.isArray(value)) return undefined
  return value
    .slice(0, longestList)
    .filter((one) => typeof one === 'string')
    .map(shortText)
}

/**
 * Error messages quote their input, so only those of the configuration and of system calls are
 * logged.
 */
function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { kind, status, code, syscall } = error as { kind?: unknown; status?: unknown; code?: unknown; syscall?: unknown }
  const harmless = error instanceof ConfigurationError || typeof syscall === 'string'
  return {
    type: shortText(error.name),
    ...(typeof kind === 'string' ? { kind: shortText(kind) } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: typeof code === 'string' ? shortText(code) : code } : {}),
    ...(harmless ? { message: shortText(error.message) } : {}),
    ...framesOf(error),
  }
}

/** The stack; its head repeats the message, so a stack with an unknown head is left out. */
function framesOf({ stack, message }: Error): { readonly frames?: readonly string[] } {
  const end = typeof stack === 'string' ? stack.indexOf(message) + message.length : -1
  if (typeof stack !== 'string' || end < message.length || stack[end] !== '\n') return {}
  const frames = stack
    .slice(end + 1)
    .split('\n', mostFrames)
    .map((line) => shortText(line.trim()))
    .filter((line) => line.startsWith('at '))
  return frames.length > 0 ? { frames } : {}
}

/**
 * Characters without which no pattern of a secret but a key can match, which JSON does not escape
 * and no terminal acts on.
 */
const plain = new Uint8Array(128)
for (let code = 0x21; code < 0x7f; code++) plain[code] = '"\\=:@?'.includes(String.fromCharCode(code)) ? 0 : 1

/** How keys and web tokens begin. */
const keyStart = /\b(?:(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|xox[abps])[-_]|AKIA|AIza|ya29\.|eyJ)/

/** The shortest key is two letters, a hyphen and eight characters. */
const shortestKey = 11

/**
 * Whether a text can be written unchanged: nothing needs escaping, and nothing looks like a secret;
 * cheap for names and ids.
 */
export function isHarmless(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    // Values outside the table count as 0.
    if (plain[text.charCodeAt(index)] !== 1) return false
  }
  return text.length < shortestKey || !keyStart.test(text)
}
