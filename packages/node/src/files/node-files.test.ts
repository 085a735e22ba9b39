import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileKind } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeFiles } from './node-files.ts'

const touched: string[] = []
vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs/promises')>()
  const note =
    <Result>(look: (path: string) => Promise<Result>) =>
    (path: string) => {
      touched.push(path)
      return look(path)
    }
  return { ...fs, lstat: note((path) => fs.lstat(path)), readlink: note((path) => fs.readlink(path)) }
})

const base = realpathSync(mkdtempSync(join(tmpdir(), 'stickler-files-')))
const root = join(base, 'root')
const server = createServer()

function put(path: string, content = ''): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
}

beforeAll(async () => {
  put(join(base, 'secret.txt'), 'outside')
  put(join(root, 'a.ts'))
  put(join(root, 'src/deep/b.ts'))
  put(join(root, 'src/with space "and" quotes.ts'))
  put(join(root, 'src/new\nline.ts'))
  put(join(root, 'src/ünï.ts'))
  put(join(root, '.git/config'))
  put(join(root, 'node_modules/x/index.js'))
  put(join(root, 'src/node_modules/y.js'))
  mkdirSync(join(base, 'root-sibling'))
  put(join(base, 'root-sibling/c.ts'))
  const links: [path: string, target: string][] = [
    ['to-file', 'src/deep/b.ts'],
    ['to-folder', 'src/deep'],
    ['to-here', '.'],
    ['src/deep/up', '../../a.ts'],
    ['absolute', join(root, 'a.ts')],
    ['out-and-back', '../root/a.ts'],
    ['chain', 'to-folder/b.ts'],
    ['out', '../secret.txt'],
    ['out-absolute', '/etc/passwd'],
    ['out-folder', '..'],
    ['out-sibling', '../root-sibling'],
    ['out-missing', '../no-such-file'],
    ['out-missing-absolute', '/no/such/file'],
    ['out-late', 'src/../../secret.txt'],
    ['dangling', 'no-such-file'],
    ['loop', 'loop'],
    ['ping', 'pong'],
    ['pong', 'ping'],
    ['growing', 'growing/x'],
    ['src/out-chain', '../out'],
  ]
  for (const [path, target] of links) symlinkSync(target, join(root, path))
  symlinkSync(root, join(base, 'alias'))
  symlinkSync(join(base, 'alias/a.ts'), join(root, 'by-alias'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve))
})

afterAll(() => {
  server.close()
  rmSync(base, { recursive: true, force: true })
})

const kinds: [path: string, kind: FileKind][] = [
  ['a.ts', 'file'],
  ['src/deep/b.ts', 'file'],
  ['./src//deep/./b.ts', 'file'],
  ['src/../a.ts', 'file'],
  ['src/with space "and" quotes.ts', 'file'],
  ['src/new\nline.ts', 'file'],
  ['src/ünï.ts', 'file'],
  ['src', 'directory'],
  ['src/', 'directory'],
  ['', 'directory'],
  ['.', 'directory'],
  ['pipe', 'other'],
  ['socket', 'other'],
  ['no-such-file', 'missing'],
  ['no/such/folder', 'missing'],
  ['a.ts/b', 'missing'],
  ['a.ts/../a.ts', 'missing'],
  ['a\0.ts', 'missing'],
  ['x'.repeat(300), 'missing'],
  [`${'x/'.repeat(5000)}x`, 'missing'],
  ['to-file', 'file'],
  ['to-folder', 'directory'],
  ['to-folder/b.ts', 'file'],
  ['to-folder/../a.ts', 'missing'],
  ['to-folder/up', 'file'],
  ['to-here', 'directory'],
  ['to-here/to-here/a.ts', 'file'],
  ['absolute', 'file'],
  ['out-and-back', 'file'],
  ['chain', 'file'],
  ['out', 'outside'],
  ['out-absolute', 'outside'],
  ['out-folder', 'outside'],
  ['out-folder/secret.txt', 'outside'],
  ['out-folder/root/a.ts', 'file'],
  ['out-sibling/c.ts', 'outside'],
  // Whether something stands outside must not be told from the verdict.
  ['out-missing', 'outside'],
  ['out-missing-absolute', 'outside'],
  ['out-late', 'outside'],
  ['src/out-chain', 'outside'],
  ['dangling', 'missing'],
  ['dangling/x', 'missing'],
  ['loop', 'missing'],
  ['loop/x', 'missing'],
  ['ping', 'missing'],
  ['growing', 'missing'],
  ['..', 'outside'],
  ['../secret.txt', 'outside'],
  ['../no-such-file', 'outside'],
  ['../root-sibling/c.ts', 'outside'],
  ['/etc/passwd', 'outside'],
  ['/no-such-file', 'outside'],
]

describe('nodeFiles', () => {
  it.each(kinds)('%j is %s', async (path, kind) => {
    expect(await nodeFiles(root).kind(path)).toBe(kind)
  })

  it('works when the root is a link, also for links by that name', async () => {
    const files = nodeFiles(join(base, 'alias'))
    for (const [path, kind] of kinds) expect([path, await files.kind(path)]).toEqual([path, kind])
    expect(await files.kind('by-alias')).toBe('file')
    // By another name than the root's own, a link leads out as far as can be told without looking there.
    expect(await nodeFiles(root).kind('by-alias')).toBe('outside')
  })

  it('never looks at anything outside', async () => {
    touched.length = 0
    for (const [path] of kinds) await nodeFiles(root).kind(path)
    expect(touched.length).toBeGreaterThan(50)
    expect(touched.filter((path) => path !== root && !path.startsWith(`${root}/`))).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)('throws when it may not look, since nothing can be told', async () => {
    put(join(base, 'locked/x/a.ts'))
    chmodSync(join(base, 'locked/x'), 0o000)
    await expect(nodeFiles(join(base, 'locked')).kind('x/a.ts')).rejects.toThrow('EACCES')
    expect(await nodeFiles(join(base, 'locked')).list(10)).toEqual([])
    chmodSync(join(base, 'locked/x'), 0o700)
  })

  it('takes a relative root', async () => {
    expect(await nodeFiles('.').kind('package.json')).toBe('file')
  })

  it('throws when the root is not there, since nothing can be told', async () => {
    await expect(nodeFiles(join(base, 'no-such-root')).kind('a.ts')).rejects.toThrow('ENOENT')
    await expect(nodeFiles(join(base, 'no-such-root')).list(10)).rejects.toThrow('ENOENT')
  })

  it('lists files breadth first, without links, .git and node_modules', async () => {
    const all = ['a.ts', 'src/new\nline.ts', 'src/with space "and" quotes.ts', 'src/ünï.ts', 'src/deep/b.ts']
    expect(await nodeFiles(root).list(100)).toEqual(all)
    expect(await nodeFiles(join(base, 'alias')).list(100)).toEqual(all)
    for (let limit = 0; limit < 5; limit++) expect(await nodeFiles(root).list(limit)).toEqual(all.slice(0, limit))
  })

  it('stops when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(nodeFiles(root).kind('a.ts', signal)).rejects.toThrow('enough')
    await expect(nodeFiles(root).list(10, signal)).rejects.toThrow('enough')
  })
})
