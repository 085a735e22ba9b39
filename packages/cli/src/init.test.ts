import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, runCli } from './testing/run-cli.ts'

it('writes a configuration that works at once', async () => {
  const cwd = await folderWith({ 'a.md': 'Nothing here.' })
  expect(await runCli(['init'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  expect(await runCli(['run'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'Tell me what you want to build, then we decide together.\n\n<!-- STEP: done -->\n',
    stderr: expect.stringMatching(/MAX_WORDS[\s\S]*asking again[\s\S]*repaired after 2 attempts/),
  })
  expect((await runCli(['check', 'a.md'], { cwd })).stdout).toMatch(/^a\.md: repaired/)
})

it('leaves a file that is there alone', async () => {
  const cwd = await folderWith({ 'stickler.yaml': 'mine' })
  expect(await runCli(['init'], { cwd })).toMatchObject({
    code: 2,
    stderr: 'stickler: cannot write stickler.yaml: it exists already; --force overwrites it\n',
  })
  expect(await readFile(join(cwd, 'stickler.yaml'), 'utf8')).toBe('mine')
  expect((await runCli(['init', '--force'], { cwd })).code).toBe(0)
  expect(await readFile(join(cwd, 'stickler.yaml'), 'utf8')).toContain('kind: scripted')
})
