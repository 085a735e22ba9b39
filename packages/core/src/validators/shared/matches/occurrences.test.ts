import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../../catalogue.ts'
import { check } from '../../../engine/check/check.ts'
import { enforce, enforceStream } from '../../../engine/enforce.ts'
import { engineCodes } from '../../../engine/engine-codes.ts'
import { settle } from '../../../engine/repair/settle.ts'
import { scripted } from '../../../runners/scripted.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'
import { contains } from '../../contains/index.ts'
import { pattern } from '../../pattern/index.ts'
import { sensitive } from '../../sensitive/index.ts'

type Rules = ReturnType<typeof contract>

const words = (none: object[], rest = {}): Rules => contract({ checks: [contains({ none, ...rest } as Parameters<typeof contains>[0])] })
const patterns = (deny: object[]): Rules => contract({ checks: [pattern({ deny } as Parameters<typeof pattern>[0])] })

/** What a reader has seen in the end, of a stream in pieces of a size. */
async function streamed(rules: Rules, text: string, size: number): Promise<readonly [shown: string, status: string, shownEarly: boolean]> {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
  const stream = enforceStream({ contract: rules, runner: scripted([{ chunks }]), prompt: '' })
  let shown = ''
  let pieces = 0
  for await (const piece of stream) {
    shown += piece
    pieces++
  }
  const { status } = await stream.outcome
  return [shown, status, pieces > 1]
}

describe('a replacement', () => {
  test.each<[string, Rules, string, string]>([
    ['of a text', words([{ text: 'ACME', replace: 'Initech' }]), 'Ask Acme, or acme.', 'Ask Initech, or Initech.'],
    ['of a whole word', words([{ text: 'rock', replace: 'stone' }], { wholeWords: true }), 'rock, rocket', 'stone, rocket'],
    ['by nothing', words([{ text: ' really', replace: '' }]), 'It is really good.', 'It is good.'],
    [
      'of the longer one',
      words([
        { text: 'foo', replace: '1' },
        { text: 'foobar', replace: '2' },
      ]),
      'foobar foo',
      '2 1',
    ],
    [
      'of the first one',
      words([
        { text: 'ab', replace: '1' },
        { text: 'bc', replace: '2' },
      ]),
      'abc bc',
      '1c 2',
    ],
    ['of decomposed letters', words([{ text: 'café', replace: 'bar' }]), 'A cafe\u0301!', 'A bar!'],
    ['of a pattern', patterns([{ regex: '!{2,}', replace: '!' }]), 'Yes!!! No!', 'Yes! No!'],
    [
      'of two patterns',
      patterns([
        { regex: '\\d+ EUR', replace: '[price]' },
        { regex: '\\d+', replace: '#' },
      ]),
      '12 EUR, 7',
      '[price], #',
    ],
    ['with a dollar sign', patterns([{ regex: 'EUR', replace: '$$' }]), '12 EUR.', '12 $.'],
    ['with CRLF around', patterns([{ regex: '\\t', replace: '  ' }]), 'a\tb\r\nc\td', 'a  b\r\nc  d'],
    ['beyond the BMP', words([{ text: '👍', replace: ':)' }]), 'Fine 👍👍', 'Fine :):)'],
    ['not in reasoning', words([{ text: 'x', replace: 'y' }]), '<think>x</think>x', '<think>x</think>y'],
  ])('%s', async (_name, rules, text, expected) => {
    const settled = await settle(rules, text)
    expect([settled.text, settled.status, settled.repairs[0]?.class]).toEqual([expected, 'repaired', 'lossy'])
    expect((await settle(rules, expected)).repairs).toEqual([])
    for (const size of [1, 2, 3, 100]) expect((await streamed(rules, text, size)).slice(0, 2)).toEqual([expected, 'repaired'])
    await assertStreamable(rules, text)
  })

  test('is made while the text streams, and the text around it flows', async () => {
    const text = `Before it. ACME is here. ${'After it. '.repeat(20)}`
    expect(await streamed(words([{ text: 'acme', replace: 'X' }]), text, 1)).toEqual([text.replace('ACME', 'X'), 'repaired', true])
  })

  test('needs the contract where that says what it allows', async () => {
    const rules = contract({ checks: [contains({ none: [{ text: 'a', replace: 'b' }] })], allow: ['lossless'] })
    expect(await settle(rules, 'a')).toMatchObject({ status: 'unresolved', text: 'a' })
    expect((await streamed({ ...rules, policy: { ...rules.policy, retries: 0 } }, 'x a y', 1)).slice(0, 2)).toEqual(['x ', 'unresolved'])
  })

  test('leaves nothing that breaks the rule, whatever the texts, and streams what the whole has', async () => {
    const letter = fc.constantFrom('a', 'b', 'c', ' ')
    const word = fc.array(letter, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
    const entry = fc.record({ text: word, replace: fc.array(letter, { maxLength: 2 }).map((parts) => parts.join('')) })
    const answer = fc.array(letter, { minLength: 1, maxLength: 25 }).map((parts) => `x${parts.join('')}x`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 3 }),
        answer,
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (entries, text, isPattern, size) => {
          let rules: Rules
          try {
            rules = isPattern ? patterns(entries.map((one) => ({ regex: one.text, replace: one.replace }))) : words(entries)
          } catch {
            // A replacement that is forbidden itself.
            return
          }
          const settled = await settle(rules, text)
          const isWrong = entries.some((one) => settled.text.includes(one.text))
          expect(settled.status === 'unresolved').toBe(isWrong)
          const once = { ...rules, policy: { ...rules.policy, retries: 0 } }
          const whole = await enforce({ contract: once, runner: scripted([text]), prompt: '' })
          const [shown, status] = await streamed(once, text, size)
          expect(status).toBe(whole.status)
          if (whole.delivered) expect(shown).toBe(whole.text)
          else expect(entries.some((one) => shown.includes(one.text))).toBe(false)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('goes with others', async () => {
    const rules = contract({
      checks: [contains({ none: [{ text: 'letter', replace: 'post' }] }), sensitive({ kinds: ['email'], redact: true })],
    })
    const text = 'Send letters to jane@acme.com by letter.'
    const expected = 'Send posts to [EMAIL] by post.'
    expect((await settle(rules, text)).text).toBe(expected)
    for (const size of [1, 5]) expect((await streamed(rules, text, size))[0]).toBe(expected)
  })

  test('takes linear time', { timeout: 60_000 }, async () => {
    const rules = words([{ text: 'ab', replace: 'c' }])
    expect((await settle(rules, 'ab'.repeat(100_000))).text).toBe('c'.repeat(100_000))
    expect((await streamed(rules, 'ab'.repeat(20_000), 1))[0]).toBe('c'.repeat(20_000))
  })

  test.each<[string, () => Rules, RegExp]>([
    [
      'a replacement that is forbidden',
      () => words([{ text: 'a', replace: 'xAx' }]),
      /contains: the replacement of "a" contains "a", which must not occur/,
    ],
    ['one that another entry forbids', () => words([{ text: 'a', replace: 'b' }, { text: 'b' }]), /the replacement of "a" contains "b"/],
    ['a replacement that is denied', () => patterns([{ regex: 'a+', replace: 'ba' }]), /pattern: the replacement of .*a\+.* matches/],
    ['a group', () => patterns([{ regex: '(a)b', replace: '$1' }]), /deny\.0: groups such as \$1 cannot be used/],
    ['a replacement beside max', () => patterns([{ regex: 'a', max: 2, replace: 'b' }]), /deny\.0: replace excludes max/],
    [
      'a replacement of what is required',
      () => contract({ checks: [pattern({ require: [{ regex: 'a', replace: 'b' }] })] }),
      /require\.0: replace applies to deny only/,
    ],
    [
      'a replacement of what must occur',
      () => contract({ checks: [{ contains: { all: [{ text: 'a', replace: 'b' }] } } as never] }),
      /contains\.all\.0\.replace: unknown key/,
    ],
    ['a misspelt key', () => words([{ text: 'a', mesage: 'x' }]), /contains\.none\.0\.mesage: .*did you mean "message"/],
    ['an unknown severity', () => patterns([{ regex: 'a', severity: 'warn' }]), /deny\.0\.severity/],
    ['a code in small letters', () => words([{ text: 'a', code: 'no-a' }]), /contains\.none\.0\.code: must be in capitals/],
    ['an entry without a text', () => words([{ replace: 'b' }]), /contains\.none\.0\.text/],
  ])('%s is a configuration error', (_name, build, message) => {
    expect(build).toThrow(message)
  })

  test.each(Object.keys(engineCodes))('the code %s is not for rules', (code) => {
    expect(() => words([{ text: 'a', code }])).toThrow(/is a code of the engine/)
  })
})

describe('an entry of its own words', () => {
  const rules = contract({
    checks: [
      contains({
        all: [{ text: 'Regards', message: 'End with "Regards".', code: 'NO_GREETING' }],
        none: ['never', { text: 'cheap', message: 'Say "affordable".', code: 'TONE', severity: 'warning' }],
        counts: [{ text: '!', max: 1, severity: 'warning' }],
      }),
      pattern({ deny: [{ regex: '\\d+ EUR', message: 'Name no prices.', code: 'NO_PRICES' }] }),
    ],
  })

  test('has its code, message and severity', async () => {
    const { issues, status } = await check(rules, 'A cheap one! For 5 EUR! Never.')
    expect(issues.map(({ code, severity, message }) => `${code} ${severity} ${message}`)).toEqual([
      'TEXT_FORBIDDEN error Do not use "never"; it is in line 1.',
      'TONE warning Say "affordable".',
      'TEXT_COUNT warning Use "!" at most once; it occurs 2 times.',
      'NO_GREETING error End with "Regards".',
      'NO_PRICES error Name no prices.',
    ])
    expect(status).toBe('unresolved')
    expect((await check(rules, 'A cheap one. Regards')).status).toBe('valid')
  })

  test('does not hold or stop a stream where it only warns', async () => {
    const soft = words([{ text: 'cheap', severity: 'warning' }])
    const stream = enforceStream({ contract: soft, runner: scripted([{ chunks: [...'a cheap b'] }]), prompt: '' })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect([shown.length, (await stream.outcome).status]).toEqual([9, 'valid'])
    await assertStreamable(rules, 'A cheap one, 5 EUR. Regards')
  })

  test('is replaced where it only warns, too', async () => {
    const soft = words([{ text: 'cheap', severity: 'warning', replace: 'affordable' }])
    expect((await streamed(soft, 'a cheap b', 1)).slice(0, 2)).toEqual(['a affordable b', 'repaired'])
    expect(await settle(soft, 'a cheap b')).toMatchObject({ text: 'a affordable b', fixed: [{ severity: 'warning' }] })
  })
})
