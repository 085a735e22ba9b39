// Bundles @stickler/core and the command for Node, where hundreds of small files take longer to load than to run: `packages/*/dist/node`.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))

for (const { name, entries, inlined } of [
  { name: 'core', entries: entriesFor('core'), inlined: ['yaml'] },
  { name: 'cli', entries: ['main'], inlined: ['commander', 'picomatch'] },
])
  if (!isUpToDate(name, entries)) await bundle(name, entries, inlined)

/** Bundles entries of a package together, so that they share what they have in common; other packages stay outside unless they are inlined. */
async function bundle(name, entries, inlined) {
  const { rolldown } = await import('rolldown')
  const dist = join(packages, name, 'dist')
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(dist, `${entry}.js`)])),
    platform: 'node',
    external: (id) => /^[a-z@]/.test(id) && !inlined.includes(id),
    // The build of yaml for Node is CommonJS, which no ESM bundle of a user could hold.
    resolve: { alias: { yaml: join(packageFolder('yaml'), 'browser/index.js') } },
    logLevel: 'warn',
  })
  const made = mkdtempSync(join(dist, '.node-'))
  try {
    await bundled.write({ dir: made, format: 'es', chunkFileNames: 'shared/[name]-[hash].js' })
    chmodSync(made, 0o755)
    rmSync(join(dist, 'node'), { recursive: true, force: true })
    renameSync(made, join(dist, 'node'))
  } finally {
    rmSync(made, { recursive: true, force: true })
    await bundled.close()
  }
}

/** Whether no file of the build is newer than the bundle. */
function isUpToDate(name, entries) {
  const dist = join(packages, name, 'dist')
  const bundled = entries.map((entry) => join(dist, 'node', `${entry}.js`))
  if (!bundled.every((path) => existsSync(path))) return false
  const built = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.js') && !/^\.?node[/\\-]/.test(path))
  const newest = Math.max(...built.map((path) => statSync(join(dist, path)).mtimeMs))
  return bundled.every((path) => statSync(path).mtimeMs >= newest)
}

/** The entries that a manifest lists with a bundle for Node. */
function entriesFor(name) {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return Object.values(exports)
    .map((entry) => /^\.\/dist\/node\/(.+)\.js$/.exec(entry.node ?? '')?.[1])
    .filter((entry) => entry !== undefined)
}

function packageFolder(name) {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
}
