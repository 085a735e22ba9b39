import { isIPv4, isIPv6 } from 'node:net'
import { ConfigurationError } from '@stickler/core'

/** The address of a provider, taken apart. */
export interface Address {
  /** Such as `https://api.openai.com`. */
  readonly origin: string
  /** The path without a slash at its end. */
  readonly path: string
  /** With `?`, or empty. */
  readonly search: string
}

const form = /^(https?):\/\/([^/?#]*)((?:\/[^?#]*)?)(\?[^#]*)?$/i

/** Reads the address of a provider; throws without repeating it, because it may hold a secret. */
export function readAddress(text: string, query: Readonly<Record<string, string>> = {}, setting = 'baseUrl'): Address {
  const wrong = (message: string): ConfigurationError => new ConfigurationError([{ path: [setting], message }])
  const [, scheme = '', authority = '', , search = ''] = form.exec(text) ?? []
  if (scheme === '' || !URL.canParse(text) || hasOddCharacter(text)) throw wrong('must be an http or https address')
  if (authority.includes('@')) throw wrong('must not hold a user or password; use apiKey or headers')
  const problem = authorityProblem(authority)
  if (problem !== undefined) throw wrong(problem)
  const url = new URL(text)
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(query)) parameters.set(name, value)
  const given = parameters.toString()
  // backtracks: the address is the operator's
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, ''), search: given === '' ? '' : `?${given}` }
}

/** White space, control characters and backslashes, which readers of addresses understand differently. */
function hasOddCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code <= 0x20 || code === 0x7f || code === 0x5c) return true
  }
  return false
}

function authorityProblem(authority: string): string | undefined {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority) ?? []
  if (host === '') return 'must name a host'
  if (port !== undefined && (!/^[0-9]{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535))
    return 'must have a port from 1 to 65535'
  return host.startsWith('[') ? ipv6Problem(host.slice(1, -1)) : hostProblem(host)
}

function ipv6Problem(host: string): string | undefined {
  if (!isIPv6(host) || host.includes('%')) return 'must have a valid IPv6 address in its brackets'
  return /[.]|^(?:0*:)*:?ffff:/i.test(host) ? 'must not hide an IPv4 address in an IPv6 one' : undefined
}

function hostProblem(host: string): string | undefined {
  if (host.endsWith('.')) return 'must not have a dot at the end of its host'
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(host)) return 'must have a host of plain letters, digits, hyphens and dots'
  // What looks like a number is read as an IPv4 address in one of many forms; only the plain one is clear.
  const last = host.slice(host.lastIndexOf('.') + 1)
  return /^(?:[0-9]+|0x[0-9a-f]*)$/i.test(last) && !isIPv4(host) ? 'must write an IPv4 address as four plain numbers' : undefined
}
