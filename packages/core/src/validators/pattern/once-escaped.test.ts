import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { instructions } from '../../contract/contract.ts'
import { check } from '../../engine/check/check.ts'
import { json } from '../json/index.ts'
import { pattern } from './index.ts'

const say = async (regex: string, locale: 'en' | 'de'): Promise<string[]> => {
  const denied = contract({ locale, checks: [pattern({ deny: [{ regex }] })] })
  const wanted = contract({ locale, checks: [pattern({ require: [{ regex, min: 2 }] })] })
  const inSchema = contract({ locale, checks: [json({ schema: { pattern: regex } })] })
  const reports = await Promise.all([check(denied, '7!!'), check(wanted, 'x'), check(inSchema, '"~"')])
  return [instructions(denied), instructions(wanted), ...reports.flatMap(({ issues }) => issues.map(({ message }) => message))]
}

describe.each(['en', 'de'] as const)('regular expressions are written as they are, in %s', (locale) => {
  test.each(['!{2,}', String.raw`\d+`, String.raw`^\s*"\w+"\.$`, String.raw`\\n`, 'a/b', String.raw`[^\]"]`])('%s', async (regex) => {
    const said = await say(regex, locale)
    expect(said.length).toBeGreaterThan(2)
    for (const message of said) expect(message).toContain(`"${regex}"`)
  })

  test('whatever they are made of', async () => {
    const part = fc.constantFrom(
      'a',
      '7',
      String.raw`\d`,
      String.raw`\.`,
      String.raw`\\`,
      '"',
      '[x"]',
      '/',
      '!{2,}',
      '(?:b|c)',
      String.raw`\u0041`,
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), async (parts) => {
        const regex = parts.join('')
        for (const message of await say(regex, locale)) expect(message).toContain(`"${regex}"`)
      }),
    )
  })

  test('on one line, whatever they hold', async () => {
    for (const message of await say('a\nb\u2028c', locale)) expect(message).not.toMatch(/[\n\u2028]/)
  })
})

test('one that cannot be used is quoted as it is written', () => {
  expect(() => contract({ checks: [json({ schema: { pattern: String.raw`(\d)\1` } })] })).toThrow(
    String.raw`the pattern "(\d)\1" cannot be used`,
  )
})
