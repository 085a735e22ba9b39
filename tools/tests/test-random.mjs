// Runs the random tests with a seed that is drawn, and more cases of each: `npm run test:random -- [--seed N] [--times N] [file …]`.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const { seed, times, filters } = readArguments()
const again = ['npm run test:random --', `--seed ${seed} --times ${times}`, ...filters].join(' ')
const files = ['packages', 'e2e']
  .flatMap((top) => (existsSync(top) ? readdirSync(top, { recursive: true }).map((path) => join(top, path)) : []))
  .filter((path) => /^(?!.*(node_modules|dist)\b).*\.test\.ts$/.test(path) && isRandom(path))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
  .sort()
if (files.length === 0) fail(`no random test is in a file whose path has ${filters.join(' or ')}`)

console.log(`seed ${seed}, ${times} times as many cases as usual, ${files.length} files, Node ${process.versions.node}`)
const folder = mkdtempSync(join(tmpdir(), 'stickler-random-'))
const counts = join(folder, 'counts')
const env = { ...process.env, STICKLER_SEED: String(seed), STICKLER_TIMES: String(times), STICKLER_COUNTS: counts }
const { status } = spawnSync(process.execPath, [vitest, 'run', ...files], { stdio: 'inherit', env })
const each = existsSync(counts) ? readFileSync(counts, 'utf8').trim().split('\n').map(Number) : []
rmSync(folder, { recursive: true })
console.log(`seed ${seed}: ${each.reduce((sum, cases) => sum + cases, 0)} cases of ${each.length} properties`)
if (status !== 0) fail(`A random test failed. To repeat it: ${again}`)

/** Whether a test file, or a module that it imports, takes something at random. */
function isRandom(path) {
  const text = readFileSync(path, 'utf8')
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name]) => join(dirname(path), name)).filter((one) => existsSync(one))
  return [text, ...imported.map((one) => readFileSync(one, 'utf8'))].some((one) => /from '(fast-check|[^']*tests\/random\.ts)'/.test(one))
}

function readArguments() {
  try {
    const options = { seed: { type: 'string' }, times: { type: 'string' } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const { seed = String(randomInt(2 ** 31)), times = '10' } = values
    for (const [name, value] of Object.entries({ seed, times })) if (!/^\d{1,10}$/.test(value)) throw new Error(`--${name} needs a number`)
    return { seed: Number(seed), times: Number(times), filters: positionals }
  } catch (error) {
    fail(`${error.message}\nusage: npm run test:random [-- [--seed N] [--times N] [file …]]`)
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
