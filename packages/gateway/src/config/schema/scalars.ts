import { isIP } from 'node:net'
import * as z from 'zod'

/** A name or address to listen on, without a port. */
export const hostSchema = z
  .string()
  .min(1)
  .regex(/^(?:[\w.-]+|\[?[0-9A-Fa-f:.]+\]?)$/, 'must be a host name or an address, without a port')

/** A name under which clients call the gateway, with or without a port. */
export const calledHostSchema = z
  .string()
  .max(300)
  .regex(/^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/, 'must be a host name or an address, with or without a port')

/** Where pages of browsers come from, such as `https://chat.example.com`. */
export const originSchema = z.string().refine((written) => {
  const url = URL.canParse(written) ? new URL(written) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === written
}, 'must be an origin such as https://chat.example.com: scheme, host and port, nothing else')

/** An address, or a range such as `10.0.0.0/8`. */
export const addressRangeSchema = z.string().refine((written) => {
  const [address = '', bits, ...rest] = written.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}, 'must be an address or a range, such as 10.0.0.7 or 10.0.0.0/8')
