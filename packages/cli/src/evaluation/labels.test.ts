import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../testing/run-cli.ts'
import type { Evaluation } from './evaluation.ts'

/** Texts with what a person said of them; the contract rejects those with more than five words, or without an ok. */
const answers = [
  ['one two ok', 'good'],
  ['one two three four five six ok', 'good'],
  ['one two three four five six ok!', 'bad'],
  ['one', 'bad'],
  ['yes ok', 'bad'],
] as const

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stickler-labels-'))
  const checks = 'checks: [{ max_words: { limit: 5 } }, { contains: { all: [ok] } }], repair: never'
  writeFileSync(join(folder, 'stickler.yaml'), `contracts:\n  brief: { ${checks} }\n`)
  const lines = answers.map(([text, label], index) => JSON.stringify({ id: `a${index}`, text, label }))
  writeFileSync(join(folder, 'labels.jsonl'), lines.join('\r\n'))
  const results = answers.map(([output, label], testIdx) => ({
    ...{ promptIdx: 0, testIdx, prompt: { raw: 'q' }, vars: {}, response: { output } },
    ...{ success: label === 'good', score: 1, failureReason: 0 },
  }))
  const written = { evalId: 'e', results: { version: 3, results, prompts: [], stats: {} }, config: {} }
  writeFileSync(join(folder, 'promptfoo.json'), JSON.stringify(written))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(['labels.jsonl', 'promptfoo.json'])('the labels of %s give precision and recall, for each rule too', async (file) => {
  const { stdout } = await runCli(['eval', file, '--contract', 'brief', '--json'], { cwd: folder })
  const { labels } = JSON.parse(stdout) as Evaluation
  expect(labels).toMatchObject({
    ...{ good: 2, bad: 3, caught: 2, wronglyBlocked: 1 },
    precision: expect.closeTo(2 / 3),
    recall: expect.closeTo(2 / 3),
    rules: expect.arrayContaining([
      { rule: 'contains/TEXT_MISSING', caught: 1, wronglyBlocked: 0, precision: 1, recall: expect.closeTo(1 / 3) },
      { rule: 'max_words/MAX_WORDS', caught: 1, wronglyBlocked: 1, precision: 0.5, recall: expect.closeTo(1 / 3) },
    ]),
  })
})
