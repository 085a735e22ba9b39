import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Answer, type Certificate, contract, settle } from '@stickler/core'
import { json } from '@stickler/core/validators'
import { expect, test } from 'vitest'

/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')
const name = existsSync(file) ? 'recorded answers' : `recorded answers: there are none in ${folder}; name their folder with STICKLER_CORPUS`

/** Where the value begins: behind what is removed from the start of the text. */
function startOfValue(repairs: readonly Certificate[]): number {
  let start = 0
  for (const { rule, span } of repairs) if (rule.startsWith('drop-') && span.start === start) start = span.end
  return start
}

/** What shows that a value is meant: the tag of its fence, or a line that begins with it. */
function placeOf(text: string, start: number): string {
  const block = new Answer(text).codeBlocks.find(({ span }) => span.start <= start && start < span.end)
  if (block) return `a fence tagged ${block.language}`
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, start)) ? 'its own line' : 'a line of prose'
}

const meant = ['a fence tagged ', 'a fence tagged json', 'a fence tagged jsonc', 'a fence tagged json5', 'its own line']

test.skipIf(!existsSync(file))(`ordinary answers hold no JSON unless they show it: ${name}`, async () => {
  const rules = contract({ checks: [json({ deliver: 'value' })] })
  const texts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  let taken = 0
  for (const text of texts) {
    const { status, facts, repairs } = await settle(rules, text)
    if (status !== 'valid' && status !== 'repaired') continue
    taken++
    // Whatever is taken from an ordinary answer is in a fence that is meant for it, or quoted on lines of its own.
    expect(meant, text).toContain(placeOf(text, startOfValue(repairs)))
    expect(typeof facts.json?.value).toBe('object')
  }
  expect(texts.length).toBeGreaterThan(0)
  expect(taken / texts.length).toBeLessThan(0.005)
})
