// Writes a line for each validator into the public entry point `@stickler/core/validators` that lacks it: `npm run lists` runs it before the build.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { root } from './typescript.mjs'

const entry = `${root}packages/core/src/validators.ts`

/** The entry point as its text should be: every validator of `validators/index.ts` is exported, in the order of the paths. */
export function withValidators(text) {
  const listed = readFileSync(`${root}packages/core/src/validators/index.ts`, 'utf8')
  let written = text
  for (const [, name, path] of listed.matchAll(/^import \{ (\w+) \} from '\.\/(.+)'$/gm)) {
    const from = `./validators/${path}`
    const exported = [...written.matchAll(/^export [^']*'(.+)'$/gm)]
    if (exported.some(([statement, other]) => other === from && statement.split(/\W+/).includes(name))) continue
    const next = exported.find(([, other]) => other > from)
    const at = next?.index ?? written.length
    written = `${written.slice(0, at)}export { ${name} } from '${from}'\n${written.slice(at)}`
  }
  return written
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(entry, 'utf8')
  const written = withValidators(text)
  if (written !== text) writeFileSync(entry, written)
}
