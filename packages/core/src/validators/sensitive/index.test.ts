import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { positionAt } from '../../answer/span.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import type { TraceEvent } from '../../engine/trace.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { maxWords } from '../max-words.ts'
import { sensitive } from './index.ts'
import { passesLuhn, passesMod97 } from './numbers.ts'

const redacting = contract({ checks: [sensitive({ redact: true })], retries: 0 })
const redacted = async (text: string): Promise<string> => (await settle(redacting, text)).text

// Put together here, so that no scanner of repositories takes them for real ones.
const body = 'Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'
const openAiKey = `sk-${'proj-'}${body}`
const token = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'].join('.')
const unsigned = token.split('.').slice(0, 2).join('.')
const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const pem = `-----BEGIN ${'PRIVATE'} KEY-----\n${base64}\n${base64}\nMzEfYyjiWA4=\n-----END ${'PRIVATE'} KEY-----`

const phone = (number: string) => [number, '[PHONE]'] as const
const secrets: readonly (readonly [string, string])[] = [
  ['jane.doe+x@acme.co.uk', '[EMAIL]'],
  ['JANE@ACME.COM', '[EMAIL]'],
  ['jürgen@müller.de', '[EMAIL]'],
  ['a@b.io', '[EMAIL]'],
  ['jane\u200b.doe@ac\u00adme.com', '[EMAIL]'],
  ['jane\\.doe\\@acme\\.org', '[EMAIL]'],
  ['jane&#64;acme&#46;org', '[EMAIL]'],
  ['jane&commat;acme&period;org', '[EMAIL]'],
  [`&#106;&#x61;ne&#${'0'.repeat(40)}64;acme.org`, '[EMAIL]'],
  ['jane<b></b>@<!-- -->ac<wbr>me.org', '[EMAIL]'],
  ['jane@**acme**.org', '[EMAIL]'],
  ['jane%40acme%2Eorg', '[EMAIL]'],
  ['+49 30 1234567', '[PHONE]'],
  ['\\+49 30 1234567', '[PHONE]'],
  ['+49 (0) 171/123-4567', '[PHONE]'],
  ['+14155552671', '[PHONE]'],
  ['0049 30 1234567', '[PHONE]'],
  ['(415) 555-2671', '[PHONE]'],
  ['415-555-2671', '[PHONE]'],
  ['030 1234567', '[PHONE]'],
  ['0171/1234567', '[PHONE]'],
  ['(030) 1234567', '[PHONE]'],
  ['(0171) 1234567', '[PHONE]'],
  ['1-415-555-2671', '[PHONE]'],
  ['1 (415) 555-2671', '[PHONE]'],
  ['415.555.2671', '[PHONE]'],
  ['01 23 45 67 89', '[PHONE]'],
  ...['(030) 12 34 567', '(02) 9876 5432', '(0171)12 34 56 78', '(030) / 12 34 56', '(089) 12-34-56-78', '(01) 23.45.67.89'].map(phone),
  ...['030/12 34 567', '030 / 12.34.56', '030 12 34 56 78', '0171 12 34 567'].map(phone),
  ['+49\u202f30\u20111234567', '[PHONE]'],
  ['123-45-6789', '[SSN]'],
  ['4111 1111 1111 1111', '[CARD]'],
  ['4111\u00a01111\u00a01111\u00a01111', '[CARD]'],
  ['4111111111111111', '[CARD]'],
  ['4111&nbsp;1111&#160;1111<b> </b>1111', '[CARD]'],
  ['4111\u30001111\u20021111\u205f1111', '[CARD]'],
  ['+49\u300030\u20131234\u22125678', '[PHONE]'],
  ['jane@other\u3002org', '[EMAIL]'],
  ['4111\\-1111\\-1111&hyphen;1111', '[CARD]'],
  ['DE89&#32;3704 0044 0532&nbsp;0130 00', '[IBAN]'],
  ['5500-0000-0000-0004', '[CARD]'],
  ['3782 822463 10005', '[CARD]'],
  ['DE89 3704 0044 0532 0130 00', '[IBAN]'],
  ['DE89 3704 0044  0532 0130 00', '[IBAN]'],
  ['GB82WEST12345698765432', '[IBAN]'],
  ['NO93 8601 1117 947', '[IBAN]'],
  [openAiKey, '[API KEY]'],
  [`ghp_${body}`, '[API KEY]'],
  [`AKIA${'IOSFODNN7EXA34LE'}`, '[API KEY]'],
  [`xoxb-${'123456789012-abcdefGHIJ'}`, '[API KEY]'],
  [`sk&#45;${'proj\\-'}${body}`, '[API KEY]'],
  [token, '[JWT]'],
  [token.replace('.', '&period;').replace(/_/g, '\\_'), '[JWT]'],
  [`${unsigned}.c2ln`, '[JWT]'],
  [`${unsigned}.`, '[JWT]'],
  [pem, '[PRIVATE KEY]'],
]

/** Right answers that must stay as they are. */
const harmless = [
  'Write to name@example.com or user@mail.example.',
  'Run npm i react@18.2.0 lodash@latest @types/node@22',
  'git clone git@github.com:acme/app.git',
  'Follow @jane@mastodon.social',
  'The class uses @property and @app.route("/x").',
  'Order 4502-0012345, invoice 2024-000123, ticket #0171 1234567',
  'UUID 123e4567-e89b-12d3-a456-426614174000',
  'SHA d2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26',
  'ISBN 978-3-16-148410-0 and 0-306-40615-2, EAN 4006381333931',
  'On 2024-01-02, 02/03/2024, 01.02.2024 10:30:00, at 08:15',
  'Version 10.20.30.40, IP 192.168.100.200, 1.2.3-beta.4',
  'Pi is 3.14159265358979323846; 0.4111111111111111 too',
  'It costs 1,234,567.89 or 1 000 000 000 €',
  'Timestamps 1700000000000 and 1700000000',
  'Card 4111 1111 1111 1112 fails the check, so does 1234 5678 9012 3456',
  'IBAN DE89 3704 0044 0532 0130 01 is wrong',
  'Set OPENAI_API_KEY=sk-your-api-key-goes-here or sk-xxxxxxxxxxxxxxxxxxxxxxxx',
  'The sk-learn-style-naming-of-things and task-based-approach-2024-version',
  'The header is -----BEGIN PRIVATE KEY----- and then base64.',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  'eyJhbGciOiJIUzI1NiJ9 is a header, a.b.c a path',
  'Add +1 to x, then +12345678 rows',
  'Room 0123, block 0456 and seat 12-34-56',
  'Tel. 110, 112 or 0800',
  'Rows (01) 12, (012) 34 and 010 20 30 40 50, 010 020 030 040; 0.75 (0.05) 12 34',
  'Numbers 01 02 03 04 05, part 000-12-3456 and 123-00-4567, draft 12.34.5678',
  'tabs: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20',
  'Match /^[a-z0-9._%+-]+@acme\\.com$/, \\w+\\.\\w+@acme\\.com, user\\d+@acme\\.com or ^\\S+@\\S+\\.\\S+$',
  'AT&T&amp;co. x&#64;y &commat;acme.com <b>4111</b> 2*3*4 a**b C:\\\\.ssh \\(x\\) 50\\%',
  '<td>4111</td><td>1111</td><td>1111</td><td>1111</td>',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
]

describe('sensitive', () => {
  test.each(secrets)('%s is %s', async (secret, placeholder) => {
    for (const [before, after] of [
      ['It is ', '.'],
      ['(', ')'],
      ['', ''],
      ['"', '",'],
      ['x: ', '\nNext'],
      ['_', '_'],
      ['{"a": "x\\n', '"}'],
    ]) {
      expect(await redacted(`${before}${secret}${after}`)).toBe(`${before}${placeholder}${after}`)
      await assertStreamable(redacting, `${before}${secret}${after}`, [1, 2, 7])
    }
  })

  test.each<[string, string]>([
    ['Exp 2027 4111 1111 1111 1111', 'Exp 2027 [CARD]'],
    ['Order 1234 4111 1111 1111 1111 ok', 'Order 1234 [CARD] ok'],
    ['Rechnung RE24 IBAN DE89 3704 0044 0532 0130 00', 'Rechnung RE24 IBAN [IBAN]'],
    ['7,4111111111111111,x', '7,[CARD],x'],
    ['4111 1111 1111 1111,12/27', '[CARD],12/27'],
    ['12 +49 30 1234567', '12 [PHONE]'],
    ['a/joe@acme.com mailto:joe@acme.com', 'a/[EMAIL] mailto:[EMAIL]'],
    ['.....jane@other.org', '.....[EMAIL]'],
    ['ｊａｎｅ＠ｏｔｈｅｒ．ｏｒｇ or jane＠other.org', '[EMAIL] or [EMAIL]'],
    ['４１１１ １１１１ １１１１ １１１１', '[CARD]'],
    [`Jane ${'.'.repeat(90)}jane@other.org`, `Jane ${'.'.repeat(90)}[EMAIL]`],
    [`${'-'.repeat(200)}jane.doe@other.org ok`, `${'-'.repeat(200)}[EMAIL] ok`],
    [`${'_'.repeat(70)}jane@other.org`, `${'_'.repeat(70)}[EMAIL]`],
    [`${'a'.repeat(80)}..jane@other.org`, `${'a'.repeat(80)}..[EMAIL]`],
    ['////jane@other.org', '////[EMAIL]'],
    ['mailto://jane@other.org and MAILTO:///jane@other.org', 'mailto://[EMAIL] and MAILTO:///[EMAIL]'],
    ['mailto:jane%40other.org', 'mailto:[EMAIL]'],
    ['jane\\@other.org and jane\\_doe@other.org', '[EMAIL] and [EMAIL]'],
    ['{"to": "jane\\u0040other.org"}', '{"to": "[EMAIL]"}'],
    ['{"to": "\\u006A\\u0061ne@other\\u002eorg", "b": 1}', '{"to": "[EMAIL]", "b": 1}'],
    ['{"to": "x\\ud83d\\ude00 jane@other.org\\ud83d\\ude00"}', '{"to": "x\\ud83d\\ude00 [EMAIL]\\ud83d\\ude00"}'],
    ['{"to": "mailto:\\/\\/jane@other.org", "c": "\\u0034111 1111 1111 1111"}', '{"to": "mailto:\\/\\/[EMAIL]", "c": "[CARD]"}'],
    ['{"inner": "{\\"to\\": \\"jane\\\\u0040other.org\\"}"}', '{"inner": "{\\"to\\": \\"[EMAIL]\\"}"}'],
    ['{"a": "x\\bjane@other.org", "b": "\\u200bjane\\u200b@other.org"}', '{"a": "x\\b[EMAIL]", "b": "\\u200b[EMAIL]"}'],
    [
      '{"card": 4111111111111111, "n": [4111111111111111], "t": "4111111111111111, ok"}',
      '{"card": "[CARD]", "n": ["[CARD]"], "t": "[CARD], ok"}',
    ],
    ['```json\n{"card": 4111111111111111}\n```', '```json\n{"card": "[CARD]"}\n```'],
  ])('beside other text: %s', async (text, expected) => {
    expect(await redacted(text)).toBe(expected)
    await assertStreamable(redacting, text, [1, 2, 7])
  })

  test('however groups are parted, nothing is shown of what the whole check takes out', async () => {
    const gap = fc.constantFrom(' ', '  ', '   ', '\u00a0', '\u202f', '-', '\u2011', '.', '/', ', ', '_', '\n', '\\n', '')
    const group = fc.constantFrom(...secrets.flatMap(([value]) => value.split(/[ -]/)), '1234', '2027', 'RE24', 'a', '+', '#', '(', 'x@y')
    const pieces = fc.array(fc.tuple(fc.oneof(group, fc.constantFrom(...secrets.map(([value]) => value))), gap), {
      minLength: 1,
      maxLength: 14,
    })
    const printed = fc.tuple(fc.constantFrom(...secrets.map(([value]) => value)), fc.array(gap, { minLength: 1, maxLength: 6 }))
    const parted = printed.map(([value, gaps]) =>
      value
        .split(/[ -]/)
        .flatMap((part, at) => [part, gaps[at % gaps.length] ?? ''])
        .join(''),
    )
    const texts = fc.array(
      fc.oneof(
        parted,
        pieces.map((all) => all.flat().join('')),
      ),
      { minLength: 1, maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (all, size) => {
        const text = all.join(' ')
        if (text.trim() !== '') await assertStreamable(redacting, text, [1, size])
      }),
      { numRuns: 60 },
    )
  })

  test('however JSON is escaped, nothing is left of it and it stays JSON', async () => {
    const escaped = (text: string, how: readonly number[]): string =>
      [
        ...JSON.stringify(text)
          .slice(1, -1)
          .matchAll(/\\u[0-9a-f]{4}|\\.|./gsu),
      ]
        .map(({ 0: unit }, at) => {
          const kind = how[at % how.length]
          if (unit.startsWith('\\')) return unit
          if (kind === 0) return unit.replace(/./gs, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
          return kind === 1 && unit === '/' ? '\\/' : unit
        })
        .join('')
    // What is written otherwise twice, as references whose signs are escaped, is not read.
    const values = secrets.map(([value]) => value).filter((value) => !value.includes('PRIVATE') && !/[&<%*]/.test(value))
    const word = fc.oneof(fc.constantFrom(...values), fc.constantFrom(' ', '\n', '\b', '/', '"', 'x ', '.....', 'mailto://', '😀', '\\'))
    const entry = fc.tuple(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 3 }), fc.boolean(), async (entries, isNested) => {
        const said = entries.map(([words]) => words.join(''))
        const flat = `{${entries.map(([words, how], at) => `"k${at}": "${escaped(words.join(''), how)}"`).join(', ')}}`
        const text = isNested ? JSON.stringify({ inner: flat }) : flat
        const after = await redacted(text)
        const read = (json: string): unknown[] => Object.values(JSON.parse(isNested ? JSON.parse(json).inner : json))
        expect(read(text)).toEqual(said)
        const left = read(after).map(String)
        for (const [at, value] of left.entries()) {
          const plain = (await check(redacting, said[at] as string)).issues.length
          expect((await check(redacting, value)).issues, JSON.stringify([text, after])).toEqual([])
          if (plain === 0) expect(value).toBe(said[at])
        }
        await assertStreamable(redacting, text, [1, 5])
      }),
      { numRuns: 40 },
    )
  })

  test('a long token is held to its end, and lines are counted as places are', async () => {
    const part = body.repeat(115).slice(0, 4090)
    const long = `Take eyJ${part}.eyJ${part}.${part} now`
    expect(await redacted(long)).toBe('Take [JWT] now')
    await assertStreamable(redacting, long, [100])
    const text = 'a\rb\r\nc\u2028d\ne a@acme.com'
    const stream = contract({ checks: [sensitive({})], retries: 0 })
    expect((await check(stream, text)).issues[0]?.message).toContain(`line ${positionAt(text, text.length).line}.`)
    await assertStreamable(stream, text)
  })

  test.each(harmless)('right: %s', async (text) => {
    expect((await check(redacting, text)).issues).toEqual([])
    await assertStreamable(redacting, text, [1, 5])
  })

  test('any texts and chunks: streamed as whole, once is enough, and nothing is left', async () => {
    const values = secrets.map(([value]) => value)
    const parts = values.flatMap((value) => [value, value.slice(0, Math.ceil(value.length / 2)), value.slice(3)])
    const piece = fc.oneof(
      fc.constantFrom(...parts),
      fc.constantFrom(...harmless),
      fc.constantFrom(
        ' ',
        '\n',
        '.',
        ', ',
        ': ',
        '-',
        '@',
        '+',
        '(',
        '4',
        '00',
        'a',
        'sk-',
        'eyJ',
        '-----',
        'DE',
        '\u200b',
        '👍',
        '/',
        '#',
      ),
    )
    const rules = contract({ checks: [sensitive({ redact: true }), maxWords({ limit: 100_000 })], retries: 0 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
        async (pieces, sizes) => {
          const text = pieces.join('')
          if (text.trim() === '') return
          await assertStreamable(rules, text, [1, sizes])
          const once = await redacted(text)
          expect(await redacted(once)).toBe(once)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a secret in pieces never leaks, and is in nothing that is told', async () => {
    for (const [secret] of secrets) {
      const events: TraceEvent[] = []
      const runner = scripted([{ chunks: [...`Take ${secret}`, ' and', ' go on with it.'] }])
      const stream = enforceStream({ contract: redacting, runner, prompt: '', onEvent: (event) => events.push(event) })
      const shown: string[] = []
      for await (const text of stream) shown.push(text)
      const outcome = await stream.outcome
      const told = JSON.stringify([shown, outcome, events])
      const plain = secret.replace(/[\u200b\u00ad]/g, '')
      for (const value of [secret, plain, plain.slice(0, 8), plain.slice(-6)])
        if (value.length > 5) expect(told).not.toContain(JSON.stringify(value).slice(1, -1))
      expect(outcome).toMatchObject({ status: 'repaired', repairs: [{ class: 'lossy', before: '[hidden]' }] })
      expect(shown.length).toBeGreaterThan(2)
    }
  })

  test('what may not be redacted is asked for again, without the secret in the feedback', async () => {
    const runner = scripted([{ chunks: ['Mail jane@acme', '.com now'] }, 'Mail us.'])
    const stream = enforceStream({ contract: contract({ checks: [sensitive({})], retries: 1 }), runner, prompt: '' })
    let shown = ''
    for await (const text of stream) shown += text
    expect(shown.startsWith('Mail ')).toBe(true)
    expect(shown).not.toContain('jane')
    expect(JSON.stringify(runner.calls[1]?.feedback ?? '')).not.toContain('jane@acme')
    const { issues } = await settle(contract({ checks: [sensitive({})] }), 'a\nMail jane@acme.com')
    expect(issues).toMatchObject([{ code: 'SENSITIVE', message: 'Leave out the e-mail address in line 2.', span: { start: 7, end: 20 } }])
  })

  test('kinds and allowed values', async () => {
    const rules = contract({ checks: [sensitive({ kinds: ['email', 'phone'], allowed: ['@acme.com', '+49 30 1234567'] })] })
    const text = 'a@acme.com, +49 (30) 12345-67, 4111 1111 1111 1111 and b@other.com'
    expect((await check(rules, text)).issues).toMatchObject([{ span: { start: text.length - 11, end: text.length } }])
    expect((await check(rules, '+49 30 1234\u2013567 and \u{1d41a}lice@acme.com')).issues).toEqual([])
    await assertStreamable(rules, '+49 30 1234\u2013567 and \u{1d41a}lice@acme.com', [1, 3])
  })

  test.each<[string, object, RegExp]>([
    ['no kinds', { kinds: [] }, /sensitive\.kinds/],
    ['an unknown kind', { kinds: ['emails'] }, /did you mean "email"/],
    ['an empty value', { allowed: [''] }, /sensitive\.allowed\.0/],
  ])('%s is a configuration error', (_name, options, message) => {
    expect(() => contract({ checks: [{ sensitive: options }] })).toThrow(message)
  })

  test('the checksums agree with the obvious way', () => {
    const luhn = (digits: string): boolean =>
      [...digits]
        .reverse()
        .reduce((sum, digit, at) => sum + (at % 2 ? [...String(Number(digit) * 2)].reduce((a, b) => a + Number(b), 0) : Number(digit)), 0) %
        10 ===
      0
    const mod97 = (iban: string): boolean =>
      BigInt((iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n === 1n
    fc.assert(fc.property(fc.stringMatching(/^\d{12,19}$/), (digits) => passesLuhn(digits) === luhn(digits)))
    fc.assert(fc.property(fc.stringMatching(/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/), (iban) => passesMod97(iban) === mod97(iban)))
  })

  test('hostile texts take linear time', async () => {
    const texts = [
      'a',
      '4',
      '4 ',
      'a@',
      '-',
      'eyJa.',
      'sk-a',
      '+4',
      '(',
      '-----BEGIN PRIVATE KEY-----\n',
      'DE12 ',
      '\u200b@',
      'Ⓐ4',
      '4\u2013',
      `${pem.slice(0, 100)} `,
    ].map((unit) => unit.repeat(Math.ceil(60_000 / unit.length)))
    const took = await processorMs(async () => {
      for (const text of texts) {
        await settle(redacting, text)
        await assertStreamable(redacting, text.slice(0, 6000), [1])
      }
    })
    expect(took).toBeLessThan(30_000)
  })
})

test('says everything in both languages', async () => {
  expect(await localeFaults('sensitive', [{ text: 'jane@acme.com' }])).toEqual([])
})
