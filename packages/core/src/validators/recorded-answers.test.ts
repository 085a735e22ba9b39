import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { pageCheck } from '../../../../tools/docs/page-check.mjs'
import { catalogue, contract } from '../../../presets/src/testing/contract.ts'
import type { NamedCheck, ValidatorName } from '../catalogue.ts'
import type { Ports } from '../contract/ports.ts'
import { assertStreamable } from '../testing/assert-streamable.ts'

/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')
const missing = existsSync(file) ? '' : `: there are none in ${folder}; name their folder with STICKLER_CORPUS`

const rule = { ask: async () => ({ issues: [] }) }
const ports: Ports = {
  files: { kind: async () => 'missing', list: async () => ['src/a.ts'] },
  // What is too long for it is wrong: verdicts of both kinds are needed, not those of a grammar.
  parser: {
    parse: async (_language, source) =>
      source.length % 3 > 0
        ? { verdict: 'valid' }
        : { verdict: 'invalid', trace: [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: 'unexpected token' }] },
  },
  remote: rule,
  command: rule,
}
const context = { sources: 3, tools: [], question: 'Which file?', context: ['The file src/a.ts.'], prompt: 'Which file?' }

/** Each how many of them is tried; all of them take minutes. */
const share = process.env.ALL_ANSWERS === undefined ? 24 : 1

/** Checks that ordinary answers often fail, besides those that the pages show first. */
const further: readonly NamedCheck[] = [
  { length: { words: { max: 120 }, sentences: { max: 9 }, lines: { max: 20 } } },
  { contains: { none: ['the', 'however'], counts: [{ text: 'is', max: 3 }], wholeWords: true } },
  {
    pattern: {
      deny: [
        { regex: '\\b[A-Z][a-z]+ly\\b', max: 1 },
        { regex: '\\d+(\\.\\d+)?', max: 4 },
      ],
    },
  },
  { citations: { styles: ['caret', 'bracket'], requireCitations: 'paragraph' } },
  { markdown: { headings: { levels: [2, 3], skipLevels: false }, bullets: { max: 5 }, highlights: { max: 3 }, codeBlocks: { max: 1 } } },
  { citations: { styles: ['caret', 'bracket', 'lenticular'], dropUnsupported: true } },
  { sensitive: {} },
  { sensitive: { kinds: ['email', 'phone', 'card', 'iban', 'ssn', 'ip', 'api_key', 'jwt', 'private_key'], placeholders: 'reject' } },
  { links: { hosts: ['en.wikipedia.org'] } },
  { language: { is: ['en'] } },
  { code_syntax: {} },
  { boilerplate: { remove: true } },
  { placeholders: { code: true } },
]
const checks = [...catalogue.validators.map(({ definition }) => pageCheck(definition.name) as ValidatorName | NamedCheck), ...further]

describe.skipIf(missing !== '')(`recorded answers${missing}`, () => {
  const texts =
    missing === ''
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { text: string }).text)
      : []
  /** Each answer is cut in another way: into single characters, pairs, tokens of 1 to 7 characters. */
  const cuts = [[1], [2], [3, 1, 7, 2, 5], [20, 1]]

  test.each(checks.map((check) => [JSON.stringify(check), check] as const))(
    '%s judges them in a stream as it judges them whole',
    async (_name, check) => {
      const rules = contract({ checks: [check], allow: ['lossless', 'lossy', 'guess'] })
      expect(texts.length).toBeGreaterThan(0)
      for (const [index, text] of texts.entries()) {
        if (index % share !== 0) continue
        const cut = cuts[index % cuts.length] as number[]
        await assertStreamable(rules, text, [cut], { ports, context }).catch((error: Error) => {
          throw new Error(`answer ${index + 1} of ${file}: ${error.message.slice(0, 2000)}`)
        })
      }
    },
    600_000,
  )
})
