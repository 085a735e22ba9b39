import { isIP } from 'node:net'
import * as z from 'zod'
import { nameSchema } from '../../upstreams/settings/scalars.ts'

/** Marks the keys that take effect only at startup; `only` says where the change waits, if the key is otherwise live. */
export const atRestart = z.registry<{ readonly only?: 'over gRPC' }>()

/** Marks the names of what is elsewhere in the file, or in a preset. */
export const references = z.registry<{ readonly to: 'upstream' | 'contract' | 'pipeline' }>()

const nameOf = (to: 'upstream' | 'contract' | 'pipeline') => nameSchema.clone().register(references, { to })

/** The name of an upstream of the file. */
export const upstreamName = nameOf('upstream')

/** The name of a contract of the file. */
export const contractName = nameOf('contract')

/** The name of a pipeline. */
export const pipelineName = nameOf('pipeline')

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
