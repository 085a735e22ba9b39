import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../../catalogue.ts'
import type { SyntaxParser } from '../../../contract/syntax.ts'
import { check } from '../../../engine/check/check.ts'
import { enforceStream } from '../../../engine/enforce.ts'
import { settle } from '../../../engine/repair/settle.ts'
import { scripted } from '../../../runners/scripted.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'

let parsed = 0

/** A language of names, numbers, strings in straight quotes and comments behind `#`; anything else is a fault. */
const parser: SyntaxParser = {
  async parse(_language, source) {
    parsed++
    const rest = source.replace(/"[^"\n]*"|'[^'\n]*'|#[^\n]*/g, '')
    const at = rest.search(/[^\w\s=+(),.]|[\u00a0\u202f\u2007\u3000\ufeff]/)
    const place = { line: 1, column: 1, endLine: 1, endColumn: 2 }
    return at < 0 ? { verdict: 'valid' } : { verdict: 'invalid', trace: [{ ...place, message: 'unexpected character' }] }
  },
}
const ports = { parser }
const rules = contract({ checks: ['code_syntax'] })

describe('what is repaired', () => {
  test.each([
    ['quotes around a string', '```x\np(“a”)\n```\n', '```x\np("a")\n```\n'],
    ['no apostrophe and no comment', '```x\np(‘it’s’) # don’t “say”\n```\n', "```x\np('it’s') # don’t “say”\n```\n"],
    ['no quotes inside of a string', '```x\np("say “a”", “b”)\n```\n', '```x\np("say “a”", "b")\n```\n'],
    ['both kinds of quotes', '```x\np(“a”, ‘b’)\n```\n', '```x\np("a", \'b\')\n```\n'],
    ['spaces', '```x\n\u00a0p(1)\u200b\n```\n', '```x\n p(1)\n```\n'],
    ['spaces and quotes', '```x\n\u00a0p(“a”)\n```\n', '```x\n p("a")\n```\n'],
    ['a block in a list', '1. ```x\r\n   p(“a”)\r\n   ```\r\n', '1. ```x\r\n   p("a")\r\n   ```\r\n'],
    ['a block in a quote', '> ```x\n> p(“a”)\n> ```\n', '> ```x\n> p("a")\n> ```\n'],
    ['a doubled fence', '```x\n```x\np(1)\n```\n```\n', '```x\np(1)\n```\n'],
    ['a doubled fence before text', '```x\n```x\np(1)\n```\n```\n\n', '```x\np(1)\n```\n\n'],
    ['a closing fence that is too short', '````x\np(1)\n```\n', '````x\np(1)\n````\n'],
    ['a stray fence before the closing one', '````x\np(1)\n```\n````\n', '````x\np(1)\n````\n'],
    ['a closing fence of the other kind', '> ~~~x\n> p(1)\n> ```\n', '> ~~~x\n> p(1)\n> ~~~\n'],
    ['a document', '````markdown\n```x\np(“a”)\n```\n````\n', '````markdown\n```x\np("a")\n```\n````\n'],
  ])('%s', async (_what, text, expected) => {
    const { status, text: after, repairs } = await settle(rules, text, { ports })
    expect({ status, text: after }).toEqual({ status: 'repaired', text: expected })
    expect(new Set(repairs.map((one) => one.class))).toEqual(new Set(['lossless']))
  })

  test.each([
    ['the whole text in a fence', '```x\np(1)\n```\n', 'p(1)'],
    ['a stray fence behind the text', 'p(1)\n\n```\n', 'p(1)\n'],
  ])('%s', async (_what, text, expected) => {
    const { status, text: final } = await settle(contract({ checks: [{ code_syntax: { language: 'x', whole: true } }] }), text, { ports })
    expect({ status, text: final }).toEqual({ status: 'repaired', text: expected })
  })

  test.each([
    ['a quote that is never closed', '```x\np(“a)\n```\n'],
    ['another fault', '```x\np(“a”) ?\n```\n'],
    ['a block of nothing but fences', '````x\n```\n```\n````\n'],
    ['more characters than a slip has', `\`\`\`x\n${'p(“a”)\n'.repeat(40)}\`\`\`\n`],
    ['code that is too long', `\`\`\`x\np(“a”)\n${'y\n'.repeat(60_000)}\`\`\`\n`],
  ])('not %s', async (_what, text) => {
    parsed = 0
    const { status, text: final } = await settle(rules, text, { ports })
    expect({ status, text: final }).toEqual({ status: 'unresolved', text })
    expect(parsed).toBeLessThan(20)
  })
})

const pieces = fc.constantFrom(
  '“',
  '”',
  '‘',
  '’',
  '"',
  "'",
  '#',
  '\u00a0',
  '\u200b',
  'p(',
  ')',
  ' ',
  '\n',
  'it’s',
  '```',
  '````',
  '?',
  '\r\n',
  '~~~',
)
const blocks = fc
  .tuple(fc.constantFrom('', '> ', '- '), fc.constantFrom('```', '````', '~~~'), fc.array(pieces, { maxLength: 12 }), fc.boolean())
  .map(([lead, fence, code, closed]) => {
    const lines = [`${fence}x`, ...code.join('').split('\n'), ...(closed ? [fence] : [])]
    return lines.map((line, at) => (at > 0 && lead === '- ' ? '  ' : lead) + line).join('\n')
  })

test('a repair leaves what parses alone, is not repeated, and is the same in a stream', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(blocks, { minLength: 1, maxLength: 3 }), async (list) => {
      const text = list.join('\n\n')
      const found = await check(rules, text, { ports })
      const { status, text: after, repairs } = await settle(rules, text, { ports })
      if (found.issues.length === 0) expect(repairs).toEqual([])
      for (const { span, before } of status === 'repaired' && repairs.every(({ rule }) => rule !== 'correct-fence') ? repairs : [])
        expect(text.slice(span.start, span.end)).toBe(before)
      if (status === 'repaired') expect(await check(rules, after, { ports })).toMatchObject({ issues: [] })
      expect((await settle(rules, after, { ports })).text).toBe(after)
      await assertStreamable(rules, text, [1, 7], { ports })
    }),
    { numRuns: 40 },
  )
})

test('a stream is stopped at code that no repair makes good, and goes on where one does', async () => {
  const stream = async (code: string) => {
    const runner = scripted([{ chunks: ['A\n', `\`\`\`x\n${code}\n\`\`\`\n`, 'B\n', 'C\n'] }])
    const enforced = enforceStream({
      contract: contract({ checks: ['code_syntax'], retries: 0, stream: 'verified' }),
      runner,
      prompt: '',
      ports,
    })
    for await (const _piece of enforced);
    return { outcome: await enforced.outcome, aborted: runner.calls[0]?.aborted }
  }
  expect(await stream('p(?)')).toMatchObject({ aborted: true, outcome: { status: 'unresolved' } })
  expect(await stream('p(“a”)')).toMatchObject({ aborted: false, outcome: { status: 'repaired', text: 'A\n```x\np("a")\n```\nB\nC\n' } })
})
