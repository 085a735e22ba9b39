import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'

const bin = join(root, 'packages/cli/bin/stickler.js')

/** Starts a Node process that is killed with the test. */
function start(argv: readonly string[], cwd: string) {
  const child = spawn(process.execPath, argv, { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string) }
}

test.each([
  ['--config', ['serve', '--config', 'pipe']],
  ['schemaFile', ['serve']],
  ['an answer', ['check', 'pipe']],
  ['--trace', ['run', '--trace', 'pipe', 'Hi']],
])('a named pipe as %s ends the command', async (_, argv) => {
  const cwd = await scratchFolder()
  const checks = argv.length === 1 ? '[{ json: { schemaFile: pipe } }]' : '[{ max_words: { limit: 5 } }]'
  await writeFiles(cwd, {
    'stickler.yaml': `upstreams: [{ name: up, kind: scripted, answers: [Hi.] }]\ncontracts: { it: { checks: ${checks} } }\nroutes: [{ model: '*', upstream: up }]\n`,
  })
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  expect(await start([bin, ...argv], cwd).ended).toBe(2)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a command that does not react to it', async (signal) => {
  const main = pathToFileURL(join(root, 'packages/cli/dist/node/main.js')).href
  const stuck = `import { processIo } from ${JSON.stringify(main)}; processIo().allowToEnd(300); setInterval(() => {}, 1000); console.log('ready')`
  const { child, ended } = start(['--input-type=module', '-e', stuck], await scratchFolder())
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await ended).toBe(signal)
})
