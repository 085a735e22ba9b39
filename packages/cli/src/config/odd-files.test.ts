import { execFileSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'

const contract = (schemaFile: string): string => `contracts: { it: { checks: [{ json: { schemaFile: '${schemaFile}' } }] } }\n`
const models = "upstreams: [{ name: up, kind: scripted, answers: [Hi.] }]\nroutes: [{ model: '*', upstream: up }]\n"

/** A folder with a named pipe that nobody writes to. */
async function folderWithPipe(): Promise<string> {
  const cwd = await folderWith({
    'a.md': 'Hi.',
    'large.yaml': '',
    'schema-pipe.yaml': contract('pipe'),
    'schema-zero.yaml': contract('/dev/zero'),
    'schema-folder.yaml': contract('.'),
    'served-pipe.yaml': contract('pipe') + models,
  })
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  truncateSync(join(cwd, 'large.yaml'), 17 * 1024 * 1024)
  return cwd
}

describe('only regular files are read', () => {
  const pipe = /it is a named pipe, not a regular file/
  it.each<[string, readonly string[], RegExp]>([
    ['--config of check', ['check', '--config', 'pipe', 'a.md'], pipe],
    ['--config of run', ['run', '--config', 'pipe', 'Hi'], pipe],
    ['--config of serve', ['serve', '--config', 'pipe'], pipe],
    ['--config of doctor', ['doctor', '--config', 'pipe'], pipe],
    ['a device as --config', ['check', '--config', '/dev/zero', 'a.md'], /it is a device, not a regular file/],
    ['a folder as --config', ['check', '--config', '.', 'a.md'], /it is a folder/],
    ['a large file as --config', ['check', '--config', 'large.yaml', 'a.md'], /it is larger than 16777216 bytes/],
    ['--contract', ['check', '--contract', './pipe', 'a.md'], pipe],
    ['schemaFile', ['check', '--config', 'schema-pipe.yaml', 'a.md'], /cannot read pipe: it is a named pipe/],
    ['schemaFile of serve', ['serve', '--config', 'served-pipe.yaml'], /cannot read pipe: it is a named pipe/],
    ['a device as schemaFile', ['check', '--config', 'schema-zero.yaml', 'a.md'], /cannot read \/dev\/zero: it is a device/],
    ['a folder as schemaFile', ['check', '--config', 'schema-folder.yaml', 'a.md'], /cannot read \.: it is a folder/],
    ['schemaFile of --check', ['check', '--check', 'json={"schemaFile":"pipe"}', 'a.md'], pipe],
    ['an answer', ['check', '--check', 'max_words={"limit":5}', 'pipe'], /named pipe, not a regular file; pass - and pipe it/],
    ['a device as answer', ['check', '--check', 'max_words={"limit":5}', '/dev/zero'], /it is a device/],
    ['--jsonl', ['check', '--jsonl', 'pipe'], pipe],
    ['--trace', ['run', '--check', 'max_words={"limit":5}', '--config', 'served-pipe.yaml', '--trace', 'pipe', 'Hi'], /pipe/],
  ])('%s', async (_, argv, says) => {
    const cwd = await folderWithPipe()
    const { code, stderr, stdout } = await runCli(argv, { cwd })
    expect(stderr + stdout).toMatch(says)
    expect(code).not.toBe(0)
  })

  it('--trace does not wait for a reader, and takes a device', async () => {
    const cwd = await folderWithPipe()
    const argv = ['run', '--base-url', 'http://127.0.0.1:9', '--model', 'm', '--check', 'max_words={"limit":5}', 'Hi', '--trace']
    expect((await runCli([...argv, 'pipe'], { cwd })).stderr).toMatch(/cannot write the trace to pipe: it is not a regular file/)
    expect((await runCli([...argv, '/dev/null'], { cwd })).code).toBe(3)
  })
})
