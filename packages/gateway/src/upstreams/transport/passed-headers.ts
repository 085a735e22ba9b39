type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Names of a request id, the usual one first; `request-id` is Anthropic's. */
const requestIds = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid'] as const

/** Rate limits, and the id that Anthropic's client looks for. */
const passed = /^(?:(?:x|anthropic)-ratelimit-[a-z0-9-]{1,80}|request-id)$/

const most = 40
const longest = 256
const value = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** The headers of a provider that its callers may see: rate limits as they are, its request id as `x-upstream-request-id`; nothing when there are none. */
export function passedHeaders(headers: Headers): Readonly<Record<string, string>> | undefined {
  let found: Record<string, string> | undefined
  let count = 0
  for (const name in headers) {
    if (!passed.test(name)) continue
    const text = sound(headers[name])
    if (text === undefined || ++count > most) continue
    found ??= {}
    found[name] = text
  }
  for (const name of requestIds) {
    const id = sound(headers[name])
    if (id !== undefined) return { ...found, 'x-upstream-request-id': id }
  }
  return found
}

function sound(given: Headers[string]): string | undefined {
  const text = typeof given === 'string' ? given : given?.[0]
  return text !== undefined && text.length <= longest && value.test(text) ? text : undefined
}
