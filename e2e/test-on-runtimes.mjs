// Runs the library on runtimes other than Node, each as npm brings it, and compares with what Node does: `npm run test:runtimes`, or with names.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = join(root, 'e2e/support/program.mjs')
const folder = mkdtempSync(join(tmpdir(), 'stickler-runtimes-'))
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'

/** Each runtime: the package that holds its program on this platform, and how it runs ours. */
const runtimes = {
  bun: () =>
    told(install(`@oven/bun-${process.platform}-${architecture === 'arm64' ? 'aarch64' : 'x64'}`, '1.4.4', 'bin/bun'), [calling()]),
  deno: () =>
    told(install(`@deno/${process.platform}-${architecture}${process.platform === 'linux' ? '-glibc' : ''}`, '2.9.6', 'deno'), [
      'run',
      '--allow-env',
      '--allow-read',
      '--node-modules-dir=manual',
      calling(),
    ]),
  workerd: async () =>
    onWorkerd(
      install(`@cloudflare/workerd-${process.platform}-${architecture === 'arm64' ? 'arm64' : '64'}`, '1.20261104.1', 'bin/workerd'),
    ),
  next: () => onNext('16.4.6'),
}

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !(name in runtimes))
if (unknown !== undefined) {
  console.error(`${unknown} is not a runtime that is known here; choose from ${Object.keys(runtimes).join(', ')}`)
  process.exit(2)
}

const expected = JSON.parse(told(process.execPath, [calling()]))
let failed = 0
try {
  for (const name of chosen.length > 0 ? chosen : Object.keys(runtimes)) {
    const seen = await runtimes[name]()
    const isSame = isDeepStrictEqual(JSON.parse(seen), expected)
    console.log(`${isSame ? 'ok  ' : 'FAIL'} ${name}${isSame ? '' : `: ${seen.slice(0, 2000)}`}`)
    if (!isSame) failed++
  }
} finally {
  for (const made of [folder, join(root, '.docs-run/runtimes')]) rmSync(made, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

/** A program below the packages, so that their names can be resolved, that prints what the common one returns. */
function calling() {
  const home = join(root, '.docs-run/runtimes')
  mkdirSync(home, { recursive: true })
  const file = join(home, 'program.mjs')
  writeFileSync(file, `${readFileSync(program, 'utf8')}\nconsole.log(JSON.stringify(await run()))\n`)
  return file
}

function told(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd: root, timeout: 300_000, ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error ?? stderr}`)
  return stdout
}

/** Installs a package once, without running its scripts, and returns the path of a file in it. */
function install(name, version, file) {
  const home = join(root, 'node_modules/.cache/runtimes', `${name.replace(/\W+/g, '-')}-${version}`)
  const path = join(home, 'node_modules', name, file)
  if (!existsSync(path)) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    told('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', home, `${name}@${version}`], {
      shell: process.platform === 'win32',
    })
  }
  return path
}

/** A worker that answers each request with what the common program returns. */
async function onWorkerd(workerd) {
  const entry = calling()
  const bundled = await rolldown({
    input: 'worker',
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'worker',
        resolveId: (id) => (id === 'worker' ? join(entry, '../worker.mjs') : null),
        load: (id) =>
          id.endsWith('worker.mjs')
            ? `${readFileSync(program, 'utf8')}\nexport default { fetch: async () => new Response(JSON.stringify(await run())) }`
            : null,
      },
    ],
  })
  await bundled.write({ file: join(folder, 'worker.mjs'), format: 'es', codeSplitting: false })
  const port = await freePort()
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.mjs")], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  )
  const child = spawn(workerd, ['serve', join(folder, 'config.capnp')], { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    return await answerOf(`http://127.0.0.1:${port}/`)
  } finally {
    child.kill()
  }
}

/** A Next.js application with one route handler, built and started. */
async function onNext(version) {
  // Not below node_modules, where Next.js compiles nothing.
  const home = join(folder, 'next')
  mkdirSync(join(home, 'app/api'), { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  // It follows no links to outside, so the package is installed as a user would.
  const packed = JSON.parse(told('npm', ['pack', '--json', '--pack-destination', folder, '-w', '@stickler/core']))[0].filename
  const zod = JSON.parse(readFileSync(join(root, 'node_modules/zod/package.json'), 'utf8')).version
  const wanted = [`next@${version}`, 'react@19', 'react-dom@19', `zod@${zod}`, join(folder, packed)]
  told('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', home, ...wanted], { shell: process.platform === 'win32' })
  writeFileSync(join(home, 'app/layout.jsx'), 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n')
  writeFileSync(join(home, 'app/page.jsx'), 'export default () => <p>Stickler</p>\n')
  mkdirSync(join(home, 'app/api/run'), { recursive: true })
  const route = `${readFileSync(program, 'utf8')}\nexport const dynamic = 'force-dynamic'\nexport const GET = async () => Response.json(await run())\n`
  writeFileSync(join(home, 'app/api/run/route.js'), route)
  const next = join(home, 'node_modules/next/dist/bin/next')
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  told(process.execPath, [next, 'build'], { cwd: home, env })
  const port = await freePort()
  const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], { cwd: home, env, stdio: 'ignore' })
  try {
    return await answerOf(`http://127.0.0.1:${port}/api/run`)
  } finally {
    child.kill()
  }
}

/** The body of an answer, once somebody gives one. */
async function answerOf(url) {
  for (let tries = 0; ; tries++) {
    try {
      return await (await fetch(url)).text()
    } catch (error) {
      if (tries > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
