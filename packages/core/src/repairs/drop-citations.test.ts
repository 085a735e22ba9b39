import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../answer/answer.ts'
import { contract } from '../catalogue.ts'
import { enforceStream } from '../engine/enforce.ts'
import { settle } from '../engine/settle.ts'
import { scripted } from '../testing/index.ts'
import { citationStyles } from '../validators/citations/marker-body.ts'
import { applyEdits } from './apply.ts'
import { dropCitations } from './drop-citations.ts'

const fence = '```'
const drop = (text: string): string | undefined => applyEdits(text, [...dropCitations(new Answer(text), citationStyles, 2)])

describe('what is dropped', () => {
  test.each([
    ['a marker behind a word', 'One[^9] two.', 'One two.'],
    ['a marker before a full stop', 'One[^9].', 'One.'],
    ['with the space before a full stop', 'One [^9].', 'One.'],
    ['with the space before another', 'One [^9] two.', 'One two.'],
    ['with the space at the end', 'One [^9]', 'One'],
    ['with the space before a line break', 'One [^9]\r\ntwo', 'One\r\ntwo'],
    ['not with the space before a word', 'One [^9]two.', 'One two.'],
    ['several', 'One [^9] [^8] [^x].', 'One.'],
    ['several in a row', 'One [^9][^8].', 'One.'],
    ['between good ones', 'One[^1][^9][^2].', 'One[^1][^2].'],
    ['between good ones with spaces', 'One [^1] [^9] [^2].', 'One [^1] [^2].'],
    ['at the start of a line', '[^9] One', 'One'],
    ['several at the start of a line', 'A\n[^9] [^8] One', 'A\nOne'],
    ['the mark of a definition', 'One[^1].\n\n[^1]: a\n[^9]: b', 'One[^1].\n\n[^1]: a\nb'],
    ['the address stays', 'One[^9](https://example.org).', 'One(https://example.org).'],
    ['a long body', 'One [^see the appendix for this].', 'One.'],
    ['an unclosed marker, with its number only', 'One [^12 two', 'One two'],
    ['an opening', 'One [^ two', 'One two'],
    ['inside of another', '[^[^1]]', '[^1]]'],
    ['other styles', 'One [9] two【8†x】.', 'One two.'],
    ['a list with one wrong number', 'One [1, 9].', 'One.'],
    ['nothing in code', `\`[^9]\`\n${fence}\n[^9]\n`, `\`[^9]\`\n${fence}\n[^9]\n`],
    ['nothing that is right', 'One[^1] [2] 【1】 \\[^9]', 'One[^1] [2] 【1】 \\[^9]'],
    ['nothing of nothing', '', ''],
  ])('%s', (_name, text, expected) => {
    expect(drop(text)).toBe(expected)
  })

  test.each([
    ['when the rest would become a marker', '[[^9]^1]'],
    ['when the rest would become a fence', `[^9]${fence}\nOne[^1].`],
    ['when the rest would become code', '`[^9]`` a [^1] ```'],
  ])('nothing %s', (_name, text) => {
    expect(drop(text)).toBe(text)
  })
})

test('the certificates are lossy and name the rule', () => {
  expect([...dropCitations(new Answer('One [^9].'), ['caret'], 2)]).toEqual([
    { rule: 'drop_citation', class: 'lossy', span: { start: 3, end: 8 }, before: ' [^9]', after: '' },
  ])
})

test('is applied only when the option says so', async () => {
  const settled = (options: object) => settle(contract({ checks: [{ citations: { sources: 2, ...options } }] }), 'One [^9].')
  expect(await settled({ dropUnsupported: true })).toMatchObject({ status: 'repaired', answer: { text: 'One.' } })
  expect(await settled({})).toMatchObject({ status: 'unresolved', repairs: [] })
  expect(await settled({ dropUnsupported: true, requireCitations: true })).toMatchObject({ status: 'unresolved' })
})

test('on a stream nothing is shown that is dropped later', async () => {
  const rules = contract({ checks: [{ citations: { sources: 2, dropUnsupported: true } }] })
  const stream = enforceStream({ contract: rules, runner: scripted([{ text: 'One [^1] two [^9]. Three.', chunkSize: 1 }]), prompt: 'Q' })
  let shown = ''
  for await (const piece of stream) shown += piece
  expect(shown).toBe('One [^1] two. Three.')
  expect(await stream.outcome).toMatchObject({ status: 'repaired', attempts: 1 })
})

const piece = fc.constantFrom(
  '[^',
  '[',
  '1',
  '9',
  ']',
  '[^1]',
  '[^9]',
  '[9]',
  '【9】',
  '`',
  '```',
  '\n',
  '\r\n',
  '\\',
  ' ',
  'a',
  '.',
  ':',
  '~~~',
  '> ',
  '^',
)

test('is idempotent, leaves what is right, and what it leaves is clean', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      const once = drop(text) ?? 'does not fit'
      expect(drop(once)).toBe(once)
      if (once !== text) expect([...dropCitations(new Answer(once), citationStyles, 2)]).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('stays linear', { timeout: 20_000 }, () => {
  for (const unit of ['[^9]', ' [^9]', '[^', '[^x] [^1] ']) expect(drop(unit.repeat(50_000))).toBeDefined()
})
