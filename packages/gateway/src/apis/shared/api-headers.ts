import type { Exchange } from '../../front/exchange.ts'

/** Longer values are nobody's. */
const longestValue = 2048

/** The headers of a client that belong to its API, as far as they may stand in a request to a provider; nothing when there are none. */
export function headersOf({ request }: Pick<Exchange, 'request'>, names: readonly string[]): Readonly<Record<string, string>> | undefined {
  let passed: Record<string, string> | undefined
  for (const name of names) {
    const value = request.headers[name]
    if (typeof value === 'string' && value.length <= longestValue && /^[\t\x20-\x7e]+$/.test(value)) {
      passed ??= {}
      passed[name] = value
    }
  }
  return passed
}
