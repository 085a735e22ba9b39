import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCommand } from './find-command.ts'

let cwd: string
const command = 'stickler-test-command'
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'stickler-find-'))
  await mkdir(join(cwd, 'bin'))
  for (const path of [join(cwd, command), join(cwd, 'bin', command)]) {
    await writeFile(path, '')
    await chmod(path, 0o755)
  }
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

describe('findCommand', () => {
  test.each([
    ['no PATH', {}],
    ['an empty PATH', { PATH: '' }],
  ])('with %s it looks in the usual folders, never in the working directory', (_name, env) => {
    expect(() => findCommand(command, { cwd, env })).toThrow('the command was not found')
  })

  test.runIf(process.platform !== 'win32')('without a PATH it finds what is always there', () => {
    expect(findCommand('sh', { cwd, env: {} })).toMatch(/^\/(?:usr\/)?(?:local\/)?bin\/sh$/)
  })

  test('it looks in the folders of the PATH in their order, and takes a path as it is', () => {
    const env = { PATH: ['/nowhere', join(cwd, 'bin'), cwd].join(delimiter) }
    expect(findCommand(command, { cwd, env })).toBe(join(cwd, 'bin', command))
    expect(findCommand(`./${command}`, { cwd, env })).toBe(join(cwd, command))
  })
})
