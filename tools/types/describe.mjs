// Writes what the option schemas say of their keys into the built declarations, so that editors show it: schemas describe keys at run time only.
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describedObjects, isObjectType, withDescriptions } from './descriptions.mjs'

const built = ['core', 'presets'].flatMap((name) => {
  const dist = fileURLToPath(new URL(`../../packages/${name}/dist/`, import.meta.url))
  return readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => `${dist}${path}`)
})

for (const file of built) {
  if (!file.endsWith('.d.ts')) continue
  const before = readFileSync(file, 'utf8')
  if (!isObjectType.test(before)) continue
  const module = await import(pathToFileURL(file.replace(/\.d\.ts$/, '.js')).href)
  const after = withDescriptions(before, describedObjects(Object.values(module).flat()))
  if (after === before) continue
  const { atime, mtime } = statSync(file)
  writeFileSync(file, after)
  // Packages that were compiled against the file stay up to date: comments change nothing for them.
  utimesSync(file, atime, mtime)
}
