// Bundle sizes and start-up beside other packages: `npm run bench sizes`. Peers are installed into a folder of their own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { after, alone, importing, startsOf, stickler } from './start.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const peers = join(root, 'node_modules/.cache/peers')

const programs = [
  [
    '@stickler/core: max_words',
    `import { defineContract, enforce } from '@stickler/core'\nimport { maxWords } from '@stickler/core/validators'\nconsole.log(defineContract, enforce, maxWords)`,
  ],
  [
    '@stickler/core: json',
    `import { defineContract, enforce } from '@stickler/core'\nimport { json } from '@stickler/core/validators'\nconsole.log(defineContract, enforce, json)`,
  ],
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
  writeFileSync(join(peers, 'answer.md'), 'Use spaces.\n')
  const candidates = [
    { name: "import '@stickler/core'", ...importing('@stickler/core') },
    { name: "import 'ai'", ...importing('ai') },
    { name: "import 'jsonrepair'", ...importing('jsonrepair') },
    { name: "import '@openai/guardrails'", ...importing('@openai/guardrails', peers) },
    { name: 'stickler check', argv: [stickler, 'check', 'answer.md', '--check', 'max_words={"limit":5}'] },
  ]
  const [node, ...runs] = startsOf([alone, ...candidates], peers)
  for (const [at, { name }] of candidates.entries()) rows.push({ what: `${name}, ms after the start of Node`, ...after(runs[at], node) })
  return rows
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

function install() {
  if (existsSync(join(peers, 'node_modules/@openai/guardrails'))) return
  mkdirSync(peers, { recursive: true })
  writeFileSync(join(peers, 'package.json'), '{ "private": true }')
  spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', peers, '@openai/guardrails@0.2.1'], {
    stdio: 'inherit',
  })
}
