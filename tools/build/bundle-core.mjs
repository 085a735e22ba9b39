// Bundles each entry of @stickler/core for Node, where 500 small files take longer to load than to run: `packages/core/dist/node`.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const core = fileURLToPath(new URL('../../packages/core', import.meta.url))
const dist = join(core, 'dist')
const target = join(dist, 'node')
const { exports } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'))

/** The entries by their paths below `dist`, as the manifest lists them. */
const input = Object.fromEntries(
  Object.values(exports)
    .map((entry) => /^\.\/dist\/node\/(.+)\.js$/.exec(entry.node ?? '')?.[1])
    .filter((name) => name !== undefined)
    .map((name) => [name, join(dist, `${name}.js`)]),
)

if (!isUpToDate()) await bundle()

async function bundle() {
  const { rolldown } = await import('rolldown')
  const bundled = await rolldown({
    input,
    platform: 'node',
    // Users hand schemas of their own zod over, so there must be one.
    external: /^zod(\/|$)/,
    // The build for Node is CommonJS, which no ESM bundle of a user could hold.
    resolve: { alias: { yaml: join(packageFolder('yaml'), 'browser/index.js') } },
    logLevel: 'warn',
  })
  const made = mkdtempSync(join(dist, '.node-'))
  try {
    await bundled.write({ dir: made, format: 'es', chunkFileNames: 'shared/[name]-[hash].js' })
    chmodSync(made, 0o755)
    rmSync(target, { recursive: true, force: true })
    renameSync(made, target)
  } finally {
    rmSync(made, { recursive: true, force: true })
    await bundled.close()
  }
}

/** Whether no file of the build is newer than the bundle. */
function isUpToDate() {
  const first = join(target, `${Object.keys(input)[0]}.js`)
  if (!existsSync(first)) return false
  const made = statSync(first).mtimeMs
  const times = readdirSync(dist, { recursive: true })
    .filter((path) => path.endsWith('.js') && !path.startsWith('node'))
    .map((path) => statSync(join(dist, path)).mtimeMs)
  return Math.max(...times, statSync(join(core, 'package.json')).mtimeMs) <= made
}

function packageFolder(name) {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
}
