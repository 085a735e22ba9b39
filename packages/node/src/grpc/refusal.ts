import type { Metadata, status } from '@grpc/grpc-js'
import { oneLine } from './one-line.ts'

/** A status that ends a call without an answer. */
export interface Refusal {
  readonly code: status
  readonly details: string
  readonly metadata?: Metadata
}

/** Makes a refusal whose details are one line that can be sent: gRPC encodes it as a URI, and half of a surrogate pair has no encoding. */
export function refusal(code: status, details: string, metadata?: Metadata): Refusal {
  const line = Buffer.from(oneLine(details, 500)).toString()
  return metadata === undefined ? { code, details: line } : { code, details: line, metadata }
}

/** Bytes that are not a request are the caller's mistake, which gRPC would report as an internal one. */
export function lenient<Request>(deserialize: (bytes: Buffer) => Request): (bytes: Buffer) => Request | 'malformed' {
  return (bytes) => {
    try {
      return deserialize(bytes)
    } catch {
      return 'malformed'
    }
  }
}
