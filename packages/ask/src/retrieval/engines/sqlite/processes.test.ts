import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireBuilt } from '../../../../../../e2e/support/require-built.ts'
import { chunksPerDocument, startWriter } from '../../../testing/index-processes.ts'
import type { IndexEngine } from '../../index-engine.ts'
import { sqliteEngine } from './sqlite-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-index-'))
beforeAll(() => requireBuilt(['core', 'ask']))
afterAll(() => rmSync(folder, { recursive: true }))

/** Each document as a reader finds it: whole and of one version, or the test fails. */
async function versionsIn(index: IndexEngine, documents: number): Promise<(string | undefined)[]> {
  const versions: (string | undefined)[] = []
  for (let at = 0; at < documents; at++) {
    const hits = await index.searchText([`d${at}`], 1000)
    expect([0, chunksPerDocument]).toContain(hits.length)
    expect(new Set(hits.map(({ text }) => text)).size).toBe(Math.min(1, hits.length))
    expect(new Set(hits.map(({ urn }) => urn)).size).toBe(hits.length)
    versions.push(hits[0]?.text)
  }
  return versions
}

/** The whole index: as many chunks, terms and vectors as documents hold, all found by both halves. */
async function expectWhole(index: IndexEngine, documents: number): Promise<void> {
  const facts = await index.facts()
  expect(facts.chunks).toBe(facts.documents * chunksPerDocument)
  const versions = await versionsIn(index, documents)
  const fingerprints = await index.fingerprints('')
  for (const [at, version] of versions.entries()) expect(fingerprints.get(`d${at}.md`)).toBe(version)
  const all = await index.searchText(['all'], 1000)
  expect(all.length).toBe(facts.chunks)
  const near = await index.searchVector(new Float32Array([1, 1, 1]), 'test', 1000)
  expect(near.map(({ urn }) => urn).sort()).toEqual(all.map(({ urn }) => urn).sort())
}

test('readers see old or new documents while others write, never half of one, and two writers end in a whole index', async () => {
  const file = join(folder, 'two.db')
  const writers = ['a', 'b'].map((name) => startWriter(file, name, 12, 5))
  const reader = sqliteEngine(file, { collection: 'default' })
  const seen = new Set<string | undefined>()
  let isOver = false
  const over = Promise.all(writers.map(({ exited }) => exited)).finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const version of await versionsIn(reader, 5)) seen.add(version)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(await over).toEqual([0, 0])
  expect(seen.size).toBeGreaterThan(1)
  await expectWhole(reader, 5)
  expect((await reader.facts()).documents).toBe(5)
  expect(new Set(await versionsIn(reader, 5)).size).toBe(1)
  await reader.close()
})

test('a writer that is killed leaves whole documents, and another goes on', async () => {
  const file = join(folder, 'killed.db')
  const reader = sqliteEngine(file, { collection: 'default' })
  for (const [round, afterMs] of [0, 3, 8, 15].entries()) {
    const writer = startWriter(file, `r${round}x`, 10_000, 8)
    await writer.written(1 + round)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    writer.child.kill('SIGKILL')
    await writer.exited
    expect((await reader.facts()).documents).toBe(8)
    await expectWhole(reader, 8)
    const [version = ''] = new Set(await versionsIn(reader, 8))
    // What it had reported as written is there.
    expect(version).toMatch(new RegExp(`^r${round}x`))
    expect(Number(version.split('x')[1])).toBeGreaterThanOrEqual(round)
  }
  await reader.close()
})

test('a program that forgets to close an index ends all the same', () => {
  const script = `
    import { openEngine } from '@stickler/ask/retrieval'
    const engine = await openEngine(${JSON.stringify(join(folder, 'open.db'))})
    await engine.replace([{ path: 'a', fingerprint: 'f', chunks: [] }])
    console.log(JSON.stringify([await engine.facts(), await engine.searchVector(new Float32Array([1]), 'x', 1)]))`
  const cwd = fileURLToPath(new URL('../../../../', import.meta.url))
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, encoding: 'utf8', timeout: 30_000 })
  expect(JSON.parse(said)).toEqual([{ documents: 1, chunks: 0 }, []])
})

test('processes that begin a new index at the same time all write to it', async () => {
  const file = join(folder, 'new.db')
  const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(file, name, 2, 3))
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0, 0])
  const reader = sqliteEngine(file, { collection: 'default' })
  await expectWhole(reader, 3)
  expect((await reader.facts()).documents).toBe(3)
  await reader.close()
})
