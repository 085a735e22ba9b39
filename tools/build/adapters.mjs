import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = new URL('../../packages/', import.meta.url)

/** The folders in `packages` whose manifest has the keyword `stickler-adapter`: contracts for a framework, on top of `core` alone. */
export const adapters = readdirSync(fileURLToPath(packages)).filter((name) => {
  const manifest = new URL(`${name}/package.json`, packages)
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).keywords?.includes('stickler-adapter')
})
