/** The SHA-256 of bytes, or of a text in UTF-8. */
export async function sha256(content: Uint8Array | string): Promise<Uint8Array> {
  // A copy, because WebCrypto refuses views of shared memory.
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The SHA-256 of bytes, or of a text in UTF-8, in lower-case hex. */
export async function sha256Hex(content: Uint8Array | string): Promise<string> {
  return Array.from(await sha256(content), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
