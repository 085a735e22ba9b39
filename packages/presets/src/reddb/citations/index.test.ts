import { ConfigurationError, check, enforce, enforceStream, type Report } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import { contract } from '../../testing/contract.ts'

const report = (text: string, context: Record<string, unknown> = {}): Promise<Report> =>
  check(contract({ checks: [{ citations: { profile: 'reddb' } }] }), text, { context })
const question = { contract: contract({ preset: 'reddb' }), prompt: 'Why?', context: { sources: 2 } }

test('says what RedDB says, and all of it', async () => {
  const { issues, facts } = await report('a[^] [^9] `[^1]`', { sources: 2 })
  expect(issues).toMatchObject([
    { code: 'CITATION_MALFORMED', message: 'empty marker body', span: { start: 1, end: 4 } },
    { code: 'CITATION_OUT_OF_RANGE', message: 'marker [^9] references source #9 but only 2 sources available' },
  ])
  expect(facts.citations?.citations).toMatchObject([{ marker: 9 }, { marker: 1 }])
  expect(facts.citations?.warnings).toMatchObject([{ kind: 'malformed' }, { kind: 'out_of_range', span: { start: 5, end: 9 } }])
  expect((await report('[^9]'.repeat(300), { sources: 5 })).issues).toHaveLength(300)
})

test.each(['<think>Source [^9]?</think>\nSee [^1].', '\n<THINKING>[^0]</thinking>```\n[^9]\n```'])(
  'does not judge markers in reasoning: %j',
  async (text) => {
    expect((await report(text, { sources: 2 })).issues).toEqual([])
    for (const size of [1, 2, 5, 100]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const stream = enforceStream({ ...question, runner: scripted([{ chunks }]) })
      for await (const _ of stream);
      expect(await stream.outcome).toMatchObject({ status: 'valid', attempts: 1 })
    }
  },
)

test('judges what stands behind reasoning, at its own place', async () => {
  const { issues } = await report('<think>[^9]</think>See [^9].', { sources: 2 })
  expect(issues).toMatchObject([{ code: 'CITATION_OUT_OF_RANGE', span: { start: 23, end: 27 } }])
})

test('asks once more, with the pinned prompt before the question', async () => {
  const runner = scripted(['See [^9] and [^x].', 'See [^1].'])
  expect(await enforce({ ...question, runner })).toMatchObject({ status: 'valid', text: 'See [^1].', attempts: 2 })
  const prompt = String(runner.calls[1]?.prompt)
  expect(prompt.startsWith('Your previous answer contained citation markers')).toBe(true)
  expect(prompt).toContain(
    'Problems detected:\n- [out_of_range] marker [^9] references source #9 but only 2 sources available\n- [malformed] expected digits inside [^…], got `x`\n',
  )
  expect(prompt.endsWith('got `x`\n\n\nWhy?')).toBe(true)
})

test.each(['verified', 'hold'] as const)('lists every wrong marker of the text received: %s', async (stream) => {
  const runner = scripted([{ chunks: ['[^9] and [^x], ', 'then [^8] and [^7'] }, 'See [^1].'])
  const streamed = enforceStream({ ...question, contract: contract({ preset: 'reddb', stream }), runner })
  for await (const _ of streamed);
  expect(await streamed.outcome).toMatchObject({ status: 'valid', attempts: 2 })
  const listed = String(runner.calls[1]?.prompt).match(/^- .*/gm)
  expect(listed?.map((line) => line.replace(/ references.*/, ''))).toEqual([
    '- [out_of_range] marker [^9]',
    '- [malformed] expected digits inside [^…], got `x`',
    ...(stream === 'hold' ? ['- [out_of_range] marker [^8]'] : []),
  ])
})

test('gives up after that', async () => {
  const runner = scripted(['See [^9].', 'See [^8].', 'See [^1].'])
  expect(await enforce({ ...question, runner })).toMatchObject({ status: 'unresolved', attempts: 2 })
})

describe('the number of sources', () => {
  test.each([
    ['-1', -1],
    ['1.5', 1.5],
    ['NaN', Number.NaN],
    ['a text', '2'],
    ['an object', {}],
    ['nothing', undefined],
  ])('is unknown: %s', async (_name, sources) => {
    expect((await report('a[^2]', { sources })).unchecked).toMatchObject([{ cause: 'unavailable' }])
    expect((await report('a', { sources })).unchecked).toEqual([])
  })

  test('is not needed for what is malformed', async () => {
    expect(await report('a[^2] b[^x]')).toMatchObject({ issues: [{ code: 'CITATION_MALFORMED' }], unchecked: [] })
  })
})

test.each([
  [{ styles: ['caret', 'bracket'] }, 'styles: the profile reddb supports only the style caret'],
  [{ requireCitations: true }, 'requireCitations: the profile reddb does not require citations'],
  [{ dropUnsupported: true }, 'dropUnsupported: the profile reddb repairs nothing'],
  [{ release: 'line' }, 'release: the profile reddb releases text as it comes'],
])('options that the profile restricts are rejected: %j', (options, message) => {
  const build = (): unknown => contract({ checks: [{ citations: { profile: 'reddb', ...options } }] })
  expect(build).toThrow(ConfigurationError)
  expect(build).toThrow(message)
})
