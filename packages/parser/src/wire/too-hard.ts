import { Metadata, type ServiceError } from '@grpc/grpc-js'

/** Tells code that parsing did not finish from code that is too large, which has the same status. */
const key = 'stickler-reason'
const value = 'too-hard'

/** What is sent along with the status of a snippet that parsing did not finish. */
export function tooHard(): Metadata {
  const metadata = new Metadata()
  metadata.set(key, value)
  return metadata
}

/** Whether a service reports that parsing did not finish. */
export function isTooHard({ metadata }: Partial<Pick<ServiceError, 'metadata'>>): boolean {
  return metadata?.get(key)[0] === value
}
