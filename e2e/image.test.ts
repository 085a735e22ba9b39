import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import picomatch from 'picomatch'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { root } from './support/places.ts'
import { run } from './support/run.ts'

/** The instructions of a stage of the image, in their order. */
const stages = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', words = '']) => [name, words] as const))
const [build = [], image = []] = stages
const ofImage = (name: string): string => image.find(([one]) => one === name)?.[1] ?? expect.fail(`no ${name}`)

const patterns = readFileSync(join(root, 'deploy/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ isKept: line.startsWith('!'), matches: picomatch(line.replace(/^!/, ''), { dot: true }) }))

/** Whether a path is in the context: the last pattern decides that it, or a folder above it, matches. */
function isInContext(path: string): boolean {
  const above = path.split('/').map((_name, at, names) => names.slice(0, at + 1).join('/'))
  return patterns.findLast(({ matches }) => above.some((one) => matches(one)))?.isKept ?? true
}

/** Copies what the context has of a file or folder. */
function copyFromContext(path: string, to: string): void {
  if (statSync(join(root, path)).isDirectory()) {
    for (const name of readdirSync(join(root, path))) copyFromContext(`${path}/${name}`, join(to, name))
  } else if (isInContext(path)) {
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(root, path), to)
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stickler-image-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** A path of the image, or of the stage before it, in the folder of the test. */
const here = (path: string): string => join(folder, path)

test('the context has what is copied, and nothing that was built or is secret', () => {
  const copied = [...build, ...image].flatMap(([name, words]) =>
    name === 'COPY' && !words.includes('--from') ? words.split(' ').slice(0, -1) : [],
  )
  for (const path of copied.filter((word) => !word.startsWith('--'))) expect([path, isInContext(path)]).toEqual([path, true])
  const left = [
    'README.md',
    'node_modules/a',
    'packages/core/dist/index.js',
    'packages/core/node_modules/a',
    'packages/cli/.env.local',
    'docs/guide/a.md',
  ]
  expect(left.filter(isInContext)).toEqual([])
})

test('the stage that builds runs in its context, and the gateway of the image answers its health check', { timeout: 600_000 }, async () => {
  for (const [name, words] of build) {
    if (name === 'COPY') {
      const paths = words.split(' ')
      const to = here(join('/src', paths.pop() ?? ''))
      for (const path of paths) copyFromContext(path, paths.length > 1 ? join(to, basename(path)) : to)
    } else if (name === 'RUN') {
      const { code, output } = await run('sh', ['-c', words], { cwd: here('/src'), timeoutMs: 300_000 })
      expect(code, `${words}\n${output}`).toBe(0)
    }
  }
  for (const [, words] of image.filter(([name, one]) => name === 'COPY' && one.startsWith('--from=build'))) {
    const [, from = '', to = ''] = words.split(' ')
    mkdirSync(dirname(here(to)), { recursive: true })
    renameSync(here(from), here(to))
  }
  const work = ofImage('WORKDIR')
  mkdirSync(here(work), { recursive: true })
  const config = readFileSync(join(root, 'deploy/stickler.yaml'), 'utf8')
    .replace('port: 8788', 'port: 0')
    .replaceAll('0.0.0.0', '127.0.0.1')
  writeFileSync(here(join(work, 'stickler.yaml')), config)

  const [node, ...argv] = [...(JSON.parse(ofImage('ENTRYPOINT')) as string[]), ...(JSON.parse(ofImage('CMD')) as string[])]
  expect(node).toBe('node')
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    STICKLER_KEYS: 'a:key-of-a-0123456789abcdef',
    STICKLER_OPERATOR_KEYS: 'ops:key-of-ops-0123456789abcdef',
    STICKLER_STORE_URL: 'sqlite:state.db',
    OPENAI_API_KEY: 'x',
  }
  const words = argv.map((word) => (word.startsWith('/') ? here(word) : word)).concat('--port', '0', '--json')
  const gateway = spawn(process.execPath, words, { cwd: here(work), env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const ended = new Promise((resolve) => gateway.on('exit', resolve))
  const first = new Promise<string>((resolve) => createInterface({ input: gateway.stdout }).once('line', resolve))
  const line = await Promise.race([first, ended.then((code) => expect.fail(`the gateway ended with ${code}`))])
  const { admin } = JSON.parse(line) as { admin: string }
  expect((await fetch(`${admin}/healthz`)).status).toBe(200)
  const [, ...check] = JSON.parse(ofImage('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[]
  const healthy = check.map((word) => word.replace('http://127.0.0.1:8788', admin))
  expect(spawnSync(process.execPath, healthy).status).toBe(0)
  const explained = await run(process.execPath, [words[0] ?? '', 'explain', 'MAX_WORDS'], { cwd: here(work) })
  expect(explained.output).toContain('MAX_WORDS')
  gateway.kill('SIGTERM')
  expect(await ended).toBe(0)
})
