import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRegularFile } from './regular-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-regular-'))
const at = (name: string): string => join(folder, name)
const socket = createServer()

beforeAll(async () => {
  writeFileSync(at('text'), 'Grüße')
  writeFileSync(at('empty'), '')
  symlinkSync(at('text'), at('link'))
  symlinkSync(at('pipe'), at('link-to-pipe'))
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  await new Promise<void>((resolve) => socket.listen(at('socket'), resolve))
})
afterAll(() => {
  socket.close()
  rmSync(folder, { recursive: true })
})

describe('reading a file', () => {
  it.each([
    ['text', 'Grüße'],
    ['link', 'Grüße'],
    ['empty', ''],
  ])('reads %s', async (name, text) => {
    expect(await readRegularFile(at(name), 7)).toBe(text)
  })

  it.each([
    ['a named pipe', () => at('pipe'), /^it is a named pipe, not a regular file$/],
    ['a link to a named pipe', () => at('link-to-pipe'), /^it is a named pipe/],
    ['a device', () => '/dev/zero', /^it is a device/],
    ['a folder', () => at('folder'), /^it is a folder$/],
    ['a socket', () => at('socket'), /ENXIO|EOPNOTSUPP|socket/],
    ['nothing', () => at('nothing'), /ENOENT/],
  ])('refuses %s, and does not wait for it', async (_, path, says) => {
    await expect(readRegularFile(path(), 1000)).rejects.toThrow(says)
  })

  it('refuses what is larger than its limit, even if it says that it is empty', async () => {
    await expect(readRegularFile(at('text'), 6)).rejects.toThrow('it is larger than 6 bytes')
    await expect(readRegularFile('/proc/self/maps', 10)).rejects.toThrow(/it is larger than 10 bytes|ENOENT/)
  })
})
