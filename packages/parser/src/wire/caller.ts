import { hash } from 'node:crypto'
import { Metadata } from '@grpc/grpc-js'

/** Tells apart those for whom one client asks, so that a service can serve them in turn. */
const key = 'stickler-caller'

/** Metadata that names a caller, by a digest: a service need not know who that is. */
export function callerMetadata(caller: string | undefined): Metadata {
  const metadata = new Metadata()
  if (caller !== undefined && caller !== '') metadata.set(key, hash('sha256', caller, 'hex').slice(0, 16))
  return metadata
}

/** The caller that metadata names; empty when it names none. */
export function callerIn(metadata: Metadata): string {
  const [name] = metadata.get(key)
  return typeof name === 'string' ? name.slice(0, 16) : ''
}
