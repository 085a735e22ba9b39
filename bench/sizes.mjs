// Bundle sizes and start-up beside other packages: `npm run bench sizes`. Peers are installed into a folder of their own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const peers = join(root, 'node_modules/.cache/peers')
const rounds = 15

const programs = [
  [
    '@stickler/core: max_words',
    `import { defineContract, enforce, maxWords } from '@stickler/core'\nconsole.log(defineContract, enforce, maxWords)`,
  ],
  ['@stickler/core: json', `import { defineContract, enforce, json } from '@stickler/core'\nconsole.log(defineContract, enforce, json)`],
  ['@stickler/core: every validator by name', `import { contract, enforce } from '@stickler/core'\nconsole.log(contract, enforce)`],
  ['jsonrepair', `import { jsonrepair } from 'jsonrepair'\nconsole.log(jsonrepair)`],
  ['ai: generateText, Output', `import { generateText, Output } from 'ai'\nconsole.log(generateText, Output)`],
  ['@openai/guardrails', `import { GuardrailsOpenAI } from '@openai/guardrails'\nconsole.log(GuardrailsOpenAI)`],
]

/** Bundle sizes, and what imports and the command take beside the start of Node itself. */
export async function benchSizes() {
  install()
  const rows = []
  for (const [name, source] of programs) rows.push({ what: `${name}, kB gzip`, ...(await sizeOf(source)) })
  const file = join(peers, 'answer.md')
  writeFileSync(file, 'Use spaces.\n')
  const starts = [
    ['node alone', ['-e', '0']],
    ["import '@stickler/core'", importing('@stickler/core'), join(root, 'packages/cli')],
    ["import 'ai'", importing('ai')],
    ["import 'jsonrepair'", importing('jsonrepair')],
    ["import '@openai/guardrails'", importing('@openai/guardrails'), peers],
    ['stickler check', [join(root, 'packages/cli/bin/stickler.js'), 'check', file, '--check', 'max_words={"limit":5}']],
  ]
  // In turns, so that a busy moment hits all of them.
  const times = starts.map(() => [])
  for (let round = 0; round < rounds; round++) for (const [at, [, args, cwd]] of starts.entries()) times[at].push(timeOf(args, cwd))
  const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(rounds / 2)])
  for (const [at, [name]] of starts.entries())
    rows.push({
      what: at === 0 ? `${name}, ms` : `${name}, ms after the start of Node`,
      median: at === 0 ? medians[0] : medians[at] - medians[0],
    })
  return rows
}

function importing(name) {
  return ['--input-type=module', '-e', `import '${name}'`]
}

/** Size of a minified bundle for browsers, or why there is none. */
async function sizeOf(source) {
  const entry = join(source.includes('guardrails') ? peers : join(root, 'packages/cli'), 'program.mjs')
  try {
    const bundled = await rolldown({
      input: entry,
      platform: 'browser',
      logLevel: 'silent',
      plugins: [{ name: 'program', resolveId: (id) => (id === entry ? entry : null), load: (id) => (id === entry ? source : null) }],
    })
    const { output } = await bundled.generate({ format: 'es', minify: true })
    const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
    return { median: sizeWithImports(output[0], chunks) / 1000 }
  } catch (error) {
    return { note: `cannot be bundled for browsers (${String(error.message).split('\n')[0].slice(0, 80)})` }
  }
}

/** A chunk and what it imports at once; what is loaded later does not count. */
function sizeWithImports({ fileName, code, imports }, chunks) {
  chunks.delete(fileName)
  return gzipSync(code).length + imports.reduce((sum, name) => sum + (chunks.has(name) ? sizeWithImports(chunks.get(name), chunks) : 0), 0)
}

/** Milliseconds that a child takes. */
function timeOf(args, cwd = root) {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return performance.now() - start
}

function install() {
  if (existsSync(join(peers, 'node_modules/@openai/guardrails'))) return
  mkdirSync(peers, { recursive: true })
  writeFileSync(join(peers, 'package.json'), '{ "private": true }')
  spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', peers, '@openai/guardrails@0.2.1'], {
    stdio: 'inherit',
  })
}
