import { builtFolders } from '@stickler/core/node'

/** Generated files, and keys. */
const files =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|.*\.lock|.*\.min\.(?:js|css)|.*\.map|.*\.tsbuildinfo|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks))$/i

/** Why a folder is skipped; undefined for other folders. */
export function skippedFolder(name: string): string | undefined {
  if (name.startsWith('.')) return 'it is hidden'
  return builtFolders.has(name) ? 'it holds tool files, not project files' : undefined
}

/** Why a file is skipped, by its name; undefined for other files. */
export function skippedFile(name: string): string | undefined {
  if (name.startsWith('.')) return 'it is hidden'
  return files.test(name) ? 'it is a lock file, a build result or a key' : undefined
}
