import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { json } from './index.ts'

const fence = '```'
const plain = contract({ checks: [json({})] })
const lists = contract({ checks: [json({ schema: { type: 'array' } })] })

describe('time stays linear', () => {
  const many = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length))
  test.each([
    ...[
      '[',
      '{',
      '[ ',
      '{\n',
      '[\n',
      '[[',
      '{"a":',
      '{"a": 1} ',
      '{"a": 1}\n',
      '["a',
      '["a" ',
      '[{"a":',
      '- [ ] x\n',
      ': [',
      '[0, 1) ',
      '[Name] ',
      '{{',
      '`{"a": 1}` ',
    ],
    ...[
      `${fence}\n{\n${fence}\n`,
      `${fence}json\n`,
      `${fence}js\n{"a": 1}\n${fence}\n`,
      `${fence}json\n{"a": 1}\n${fence}\n`,
      `${fence}\n[1 2]\n${fence}\n`,
    ],
  ])('on many %j', { timeout: 60_000 }, async (piece) => {
    for (const [rules, lead] of [
      [plain, ''],
      [plain, 'So it is:\n'],
      [lists, 'So it is: '],
    ] as const) {
      expect((await check(rules, lead + many(piece))).unchecked).toEqual([])
    }
  })
})
