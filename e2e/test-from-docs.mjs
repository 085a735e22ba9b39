// Follows pages of the docs as a new user does: an empty folder, the packages as npm packs them, the `npm install` of the page, then its programs: `npm run test:pages`, or with names.
// Blocks with `no-run="run by npm run test:pages"` use packages that are too large to be installed with the repository.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'stickler-pages-'))
const ownReason = 'run by npm run test:pages'
const installLine = /^npm install (.+)$/m

let failed = 0
try {
  const { readPage, readCommands, answersFor, matches } = await harness()
  const names = readdirSync(join(root, 'docs/guide'))
  const chosen = process.argv.slice(2).map((name) => `${name.replace(/\.md$/, '')}.md`)
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`there is no docs/guide/${unknown}`)
  const pages = names.map((name) => ({ name, blocks: readPage(name, readFileSync(join(root, 'docs/guide', name), 'utf8')) }))
  const wanted = pages.filter(({ name, blocks }) => (chosen.length > 0 ? chosen.includes(name) : installed(blocks).length > 0))
  const packed = pack()
  for (const { name, blocks } of wanted) {
    const problem = follow(name, blocks, packed, readCommands, answersFor, matches)
    console.log(`${problem === undefined ? 'ok  ' : 'FAIL'} ${name}${problem === undefined ? '' : `: ${problem}`}`)
    if (problem !== undefined) failed++
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

/** The readers of the docs tests, which are TypeScript. */
async function harness() {
  const input = 'harness'
  const files = ['page', 'console-block', 'expectation', 'scripted-provider'].map((name) => join(root, `e2e/docs-harness/${name}.ts`))
  const bundled = await rolldown({
    input,
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: input,
        resolveId: (id) => (id === input ? join(root, 'e2e/harness.mjs') : null),
        load: (id) => (id.endsWith('harness.mjs') ? files.map((file) => `export * from ${JSON.stringify(file)}`).join('\n') : null),
      },
    ],
  })
  const file = join(folder, 'harness.mjs')
  await bundled.write({ file, format: 'es', codeSplitting: false })
  return await import(pathToFileURL(file).href)
}

/** Packages that a page tells its reader to install. */
function installed(blocks) {
  return blocks.flatMap(({ language, text }) => (language === 'sh' ? (installLine.exec(text)?.[1]?.split(/\s+/) ?? []) : []))
}

/** Our packages as they would be published, by name, each with those of ours that it needs. */
function pack() {
  const packed = JSON.parse(told('npm', ['pack', '--json', '--workspaces', '--pack-destination', folder], root))
  const files = new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]))
  const needs = (name, seen = new Set()) => {
    if (!files.has(name) || seen.has(name)) return seen
    seen.add(name)
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    for (const other of Object.keys(dependencies)) needs(other, seen)
    return seen
  }
  // A page that installs the files that were packed installs all of them.
  return (name) => (name.endsWith('.tgz') ? [...files.values()] : files.has(name) ? [...needs(name)].map((one) => files.get(one)) : [name])
}

/** What goes wrong on a page; undefined if it does what it says. */
function follow(name, blocks, packed, readCommands, answersFor, matches) {
  const home = join(folder, name.replace(/\.md$/, ''))
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  const wanted = installed(blocks)
  if (wanted.length === 0) return 'the page has no npm install'
  try {
    // Node 20 runs no TypeScript by itself.
    told(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...new Set([...wanted, 'tsx', '@types/node'].flatMap(packed))],
      home,
    )
    for (const [index, block] of blocks.entries()) {
      const { file, language, line, text, noRun } = block
      if (file !== undefined) {
        mkdirSync(dirname(join(home, file)), { recursive: true })
        writeFileSync(join(home, file), `${text}\n`)
      } else if (noRun !== undefined && noRun !== ownReason) continue
      else if (language === 'console') {
        for (const { command, expected, line: at } of readCommands(block)) {
          const output = ran('bash', ['-c', command], home).output.replace(/^npm warn .*\n/gm, '')
          if (!matches(output, expected)) return `line ${at}: $ ${command} prints\n${output}`
        }
      } else if (language === 'ts' || language === 'js') {
        const program = join(home, `line-${line}.${language}`)
        writeFileSync(program, `${text}\n`)
        // Warnings of npm and of frameworks are not what a page shows.
        const answers = answersFor(name, block, blocks)
        const preloaded = answers === undefined ? [] : ['--import', provider(home, answers)]
        const { status, stdout, output } = ran(process.execPath, ['--import', 'tsx', ...preloaded, program], home)
        if (status !== 0) return `line ${line} ends with ${status}:\n${output}`
        const next = blocks[index + 1]
        if (next?.isOutput && !matches(stdout, next.text)) return `line ${line} prints\n${output}`
      }
    }
  } catch (error) {
    return String(error)
  }
  return undefined
}

/** A module that starts a provider which plays answers, in the process of the program that asks it. */
function provider(home, answers) {
  const file = join(home, 'provider-of-tests.mjs')
  const from = pathToFileURL(join(folder, 'harness.mjs')).href
  writeFileSync(file, `import { startProvider } from ${JSON.stringify(from)}\nawait startProvider(${JSON.stringify(answers)})\n`)
  return pathToFileURL(file).href
}

function ran(command, args, cwd) {
  const env = {
    ...process.env,
    PATH: [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    NO_COLOR: '1',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  }
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd, env, timeout: 300_000 })
  return { status, stdout, output: `${stdout}${stderr}` }
}

function told(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    cwd,
    timeout: 600_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error ?? stderr}`)
  return stdout
}
