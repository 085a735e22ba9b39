import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asked, framesOf, piped, question } from '../../../../ask/src/testing/piped.ts'
import { questions } from './testing/questions.ts'

const runs = 60

/** What is shown of a stream, and the answer that is kept of it. */
async function streamed(turns: readonly (string | ScriptedTurn)[]) {
  const { frames, ask, runner } = questions(turns, {
    pipeline: piped(),
    caching: { enabled: true, defaultTtlSeconds: 60 },
  })
  const events = await framesOf(frames({ question }))
  const shown = events.filter(({ event }) => event === 'answer_token').map(({ data }) => String(data.text))
  const { ok } = events.at(-1)?.data ?? {}
  return { shown, isValid: ok === true, runner, again: () => ask({ question }) }
}

test('a claim whose citation is wrong is never shown, nor kept', async () => {
  const { shown, isValid, again } = await streamed([
    { text: 'MD5 deletes all files[^7]. Yes.', chunkSize: 3 },
    { text: 'With encodeSHA256[^1].', chunkSize: 3 },
  ])
  expect(shown.join('')).toBe('With encodeSHA256[^1].')
  expect(isValid).toBe(true)
  expect(asked(await again()).envelope).toMatchObject({ answer: 'With encodeSHA256[^1].', cache_hit: true })
})

test('lines whose citations are right are shown while the model still speaks', async () => {
  const { shown, runner } = await streamed([{ text: 'One is so[^1].\r\n- two. [^2]\r\n- three[^1]\r\n', chunkSize: 4 }])
  expect(shown).toEqual(['One is so[^1].\r\n', '- two. [^2]\r\n', '- three[^1]\r\n'])
  expect(runner.calls.length).toBe(1)
})

test.each<[name: string, turns: readonly ScriptedTurn[], shown: string]>([
  ['nothing was shown', [{ text: 'w[^8', chunkSize: 1, failAfterText: { kind: 'connection' } }], 'v[^1]'],
  ['lines were shown', [{ text: 'One[^1].\nTwo', chunkSize: 4, failAfterText: { kind: 'connection' } }], 'One[^1].\n'],
  ['an answer was rejected', [{ text: 'w[^8]', chunkSize: 1 }, { failure: { kind: 'connection' } }], 'v[^1]'],
])('texts of two providers are never mixed when one fails after %s', async (_name, turns, shown) => {
  const providers = [turns, ['v[^1]']].map((script, at) => ({ name: `p${at}`, model: 'm', runner: scripted(script) }))
  const { frames } = questions([], { providers, pipeline: piped() })
  const events = await framesOf(frames({ question }))
  const tokens = events.filter(({ event }) => event === 'answer_token').map(({ data }) => String(data.text))
  expect(tokens.join('')).toBe(shown)
})

describe('a stream of answers that are rejected', () => {
  /** How a line goes on behind its own word; `false` where its marker is wrong. */
  const endings = fc.constantFrom<readonly [string, boolean]>(
    ['.', true],
    [' says[^1].', true],
    ['. [^2]', true],
    [': `[^7]` is code.', true],
    ['[^7].', false],
    ['. [^9]', false],
    [' and more[^0], then more.', false],
    ['.\n[^7]', false],
    ['.\n\n  ([^x]) so', false],
    ['[^1] and[^8]', false],
  )
  const line = fc.tuple(fc.constantFrom('', '- ', '# ', '> ', '1. '), endings, fc.constantFrom('\n', '\n\n', '\r\n', '\r\n\r\n'))
  const answer = fc.array(line, { minLength: 1, maxLength: 5 })
  const size = fc.integer({ min: 1, max: 40 })

  test('shows none of their wrong lines, and nothing that the outcome does not have', async () => {
    await fc.assert(
      fc.asyncProperty(answer, answer, size, size, async (first, second, one, two) => {
        const text = (name: string, lines: typeof first) =>
          lines.map(([mark, [ending], end], at) => `${mark}${name}${at}word${ending}${end}`).join('')
        const given = await streamed([
          { text: text('first', first), chunkSize: one },
          { text: text('second', second), chunkSize: two },
        ])
        const shown = given.shown.join('')
        const wrongOf = (name: string, lines: typeof first) => lines.flatMap(([, [, right]], at) => (right ? [] : [`${name}${at}word`]))
        for (const word of wrongOf('first', first)) expect(shown).not.toContain(word)
        if (given.isValid) for (const word of wrongOf('second', second)) expect(shown).not.toContain(word)
        const isRetried = wrongOf('first', first).length > 0
        expect(given.runner.calls.length).toBe(isRetried ? 2 : 1)
        if (given.isValid) expect(asked(await given.again()).envelope).toMatchObject({ answer: shown, cache_hit: true })
        else
          expect(shown).toContain(
            text('second', second)
              .trimEnd()
              .split(/[\r\n]/)
              .at(-1),
          )
      }),
      { numRuns: runs },
    )
  })
})
