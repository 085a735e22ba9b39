import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listRunning } from './running-evaluations.ts'

const said = {
  ...{ name: '<img src=x onerror=alert(1)>\u0000\ud800', contract: 'brief', status: 'running', startedAt: 1 },
  ...{ answers: 5, perSecond: 2, queued: 7, workers: 3, share: 0.5 },
}

test('evaluations under way are listed, and those that are silent have stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-running-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const write = async (name: string, content: unknown, secondsAgo = 0) => {
    const path = join(folder, `${name}.progress`)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    const at = Date.now() / 1000 - secondsAgo
    await utimes(path, at, at)
  }
  await write('run_live', { ...said, secret: 'x', id: 'other', at: -1 })
  await write('run_dead', said, 60)
  await write('run_ended', { ...said, status: 'stopped' }, 5)
  await write('run_forgotten', said, 8 * 86_400)
  const wrong = [
    '',
    '{',
    '[]',
    'null',
    { ...said, answers: '5' },
    { ...said, answers: -1 },
    { ...said, status: 'fine' },
    { ...said, share: 2 },
  ]
  for (const [at, content] of wrong.entries()) await write(`run_wrong${at}`, content)
  await write('run_large', { ...said, name: 'x'.repeat(20_000) })
  await write('run_infinite', JSON.stringify(said).replace('"answers":5', '"answers":1e400'))
  await write('other', said)
  await mkdir(join(folder, 'run_folder.progress'))
  await symlink('/dev/zero', join(folder, 'run_link.progress'))
  const at = expect.any(Number)
  expect(await listRunning(folder, Date.now())).toEqual([
    { ...said, id: 'run_live', at },
    { ...said, id: 'run_ended', at, status: 'stopped', perSecond: 0 },
    { ...said, id: 'run_dead', at, status: 'stopped', perSecond: 0 },
  ])
})

test('among very many files the last ones heard of are listed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-running-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const now = Date.now()
  for (let at = 0; at < 700; at++) {
    const path = join(folder, `run_${String(at).padStart(4, '0')}.progress`)
    await writeFile(path, JSON.stringify(said))
    // Those that a folder names last are the last ones heard of.
    await utimes(path, now / 1000 - 1000 + at, now / 1000 - 1000 + at)
  }
  const ids = (await listRunning(folder, now)).map((one) => 'id' in one && one.id)
  expect(ids).toEqual(Array.from({ length: 50 }, (_, at) => `run_0${699 - at}`))
})

test('without a folder there are none', async () => {
  expect([await listRunning(undefined, 0), await listRunning('/nowhere', 0)]).toEqual([[], []])
})
