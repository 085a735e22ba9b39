import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { issue } from '../../contract/issue.ts'
import { type Check, defineValidator } from '../../contract/validator.ts'
import { applyEdits } from '../../repairs/apply.ts'
import { check } from '../check/check.ts'
import { type RepairResult, repair } from './repair.ts'

/** Wants the answer to be a word, and repairs it as it is told. */
function wants(word: string, propose: (text: string) => Certificate[]): Check {
  return defineValidator({
    name: `wants_${word}`,
    summary: 's',
    options: z.strictObject({}),
    codes: { NOT_THE_WORD: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: () => 'i',
    prepare: () => ({
      *check({ text }) {
        if (!text.includes(word)) yield issue('NOT_THE_WORD', `Say ${word}.`)
      },
      repair: ({ text }) => propose(text),
    }),
  })({})
}

const replaceAll =
  (after: string, extra: Partial<Certificate> = {}) =>
  (text: string): Certificate[] => [
    { rule: 'replace', class: 'lossless', span: { start: 0, end: text.length }, before: text, after, ...extra },
  ]

async function mend(input: ContractByName, text: string, options = {}): Promise<RepairResult> {
  const rules = contract(input)
  const answer = new Answer(text)
  return repair(rules, answer, await check(rules, answer), options)
}

describe('repair', () => {
  test.each<[string, Check[], boolean]>([
    ['mends what is wrong', [wants('yes', replaceAll('yes'))], true],
    [
      'mends one after the other',
      [wants('one', (text) => replaceAll(`${text} one`)(text)), wants('two', (text) => replaceAll(`${text} two`)(text))],
      true,
    ],
    ['gives up on repairs that undo each other', [wants('yes', replaceAll('yes')), wants('no', replaceAll('no'))], false],
    ['refuses a class that is not allowed', [wants('yes', replaceAll('yes', { class: 'guess' }))], false],
    ['refuses a certificate that does not fit the text', [wants('yes', replaceAll('yes', { before: 'other' }))], false],
    ['refuses overlapping changes', [wants('yes', (text) => [...replaceAll('yes')(text), ...replaceAll('yes')(text)])], false],
    [
      'takes a crash for no proposal',
      [
        wants('yes', () => {
          throw new Error('boom')
        }),
      ],
      false,
    ],
    ['notices when nothing changes', [wants('yes', (text) => replaceAll(text)(text))], false],
  ])('%s', async (_name, checks, clean) => {
    const result = await mend({ checks }, 'maybe')
    expect(result.clean).toBe(clean)
    if (clean) expect(result.certificates.length).toBeGreaterThan(0)
    else expect(result).toMatchObject({ certificates: [], fixed: [], answer: { text: 'maybe' } })
  })

  test('never touches text that has been shown', async () => {
    expect((await mend({ checks: [wants('yes', replaceAll('yes'))] }, 'maybe', { protect: 1 })).clean).toBe(false)
    const appends = wants('yes', (text) => [
      { rule: 'append', class: 'lossless', span: { start: text.length, end: text.length }, before: '', after: ' yes' },
    ])
    expect((await mend({ checks: [appends] }, 'maybe', { protect: 5 })).answer.text).toBe('maybe yes')
  })
})

const piece = fc.constantFrom(
  'text ',
  'ADR-1 ',
  'erstellt ',
  '?',
  '\n',
  '\r\n',
  '```\n',
  '~~~',
  '````js\n',
  '> ```\n',
  '- ```\n',
  '<!-- STEP: done -->',
  '<!-- STEP: finalise -->',
  '<!-- STEP: foo -->',
  '<!-- STEP',
  '<!--',
  '-->',
  '<think>',
  '</think>',
  '👍',
  '\ud83d',
  '    ',
  '\t',
  '---\n',
  '<div>\n',
)
const answers = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))

describe('repairs', () => {
  test('are idempotent, never change a valid answer, and are exactly their certificates', async () => {
    const rules = fc.constantFrom<ContractByName>({ checks: ['step_marker'] }, { checks: [{ step_marker: { requireAtEnd: true } }] })
    await fc.assert(
      fc.asyncProperty(answers, rules, async (text, input) => {
        const before = await check(contract(input), text)
        const result = await mend(input, text)
        if (before.issues.length === 0) expect(result).toMatchObject({ certificates: [], answer: { text } })
        if (!result.clean) return
        const replayed = result.certificates.reduce<string | undefined>(
          (now, one) => (now === undefined ? now : applyEdits(now, [one])),
          text,
        )
        expect(replayed).toBe(result.answer.text)
        expect((await check(contract(input), result.answer.text)).issues).toEqual([])
        expect(await mend(input, result.answer.text)).toMatchObject({ certificates: [], answer: { text: result.answer.text } })
      }),
      { numRuns: 1500 },
    )
  })

  test('a step marker can always be repaired where there is something to mark, outside of unclosed reasoning', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        const result = await mend({ checks: ['step_marker'] }, text)
        const wrong = (await check(contract({ checks: ['step_marker'] }), text)).issues.length > 0
        const open = /^\s*<think>/.test(text) && !text.includes('</think>')
        if (wrong && !open && new Answer(text).visible) expect(result.clean).toBe(true)
      }),
      { numRuns: 1500 },
    )
  })
})
