import { createRequire } from 'node:module'

/** The version of the package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('stickler/package.json')
  return String((manifest as { version?: unknown }).version)
}
