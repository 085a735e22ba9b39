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
