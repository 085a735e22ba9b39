import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract, json, settle } from '@stickler/core'
import { expect, test } from 'vitest'

/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')
const name = existsSync(file) ? 'recorded answers' : `recorded answers: there are none in ${folder}; name their folder with STICKLER_CORPUS`

test.skipIf(!existsSync(file))(`ordinary answers hold no JSON unless they show it: ${name}`, async () => {
  const rules = contract({ checks: [json({})] })
  const texts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  let taken = 0
  for (const text of texts) {
    const { status, facts } = await settle(rules, text)
    if (status !== 'valid' && status !== 'repaired') continue
    taken++
    // Whatever is taken from an ordinary answer is in a fence that is meant for it, or quoted on lines of its own.
    expect([text, /^(?:```|~~~)(?:json[c5]?)?\s*$|^\s*[[{]/im.test(text), typeof facts.json?.value]).toEqual([text, true, 'object'])
  }
  expect(texts.length).toBeGreaterThan(0)
  expect(taken / texts.length).toBeLessThan(0.005)
})
