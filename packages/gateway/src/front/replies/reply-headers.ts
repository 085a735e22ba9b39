/** Flat list of names and values, as `writeHead` takes it. */
export type HeaderList = readonly string[]

/** On every reply. */
const securityHeaders: HeaderList = [
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cross-origin-resource-policy',
  'same-origin',
]

/** On every reply of the API. */
export const apiHeaders: HeaderList = [...securityHeaders, 'cache-control', 'no-store']

/** On pages: they load nothing from elsewhere, run no inline script and cannot be framed. */
export const pageHeaders: HeaderList = [
  ...securityHeaders,
  'cache-control',
  'no-cache',
  'content-security-policy',
  [
    "default-src 'self'",
    "img-src 'self' data:",
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options',
  'DENY',
  'cross-origin-opener-policy',
  'same-origin',
]

const longestValue = 1024

/** Makes any text fit to be the value of a header: one line of visible ASCII, at most 1024 characters, `?` for everything else. */
export function safeHeaderValue(text: string): string {
  if (text.length <= longestValue && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text
  return text
    .slice(0, longestValue)
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim()
}

/** Writes the head of a reply: common headers, its type, its request id, and its own headers. */
export function headerList(
  base: HeaderList,
  contentType: string,
  requestId: string,
  extra?: Readonly<Record<string, string | number>>,
): string[] {
  const list = base.concat('content-type', contentType, 'x-request-id', requestId)
  if (extra === undefined) return list
  for (const name in extra) {
    const key = name.toLowerCase()
    const value = safeHeaderValue(String(extra[name]))
    // A reply's own headers replace the common ones, such as `cache-control` of an immutable file.
    const known = list.indexOf(key)
    if (known % 2 === 0) list[known + 1] = value
    else list.push(key, value)
  }
  return list
}
