import { isIPv4 } from 'node:net'
import { ConfigurationError } from '@stickler/core'

/** The verdict on a Host header. */
type HostVerdict = 'good' | 'malformed' | 'foreign'

/** Cached valid values; clients use few. */
const remembered = 64

/**
 * Makes the check of Host headers, which protects a local gateway from DNS rebinding; it follows
 * when keys come or go.
 */
export function createHostCheck(allowedHosts: readonly string[], hasKeys: () => boolean): (host: string) => HostVerdict {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const judge = (host: string): HostVerdict => {
    const name = hostName(host)
    if (name === undefined) return 'malformed'
    if (allowed.has(name) || allowed.has(host.toLowerCase())) return 'good'
    return (hasKeys() ? allowed.size === 0 : isLoopback(name)) ? 'good' : 'foreign'
  }
  const good = new Set<string>()
  let hadKeys = hasKeys()
  return (host) => {
    if (hadKeys !== hasKeys()) {
      hadKeys = !hadKeys
      good.clear()
    }
    if (good.has(host)) return 'good'
    const verdict = judge(host)
    if (verdict === 'good' && good.size < remembered) good.add(host)
    return verdict
  }
}

/** Refuses to listen where others can reach a gateway without keys. */
export function checkExposure(host: string, hasKeys: boolean, path: readonly string[] = ['host']): void {
  if (hasKeys || isLoopback(host.toLowerCase())) return
  const shown = JSON.stringify(host.slice(0, 80))
  const message = `without API keys the gateway listens on a loopback address only, not on ${shown}; set keys, or use 127.0.0.1`
  throw new ConfigurationError([{ message, path }])
}

/** Whether a name or address can only be this machine. */
export function isLoopback(name: string): boolean {
  const bare = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name
  if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1') return true
  const mapped = bare.startsWith('::ffff:') ? bare.slice('::ffff:'.length) : bare
  return isIPv4(mapped) && mapped.startsWith('127.')
}

/** The name in a Host header, in lower case and without port; undefined when it is malformed. */
function hostName(host: string): string | undefined {
  if (host.length > 300) return undefined
  const match = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(host)
  return match?.[1]?.toLowerCase()
}
