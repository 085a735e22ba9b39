import { ConfigurationError } from '@stickler/core'
import { addressProblem } from '@stickler/core/internal'
import { textFor } from './configuration-problems.ts'

/** The address of a provider; errors do not repeat it, because it may have a secret. */
export const baseUrlSchema = textFor((written) => readAddress(written))

/** An address without its query, which may have a secret. */
export function shownUrl(url: string): string {
  const { origin, path, search } = readAddress(url)
  return `${origin}${path}${search === '' ? '' : '?…'}`
}

/** The parts of a provider's address. */
interface Address {
  /** Such as `https://api.openai.com`. */
  readonly origin: string
  /** The path without a trailing slash. */
  readonly path: string
  /** With `?`, or empty. */
  readonly search: string
}

/**
 * Reads the address of a provider; throws without repeating it, because it may contain a secret.
 */
export function readAddress(text: string, query: Readonly<Record<string, string>> = {}, setting = 'baseUrl'): Address {
  const message = addressProblem(text, 'apiKey or headers')
  if (message !== undefined) throw new ConfigurationError([{ path: [setting], message }])
  const url = new URL(text)
  const parameters = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(query)) parameters.set(name, value)
  const given = parameters.toString()
  // backtracks: the address is the operator's
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, ''), search: given === '' ? '' : `?${given}` }
}
