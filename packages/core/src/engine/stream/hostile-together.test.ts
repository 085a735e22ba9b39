import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editableTexts, editingContracts, expectAgreement } from '../../../../../attack/generators/editing-contracts.ts'

/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')
const missing = existsSync(file) ? '' : `: there are none in ${folder}; name their folder with STICKLER_CORPUS`

test('validators that change one text agree on any text', { timeout: 600_000 }, async () => {
  await fc.assert(fc.asyncProperty(editingContracts, editableTexts, expectAgreement), { numRuns: 1000 })
})

test.skipIf(missing !== '')(`they agree on recorded answers${missing}`, { timeout: 600_000 }, async () => {
  const texts = readFileSync(file, 'utf8').trim().split('\n')
  expect(texts.length).toBeGreaterThan(0)
  const recorded = fc.constantFrom(...texts).map((line) => (JSON.parse(line) as { text: string }).text.slice(0, 3000))
  // What a model adds to an ordinary answer.
  const answers = fc.tuple(recorded, editableTexts).map((two) => two.join('\n\n'))
  await fc.assert(fc.asyncProperty(editingContracts, answers, expectAgreement), { numRuns: 100 })
})
