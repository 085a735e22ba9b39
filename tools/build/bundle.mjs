// Bundles @stickler/core and the command for Node, where hundreds of small files take longer to load than to run: `packages/*/dist/node`.
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))
/** What a bundle was made of, and which files it has. */
const record = 'bundle.json'

for (const { name, entries, inlined } of [
  { name: 'core', entries: entriesFor('core'), inlined: ['yaml'] },
  { name: 'cli', entries: ['main'], inlined: ['commander', 'picomatch'] },
]) {
  const inputs = hashOf(name, entries, inlined)
  if (!isUpToDate(name, inputs)) await bundle(name, entries, inlined, inputs)
}

// `stickler explain` names these pages, and an installation has no checkout.
const reference = join(packages, 'cli/dist/reference')
rmSync(reference, { recursive: true, force: true })
for (const page of ['codes.md', 'validators']) cpSync(join(packages, '../docs/reference', page), join(reference, page), { recursive: true })

/** Bundles entries of a package together, so that they share what they have in common; other packages stay outside unless they are inlined. */
async function bundle(name, entries, inlined, inputs) {
  const { rolldown } = await import('rolldown')
  const dist = join(packages, name, 'dist')
  // Left by a build that was killed.
  for (const left of readdirSync(dist).filter((path) => path.startsWith('.node-')))
    rmSync(join(dist, left), { recursive: true, force: true })
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(dist, `${entry}.js`)])),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !inlined.includes(id),
    // The build of yaml for Node is CommonJS, which no ESM bundle of a user could hold.
    resolve: { alias: { yaml: join(packageFolder('yaml'), 'browser/index.js') } },
    logLevel: 'warn',
  })
  const made = mkdtempSync(join(dist, '.node-'))
  try {
    const { output } = await bundled.write({ dir: made, format: 'es', chunkFileNames: 'shared/[name]-[hash].js' })
    writeFileSync(join(made, 'LICENSES.txt'), inlined.map(licenceOf).join('\n'))
    writeFileSync(join(made, record), JSON.stringify({ inputs, files: output.map(({ fileName }) => fileName).sort() }))
    chmodSync(made, 0o755)
    rmSync(join(dist, 'node'), { recursive: true, force: true })
    renameSync(made, join(dist, 'node'))
  } finally {
    rmSync(made, { recursive: true, force: true })
    await bundled.close()
  }
}

/** Whether the bundle was made of the same inputs, and all of it is there. */
function isUpToDate(name, inputs) {
  const folder = join(packages, name, 'dist/node')
  if (!existsSync(join(folder, record))) return false
  const made = JSON.parse(readFileSync(join(folder, record), 'utf8'))
  return made.inputs === inputs && made.files.every((path) => existsSync(join(folder, path)))
}

/** A hash of everything that a bundle depends on: the build, what is inlined, the bundler and this file. */
function hashOf(name, entries, inlined) {
  const dist = join(packages, name, 'dist')
  const built = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.js') && !/^\.?node[/\\-]/.test(path))
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const path of built.sort()) hash.update(path).update(readFileSync(join(dist, path)))
  for (const other of [...inlined, 'rolldown']) hash.update(readFileSync(join(packageFolder(other), 'package.json')))
  return hash.update(entries.join()).digest('hex')
}

/** The entries that a manifest lists with a bundle for Node. */
function entriesFor(name) {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return Object.values(exports)
    .map((entry) => /^\.\/dist\/node\/(.+)\.js$/.exec(entry.node ?? '')?.[1])
    .filter((entry) => entry !== undefined)
}

function licenceOf(name) {
  return `${name}\n\n${readFileSync(join(packageFolder(name), 'LICENSE'), 'utf8')}`
}

/** Where a package is installed; not every one exports its manifest. */
function packageFolder(name) {
  return ['core', 'cli', '..']
    .map((place) => join(packages, place, 'node_modules', name))
    .find((folder) => existsSync(join(folder, 'package.json')))
}
