/** Uses the client's id when it is well formed, else a new one. */
export function requestIdFrom(given: string | readonly string[] | undefined, newId: () => string): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId()
}

/**
 * Reads a `traceparent` in exactly the form of W3C Trace Context, version 00; undefined otherwise.
 */
export function traceparentFrom(given: string | readonly string[] | undefined): string | undefined {
  if (typeof given !== 'string' || !/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(given)) return undefined
  const [, trace, parent] = given.split('-')
  return /^0+$/.test(trace ?? '') || /^0+$/.test(parent ?? '') ? undefined : given
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Longer values are ignored. */
const longestValue = 2048

const noHeaders: Readonly<Record<string, string>> = {}

/** Client headers that upstream calls carry on, when well formed. */
export function tracingHeaders({ traceparent: parent, tracestate }: Headers): Readonly<Record<string, string>> {
  if (parent === undefined) return noHeaders
  const traceparent = traceparentFrom(parent)
  if (traceparent === undefined) return noHeaders
  return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent }
}

/**
 * The client's headers of its API that may be sent to a provider; undefined when there are none.
 */
export function apiHeadersOf(headers: Headers, names: readonly string[]): Readonly<Record<string, string>> | undefined {
  let passed: Record<string, string> | undefined
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && value.length <= longestValue && /^[\t\x20-\x7e]+$/.test(value)) {
      passed ??= {}
      passed[name] = value
    }
  }
  return passed
}
