import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { ConfigurationError } from '@stickler/core'

/** Maximum number of proxies that are followed. */
const maxHops = 32

/**
 * Makes a function that returns the address of a request's client; `x-forwarded-for` counts only as
 * far as trusted proxies wrote it.
 */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => plainAddress(socket.remoteAddress ?? '')
  const trusted = trustList(trustedProxies)
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? '')
    const forwarded = headers['x-forwarded-for']
    if (typeof forwarded !== 'string') return address
    const hops = forwarded.split(',').slice(-maxHops)
    while (isTrusted(address)) {
      const hop = plainAddress((hops.pop() ?? '').trim())
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

function trustList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  entries.forEach((entry, index) => {
    const [address = '', bits, ...rest] = entry.trim().split('/')
    const version = isIP(address)
    const width = bits === undefined ? Number.NaN : Number(bits)
    const largest = version === 6 ? 128 : 32
    const wrongWidth = bits !== undefined && !(/^\d{1,3}$/.test(bits) && width <= largest)
    if (version === 0 || wrongWidth || rest.length > 0) {
      const message = `${JSON.stringify(entry.slice(0, 80))} is neither an address nor a network such as 10.0.0.0/8`
      throw new ConfigurationError([{ message, path: ['trustedProxies', index] }])
    }
    const family = version === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, width, family)
  })
  return list
}

function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)
  return mapped?.[1] ?? address
}
