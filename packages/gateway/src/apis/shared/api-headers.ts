import type { Exchange } from '../../front/exchange.ts'

/** Longer values are ignored. */
const longestValue = 2048

/**
 * The client's headers of its API that may be sent to a provider; undefined when there are none.
 */
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
