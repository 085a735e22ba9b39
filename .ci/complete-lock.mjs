// Adds to package-lock.json the optional packages of other platforms that the registry in use did not deliver: npm then leaves them out of the
// lock file but misses them in `npm ci`. Their versions are exact in the package that wants them; platform and processor are in their names.
// Every entry gets the hash that the registry tells; if it has none, take a version of the package all of whose platforms it has.
// Run it after `npm install` changed the lock file; on a registry that has all packages it changes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
let added = 0

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] || lock.packages[`${path}/node_modules/${name}`]) continue
    const platform = /-(android|darwin|freebsd|linux|openharmony|win32|wasm32)(?:-([a-z0-9]+))?(?:-([a-z]+))?$/.exec(name)
    if (!platform || !/^\d/.test(version))
      throw new Error(`${name}@${version}, wanted by ${path}, is in neither the lock file nor the registry`)
    const [, os, cpu, abi] = platform
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [os === 'wasm32' ? os : cpu],
      ...(entry.dev ? { dev: true } : {}),
      ...(os === 'linux' && abi ? { libc: [abi === 'musl' ? 'musl' : 'glibc'] } : {}),
      optional: true,
      ...(os === 'wasm32' ? {} : { os: [os] }),
    }
    added++
  }
}

const unhashed = Object.entries(lock.packages).filter(
  ([path, { link, integrity }]) => path.includes('node_modules/') && !link && integrity === undefined,
)
for (const [path, entry] of unhashed) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const known = execFileSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], { encoding: 'utf8' }).trim()
  if (!known) throw new Error(`the registry has no ${name}@${entry.version}`)
  const { version, ...rest } = entry
  lock.packages[path] = { version, integrity: known, ...rest }
}

const byPath = ([a], [b]) => (a < b ? -1 : 1)
if (added + unhashed.length > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byPath))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(`${added} packages of other platforms and ${unhashed.length} hashes added to the lock file`)
