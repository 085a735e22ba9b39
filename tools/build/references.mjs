// TypeScript builds only projects that are listed: `npm run lists` adds adapters to the lists.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { adapters } from './adapters.mjs'

const root = new URL('../../', import.meta.url)
const core = '    { "path": "packages/core" },\n'

/** The files with lists of projects, as their text should be. */
export function referenceLists() {
  return Object.fromEntries(
    ['tsconfig.json', 'tsconfig.tests.json'].map((file) => {
      const text = readFileSync(new URL(file, root), 'utf8')
      const missing = adapters.map((name) => core.replace('core', name)).filter((line) => !text.includes(line))
      return [file, text.replace(core, core + missing.join(''))]
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(referenceLists())) writeFileSync(new URL(file, root), text)
}
