const longest = 300
const mask = '[…]'

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

function messageIn(body: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
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
