import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listRunning } from '@stickler/gateway/internal'
import { expect, test } from 'vitest'
import { folderWith } from '../testing/run-cli.ts'
import { openProgressFile } from './progress-file.ts'

const facts = { name: 'a"\u0000\ud800<b>', contract: '../../etc' }

async function open(folder: string, of: Parameters<typeof openProgressFile>[1] = facts) {
  let now = 0
  const io = { now: () => now, date: () => new Date(), cwd: '/' }
  const file = openProgressFile(folder, of, io, () => ({ queued: 3, workers: 2, share: 0.5 }))
  return { file, pass: (ms: number) => (now += ms) }
}

async function written(folder: string): Promise<unknown> {
  const [name = '', ...others] = await readdir(folder)
  expect([name, others]).toEqual([expect.stringMatching(/^run_[\w-]{16}\.progress$/), []])
  return JSON.parse(await readFile(join(folder, name), 'utf8'))
}

test('an evaluation that fails leaves how far it came, and one that succeeds leaves nothing', async () => {
  const folder = join(await folderWith({}), 'evaluations')
  const first = await open(folder)
  first.file.update(500)
  first.pass(1000)
  await first.file.end(false)
  expect(await written(folder)).toMatchObject({
    ...facts,
    status: 'stopped',
    answers: 500,
    perSecond: 500,
    queued: 3,
    workers: 2,
    share: 0.5,
  })
  const second = await open(folder)
  await second.file.end(true)
  expect(await readdir(folder)).toEqual([])
})

test('what was left long ago is removed, and nothing else', async () => {
  const folder = await folderWith({ 'run_old.progress': '{}', 'run_new.progress': '{}', 'eval_old.json': '{}' })
  for (const name of ['run_old.progress', 'eval_old.json']) await utimes(join(folder, name), 1000, 1000)
  await (await open(folder)).file.end(true)
  expect((await readdir(folder)).sort()).toEqual(['eval_old.json', 'run_new.progress'])
})

test('a folder that cannot be written is no reason to fail', async () => {
  const folder = await folderWith({})
  await writeFile(join(folder, 'file'), '')
  const { file } = await open(join(folder, 'file/evaluations'))
  file.update(1)
  await file.end(false)
  await file.end(true)
})

test('the gateway lists what the command has written, however long its names are', async () => {
  const folder = await folderWith({})
  const { file, pass } = await open(folder)
  file.update(8)
  pass(2000)
  await file.end(false)
  const id = expect.stringMatching(/^run_[\w-]{16}$/)
  const state = { status: 'stopped', answers: 8, queued: 3, workers: 2, share: 0.5, id }
  expect(await listRunning(folder, Date.now())).toMatchObject([{ ...facts, ...state }])
  // JSON writes each of these in six characters.
  for (const one of ['\u0000', '\ud800', '😀', '"']) {
    const long = await folderWith({})
    const name = one.repeat(100_000)
    await (await open(long, { name, contract: name, against: name })).file.end(false)
    const [listed] = (await listRunning(long, Date.now())) as readonly { name: string; contract: string; against: string }[]
    expect(listed).toMatchObject({ ...state, answers: 0 })
    for (const shown of [listed?.name, listed?.contract, listed?.against]) {
      expect(shown).toMatch(/^.{400,499}…$/s)
      expect(name.startsWith(shown?.slice(0, -1) ?? '?')).toBe(true)
    }
  }
})
