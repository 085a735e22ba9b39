import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { folderWith, runCli } from '../testing/run-cli.ts'

it('writes a configuration that works at once', async () => {
  const cwd = await folderWith({ 'a.md': '{"title": "Slow", "priority": "Low"}' })
  expect(await runCli(['init'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  expect(await runCli(['run', 'Nobody can log in.'], { cwd })).toMatchObject({
    code: 0,
    stdout: '{"title": "Login fails", "priority": "high"}\n',
    stderr: expect.stringMatching(/SCHEMA_MISMATCH[\s\S]*asking again[\s\S]*repaired after 2 attempts/),
  })
  expect((await runCli(['check', 'a.md'], { cwd })).stdout).toMatch(/^a\.md: repaired/)
})

it('leaves a file that is there alone', async () => {
  const cwd = await folderWith({ 'stickler.yaml': 'mine' })
  expect(await runCli(['init'], { cwd })).toMatchObject({
    code: 2,
    stderr: 'stickler: cannot write stickler.yaml: it already exists; --force overwrites it\n',
  })
  expect(await readFile(join(cwd, 'stickler.yaml'), 'utf8')).toBe('mine')
  expect((await runCli(['init', '--force'], { cwd })).code).toBe(0)
  expect(await readFile(join(cwd, 'stickler.yaml'), 'utf8')).toContain('kind: scripted')
})

it('does not write through a link, even when told to overwrite', async () => {
  const cwd = await folderWith({ 'precious.txt': 'precious' })
  await symlink(join(cwd, 'precious.txt'), join(cwd, 'stickler.yaml'))
  for (const argv of [['init'], ['init', '--force']]) {
    expect(await runCli(argv, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot write stickler.yaml') })
    expect(await readFile(join(cwd, 'precious.txt'), 'utf8')).toBe('precious')
  }
  expect(await readlink(join(cwd, 'stickler.yaml'))).toBe(join(cwd, 'precious.txt'))
  expect((await runCli(['init', '--force'], { cwd })).stderr).toContain('it is a symbolic link, not a regular file')
})

it('leaves a link without a target, a folder and what is in it alone', async () => {
  const cwd = await folderWith({})
  await symlink(join(cwd, 'nowhere'), join(cwd, 'stickler.yaml'))
  expect((await runCli(['init', '--force'], { cwd })).code).toBe(2)
  expect(await readdir(cwd)).toEqual(['stickler.yaml'])
  const other = await folderWith({})
  await mkdir(join(other, 'stickler.yaml'))
  expect((await runCli(['init', '--force'], { cwd: other })).stderr).toContain('it is a folder')
})

it('replaces a file in one step and keeps its permissions', async () => {
  const cwd = await folderWith({ 'stickler.yaml': 'mine' })
  await chmod(join(cwd, 'stickler.yaml'), 0o600)
  expect((await runCli(['init', '--force'], { cwd })).code).toBe(0)
  expect((await lstat(join(cwd, 'stickler.yaml'))).mode & 0o777).toBe(0o600)
  expect(await readdir(cwd)).toEqual(['stickler.schema.json', 'stickler.yaml'])
})

it('writes the line and the schema that editors need, without a network', async () => {
  const cwd = await folderWith({})
  expect(await runCli(['init', '--json'], { cwd })).toMatchObject({
    code: 0,
    stdout: '{"written":"stickler.yaml","schema":"stickler.schema.json"}\n',
  })
  const text = await readFile(join(cwd, 'stickler.yaml'), 'utf8')
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
  const schema = await readFile(join(cwd, path), 'utf8')
  expect(schema).toBe((await runCli(['schema'], { cwd })).stdout)
  const accepts = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(schema))
  expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true)
  expect(accepts({ upstreams: 3 })).toBe(false)
})

it('leaves a schema that is there alone, unless it is told to overwrite', async () => {
  const cwd = await folderWith({ 'stickler.schema.json': 'mine' })
  expect((await runCli(['init'], { cwd })).code).toBe(0)
  expect(await readFile(join(cwd, 'stickler.schema.json'), 'utf8')).toBe('mine')
  expect((await runCli(['init', '--force'], { cwd })).code).toBe(0)
  expect(await readFile(join(cwd, 'stickler.schema.json'), 'utf8')).toContain('"$schema"')
})
