import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { openEngine } from '@stickler/ask/retrieval'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

const bin = join(root, 'packages/cli/bin/stickler.js')

beforeAll(() => requireBuilt(['core', 'ask', 'gateway', 'cli']))

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the built command as its own process. */
function start(argv: readonly string[], cwd: string): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const text = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...text }))
  })
  return { child, ended }
}

const stickler = (argv: readonly string[], cwd: string): Promise<Ended> => start(argv, cwd).ended

/** What the index in a folder holds. */
async function contents(cwd: string) {
  const engine = await openEngine(join(cwd, '.stickler/index.db'))
  try {
    return { facts: await engine.facts(), fingerprints: await engine.fingerprints('') }
  } finally {
    await engine.close()
  }
}

test("this repository's docs are indexed, and questions answered from them, offline and cited", async () => {
  const cwd = await scratchFolder()
  const docs = join(root, 'docs')
  expect(await stickler(['index', docs, '--quiet'], cwd)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  for (const [question, says] of [
    ['How are streams enforced?', /stream/i],
    ['How is a truncated answer handled?', /truncat|cut.off/i],
    ['What does the circuit breaker do?', /circuit/],
  ] as const) {
    const { code, stdout } = await stickler(['ask', '--demo', question], cwd)
    expect(code).toBe(0)
    expect(stdout).toMatch(says)
    const cited = new Set([...stdout.matchAll(/ \[\^(\d+)\]$/gm)].map(([, number]) => number))
    const listed = new Set([...stdout.matchAll(/^\[(\d+)\] .*\/docs\/.*\.md:\d+(?:-\d+)?$/gm)].map(([, number]) => number))
    expect(cited.size).toBeGreaterThan(0)
    expect(listed).toEqual(cited)
  }
})

test('the demo answers from its documents at once, streamed or not', async () => {
  const { child } = start(['serve', '--demo', '--no-traffic', '--port', '0', '--json'], await scratchFolder())
  const [line] = (await once(child.stdout as Readable, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  const ask = async (stream: boolean): Promise<string> => {
    const body = JSON.stringify({ model: 'demo-docs', stream, messages: [{ role: 'user', content: 'When is a stream stopped?' }] })
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return response.text()
  }
  const quoted =
    'Text of a stream is released as soon as no continuation can make it wrong. A stream whose answer is doomed is stopped at once, and the model is asked again. Nothing wrong was shown until then, so the reader sees one clean answer. [^1]'
  expect(JSON.parse(await ask(false))).toMatchObject({
    choices: [{ message: { content: quoted }, finish_reason: 'stop' }],
    stickler: { status: 'valid', issues: [], pipeline: { type: 'RETRIEVAL', context_relevant: true } },
  })
  const pieces = [...(await ask(true)).matchAll(/"delta":\{[^}]*"content":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece)
  expect(pieces.join('')).toBe(quoted)
})

describe('many documents', () => {
  const files = Object.fromEntries(
    Array.from({ length: 700 }, (_, index) => [
      `docs/${index}.md`,
      `# Part ${index}\n\nText of part ${index}.\n\n## More\n\nMore of it.\n`,
    ]),
  )

  test.each(['SIGKILL', 'SIGINT'] as const)('an index ended half-way by %s is whole, and the next run goes on', async (signal) => {
    const cwd = await scratchFolder()
    await writeFiles(cwd, files)
    const { child, ended } = start(['index', 'docs'], cwd)
    let half = 0
    while (half === 0 && child.exitCode === null) half = (await contents(cwd).catch(() => undefined))?.facts.documents ?? 0
    child.kill(signal)
    const { code } = await ended
    expect(code).toBe(signal === 'SIGKILL' ? null : 130)
    const { facts } = await contents(cwd)
    expect(facts.documents).toBeLessThan(700)
    expect(facts.chunks).toBe(facts.documents * 2)
    const next = await stickler(['index', 'docs', '--json'], cwd)
    expect(next.code).toBe(0)
    const report = JSON.parse(next.stdout) as { documents: number; chunks: number; folders: { unchanged: number; added: string[] }[] }
    expect([report.documents, report.chunks, report.folders[0]?.unchanged]).toEqual([700, 1400, facts.documents])
    expect(report.folders[0]?.added).toHaveLength(700 - facts.documents)
  })

  test('two indexers at once end in the index of one', async () => {
    const [both, one] = [await scratchFolder(), await scratchFolder()]
    const some = Object.fromEntries(Object.entries(files).slice(0, 400))
    await Promise.all([writeFiles(both, some), writeFiles(one, some)])
    const [first, second] = await Promise.all([
      stickler(['index', 'docs'], both),
      stickler(['index', 'docs'], both),
      stickler(['index', 'docs'], one),
    ])
    expect([first, second]).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect(await contents(both)).toEqual(await contents(one))
  })
})
