import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract, settle } from '@stickler/core'
import { assertStreamable } from '@stickler/core/testing'
import { expect, test } from 'vitest'

/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))
const file = join(folder, 'text-calls.jsonl')
const name = existsSync(file) ? 'recorded calls' : `recorded calls: there are none in ${folder}; name their folder with STICKLER_CORPUS`

interface Recorded {
  readonly text: string
  readonly tools: readonly object[]
  readonly expect: { readonly calls: readonly { readonly name: string; readonly arguments: object }[] }
}

const rules = contract({ checks: ['tool_calls'], allow: ['lossless', 'lossy', 'guess'] })
const cases = (): Recorded[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)

test.skipIf(!existsSync(file))(
  `calls that models wrote as text are read, and none is read wrongly: ${name}`,
  { timeout: 120_000 },
  async () => {
    const all = cases()
    let read = 0
    for (const { text, tools, expect: expected } of all) {
      const { toolCalls } = await settle(rules, text, { context: { tools } })
      if (toolCalls.length === 0) continue
      read++
      expect(
        toolCalls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as object })),
        text,
      ).toEqual(expected.calls)
    }
    expect(read / all.length).toBeGreaterThan(0.97)
  },
)

test.skipIf(!existsSync(file))(`their streams have the same verdict in any pieces: ${name}`, { timeout: 600_000 }, async () => {
  for (const [index, { text, tools }] of cases().entries())
    await assertStreamable(rules, text, [1, [1 + (index % 7), 3, 1 + (index % 11)]], { context: { tools } })
})
