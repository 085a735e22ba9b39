import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { processorMs } from '../../../../../../tools/tests/processor-ms.ts'
import { Answer } from '../../../answer/answer.ts'
import { AnswerReader } from '../../../answer/reader.ts'
import { positionAt } from '../../../answer/span.ts'
import { contract } from '../../../catalogue.ts'
import { type RepairClass, repairClasses } from '../../../contract/certificate.ts'
import { check } from '../../../engine/check/check.ts'
import { enforceStream } from '../../../engine/enforce.ts'
import { settle } from '../../../engine/repair/settle.ts'
import { scripted } from '../../../runners/scripted.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'
import { type JsonOptions, json } from '../index.ts'
import { LineFeed } from './line-stream.ts'

const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const rules = (allow: RepairClass[] = ['lossless'], options: Partial<JsonOptions> = {}, retries = 0) =>
  contract({ checks: [json({ lines: true, schema, ...options })], allow, retries })

const ulm = '{"city": "Ulm", "days": 2}'
const bonn = '{"city": "Bonn"}'
const [u, b] = [{ city: 'Ulm', days: 2 }, { city: 'Bonn' }]
const fence = '```'

describe('json lines', () => {
  test.each<[string, string, unknown[]]>([
    ['lines', `${ulm}\n${bonn}\n`, [u, b]],
    ['a last line without a break', `${ulm}\n${bonn}`, [u, b]],
    ['CRLF and CR', `${ulm}\r\n${bonn}\r${bonn}\r\n`, [u, b, b]],
    ['blank lines', `\n\n${ulm}\n \n\t\n${bonn}\n\n`, [u, b]],
    ['one line', ulm, [u]],
    ['equal lines', `${ulm}\n${ulm}\n`, [u, u]],
    ['a fence', `${fence}jsonl\n${ulm}\n${bonn}\n${fence}\n`, [u, b]],
    ['a fence with words', `Here they are:\n\n${fence}json\n${ulm}\n${bonn}\n${fence}\nAnything else?`, [u, b]],
    ['two fences', `${fence}json\n${ulm}\n${fence}\n\n${fence}json\n${bonn}\n${fence}`, [u, b]],
    ['an open fence', `${fence}ndjson\n${ulm}\n${bonn}\n`, [u, b]],
    ['words around', `Sure [1], two of {those}:\n${ulm}\n${bonn}\nThat is all.\n`, [u, b]],
    ['a program before', `${fence}js\nfind({"city": 1})\n${fence}\n${ulm}\n`, [u]],
    ['reasoning', `<think>\n{"city": 1}\n</think>\n${ulm}\n${bonn}`, [u, b]],
    ['a byte order mark', `\ufeff${ulm}\n${bonn}`, [u, b]],
  ])('reads %s', async (_name, text, value) => {
    const found = await check(rules(), text)
    expect(found.issues).toEqual([])
    expect(found).toMatchObject({ status: 'valid', value })
    await assertStreamable(rules(), text)
  })

  test.each<[string, string, [code: string, path: unknown, message: RegExp][]]>([
    ['no value', 'There are none.', [['MISSING_JSON', undefined, /one per line/]]],
    [
      'a wrong line',
      `${ulm}\n{"city": 7}\n${bonn}`,
      [['SCHEMA_MISMATCH', [1, 'city'], /^In line 2: Make city a string; it is the number 7\.$/]],
    ],
    ['broken syntax', `\n${ulm}\n\n{"city": }\n${bonn}`, [['INVALID_JSON', [1], /line 4, column 10/]]],
    ['two values in a line', `${ulm} ${bonn}\n`, [['AMBIGUOUS_JSON', [0], /one value per line; line 1 has 2/]]],
    ['words between', `${ulm}\nand now the other:\n${bonn}`, [['INVALID_JSON', undefined, /line 2 is none/]]],
    ['a key twice', `${ulm}\n{"city": "Ulm", "city": "Bonn"}`, [['DUPLICATE_KEY', [1, 'city'], /^In line 2: /]]],
    ['a number out of range', `{"city": "Ulm", "x": 1e999}`, [['INVALID_JSON', [0, 'x'], /line 1, column 22/]]],
    ['several lines', `${ulm}\n{\n  "city": "Bonn"\n}\n`, [['INVALID_JSON', [1], /begins in line 2 ends in line 4/]]],
    ['a list', `[${ulm}, ${bonn}]`, [['SCHEMA_MISMATCH', [0], /on a line of its own, .* a list of 2/]]],
    ['a cut line', `${ulm}\n{"city": "Bo`, [['TRUNCATED', [1], /^In line 2: /]]],
    ['a line of other quotes', `'Ulm'\n${ulm}`, [['INVALID_JSON', [0], /line 1/]]],
  ])('reports %s, with its line', async (_name, text, expected) => {
    const { issues } = await check(rules(), text)
    expect(issues.map(({ code, path }) => [code, path])).toEqual(expected.map(([code, path]) => [code, path]))
    for (const [at, [, , message]] of expected.entries()) expect(issues[at]?.message).toMatch(message)
    await assertStreamable(rules(), text)
    await assertStreamable(rules([...repairClasses]), text)
  })

  test.each<[string, string, RepairClass[], string, string[]]>([
    [
      'quotes and types',
      `${ulm}\n{city: 'Bonn', days: '3',}\n${bonn}\n`,
      ['lossless'],
      `${ulm}\n{"city": "Bonn", "days": 3}\n${bonn}\n`,
      [],
    ],
    ['commas between lines', `${ulm},\n${bonn},\n${ulm}`, ['lossless'], `${ulm}\n${bonn}\n${ulm}`, ['drop-behind', 'drop-behind']],
    ['values over several lines', `{\n  "city": "Ulm",\n  "days": 2\n}\n{\r\n"city":\r\n"Bonn"}\n`, ['lossless'], `${ulm}\n${bonn}\n`, []],
    ['a list', `[${ulm}, ${bonn}]`, ['lossless'], `${ulm}\n${bonn}`, ['split-list', 'split-list', 'split-list']],
    ['a list over lines', `[\n  ${ulm},\n  {\n    "city": "Bonn"\n  }\n]\n`, ['lossless'], `${ulm}\n${bonn}\n`, []],
    ['two values on a line', `${ulm} ${bonn}\n${ulm}`, ['lossless'], `${ulm}\n${bonn}\n${ulm}`, ['split-line']],
    ['three with commas', `${ulm},${bonn} ,\t${ulm}`, ['lossless'], `${ulm}\n${bonn}\n${ulm}`, ['split-line', 'split-line']],
    ['two without a gap', `${ulm}${bonn}\n`, ['lossless'], `${ulm}\n${bonn}\n`, ['split-line']],
    ['brackets in texts', `{"city": "}{"} {"city": "\\"]["}`, ['lossless'], `{"city": "}{"}\n{"city": "\\"]["}`, ['split-line']],
    ['words between', `${ulm}\nand\n${bonn}`, ['lossless', 'lossy'], `${ulm}\n${bonn}`, ['drop-prose']],
    ['the second of two values', `${ulm} {"city": 1}\n${bonn}`, ['lossless', 'guess'], `${ulm}\n${bonn}`, ['choose-value']],
  ])('repairs %s', async (_name, text, allow, expected, names) => {
    const settled = await settle(rules(allow), text)
    expect([settled.status, settled.text]).toEqual(['repaired', expected])
    if (names.length > 0) expect(settled.repairs.map(({ rule }) => rule)).toEqual(names)
    await assertStreamable(rules(allow), text)
    expect((await settle(rules(allow), expected)).status).toBe('valid')
  })

  test('a repair has the certificates that the line alone would have', async () => {
    const wrong = "{city: 'Bonn', days: '3'}"
    const alone = await settle(contract({ checks: [json({ schema })] }), wrong)
    const { repairs } = await settle(rules(), `${ulm}\n${wrong}\n`)
    const offset = ulm.length + 1
    const named = alone.repairs.map(({ span, path = [], ...rest }) => ({
      ...rest,
      path: [1, ...path],
      span: { start: span.start + offset, end: span.end + offset },
    }))
    expect(repairs).toEqual(named)
  })

  test.each<[string, RepairClass[], string | undefined]>([
    [`${ulm} ${bonn}\n`, [], 'Write one value per line; line 1 has 2.'],
    [`${ulm}\n${bonn},${bonn}, ${bonn}`, [], 'Write one value per line; line 2 has 3.'],
    [`${ulm} ${bonn}`, ['lossy'], 'Write one value per line; line 1 has 2.'],
    // Whatever else is wrong is told as before.
    [`${ulm} {"city": 1}\n`, ['lossless'], undefined],
    [`${ulm},, ${bonn}\n`, [], undefined],
    [`${ulm} {"city": "Bonn"\n`, [], undefined],
    [`${ulm} and ${bonn}\n`, [], undefined],
    [`${ulm}}${bonn}\n`, [], undefined],
  ])('values together in %j under %j', async (text, allow, message) => {
    const { status, issues } = await settle(rules(allow), text)
    expect([status, issues[0]?.message === message]).toEqual(['unresolved', message !== undefined])
    await assertStreamable(rules(allow), text)
    const { issues: german } = await check(contract({ checks: [json({ lines: true, schema })], locale: 'de' }), text)
    if (message !== undefined) expect(german[0]?.message).toMatch(/^Schreibe je Zeile einen Wert; Zeile \d hat \d\.$/)
  })

  test('what was cut off is never completed', async () => {
    for (const text of [
      `${ulm}\n{"city": "Bonn"`,
      `${ulm}\n{"city": "Bo`,
      `${ulm}\n{"city": "Bo `,
      `${fence}jsonl\n${ulm}\n{"ci`,
      `${ulm}\n{"city": "Bonn",\n`,
    ]) {
      const settled = await settle(rules([...repairClasses]), text)
      expect([settled.status, settled.text, settled.issues[0]?.code]).toEqual(['unresolved', text, 'TRUNCATED'])
      await assertStreamable(rules([...repairClasses]), text)
    }
    // Whoever says that the answer is whole allows a guess at the last line, and any other is followed by one.
    const whole = await settle(rules([...repairClasses]), new Answer(`${ulm}\n{"city": "Bonn"`, { finishReason: 'stop' }))
    expect([whole.text, whole.repairs.map((one) => one.class)]).toEqual([`${ulm}\n${bonn}`, ['guess']])
    expect((await settle(rules(), `{"city": "Bonn"\n${ulm}\n`)).issues[0]?.code).toBe('INVALID_JSON')
  })

  test('the values alone', async () => {
    const bare = rules(['lossless'], { deliver: 'value' })
    const text = `<think>Hm.</think>Here:\n\n${fence}jsonl\n${ulm}\n{city: 'Bonn'}\n${fence}\nMore?`
    const settled = await settle(bare, text)
    expect([settled.status, settled.text]).toEqual(['repaired', `${ulm}\n${bonn}\n`])
    expect(new Set(settled.repairs.map(({ rule }) => rule))).toEqual(new Set(['drop-reasoning', 'drop-prose', 'quote-key', 'quotes']))
    expect(settled.found.issues.map(({ code }) => code)).toEqual(['JSON_NOT_BARE', 'INVALID_JSON'])
    await assertStreamable(bare, text)
    expect((await check(bare, `\n${ulm}\n\n${bonn}\n`)).issues).toEqual([])
    const words = `Here:\n${fence}json\n${ulm}\n${fence}\n${fence}json\n${bonn}\n${fence}`
    expect((await settle(bare, words)).text).toBe(`${ulm}\n${bonn}\n`)
    await assertStreamable(bare, words)
  })

  test('each line is shown as soon as it is judged, and a wrong one is repaired alone', async () => {
    const chunks = [ulm.slice(0, 9), `${ulm.slice(9)}\n`, "{city: 'Bonn', days: '3'}", '\n', ulm, '\n', bonn]
    const stream = enforceStream({ contract: rules(), runner: scripted([{ chunks }]), prompt: '' })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect(shown).toEqual([`${ulm}\n`, '{"city": "Bonn", "days": 3}', '\n', `${ulm}\n`, bonn])
    expect(await stream.outcome).toMatchObject({ status: 'repaired', value: [u, { city: 'Bonn', days: 3 }, u, b], attempts: 1 })
  })

  test('a line that no repair corrects is asked for again, after what was shown', async () => {
    const turns = [{ chunks: [`${ulm}\n`, '{"city": null}\n', `${bonn}\n`] }, { chunks: [`${bonn}\n`, ulm] }]
    const runner = scripted(turns)
    const stream = enforceStream({ contract: rules(['lossless'], {}, 1), runner, prompt: '' })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect(shown).toBe(`${ulm}\n${bonn}\n${ulm}`)
    expect(await stream.outcome).toMatchObject({ status: 'valid', attempts: 2, value: [u, b, u] })
    expect(runner.calls[0]).toMatchObject({ aborted: true })
  })

  test.each<[string, string]>([
    ['goes on', `${bonn}\n${ulm}`],
    ['repeats all lines', `${ulm}\n${bonn}\n${ulm}`],
    ['repeats them in a fence', `${fence}jsonl\n${ulm}\n${bonn}\n${ulm}\n${fence}`],
  ])('a reply that %s continues the lines', async (_name, reply) => {
    for (const size of [1, 5, 1000]) {
      const runner = scripted([{ chunks: [`${ulm}\n`, '{"city": null}\n'] }, { text: reply, chunkSize: size }])
      const { outcome } = enforceStream({ contract: rules(['lossless'], {}, 1), runner, prompt: '' })
      expect(await outcome).toMatchObject({ status: 'valid', value: [u, b, u] })
    }
  })

  test('partial values have the lines so far', async () => {
    const stream = enforceStream({ contract: rules(), runner: scripted([{ chunks: [`${ulm}\n`, "{city: 'Bonn'}\n", bonn] }]), prompt: '' })
    const values: unknown[] = []
    for await (const { value } of stream.partials) values.push(value)
    expect(values.at(-1)).toEqual([u, b, b])
    expect(values).toContainEqual([u])
  })

  test('schemas of libraries, also with refinements that take their time', async () => {
    const City = z.object({ city: z.string(), days: z.int().default(1) })
    expect(await check(rules([], { schema: City }), `${ulm}\n${bonn}`)).toMatchObject({
      status: 'valid',
      value: [u, { city: 'Bonn', days: 1 }],
    })
    const Known = City.refine(async ({ city }) => Promise.resolve(city !== 'Atlantis'), 'unknown')
    const late = rules(['lossless'], { schema: Known })
    const stream = enforceStream({ contract: late, runner: scripted([{ chunks: [`${ulm}\n${bonn}\n`, `${ulm}\n`, bonn] }]), prompt: '' })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect(shown.length).toBeGreaterThan(1)
    expect(await stream.outcome).toMatchObject({ status: 'valid', attempts: 1 })
    const found = await check(late, `${ulm}\n{"city": "Atlantis"}\n${bonn}`)
    expect(found.issues).toMatchObject([{ code: 'SCHEMA_MISMATCH', path: [1] }])
    for (const text of [
      `${ulm}\n{"city": "Atlantis"}\n${bonn}`,
      `${ulm}\n{city: 'Bonn'}\n${bonn}`,
      `${ulm}\n{"city": "Ulm", "days": "2"}\n${bonn}`,
    ])
      await assertStreamable(late, text)
  })

  test('tells the model the schema of a line, in the prompt', async () => {
    const { definition } = json
    const options = definition.options['~standard'].validate({ lines: true, schema }) as { value: never }
    expect(definition.instruct(options.value, 'en')).toBe(
      'Answer with JSON values that each match the schema, one per line, without a list around them, and nothing else.',
    )
    expect(definition.instruct(options.value, 'de')).toContain('einem je Zeile')
  })

  test('streamed and whole agree, for any texts and chunks', async () => {
    const piece = fc.constantFrom(
      ...[
        ulm,
        bonn,
        '{"city": 7}',
        '{"city": null}',
        "{city: 'Bonn', days: '3'}",
        '{"city": "Bonn"',
        '{',
        '}',
        '[',
        ']',
        ',',
        '  "city": "Ulm"',
        '"a"',
        '7',
        'tru',
      ],
      ...[
        '\n',
        '\n',
        '\n',
        '\r\n',
        '\r',
        ' ',
        'Words here',
        `${fence}`,
        `${fence}jsonl`,
        `${fence}js`,
        '<think>',
        '</think>',
        '[1]',
        '{name}',
        '// no',
        '👍',
      ],
    )
    const text = fc.array(piece, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''))
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })
    const options = fc.constantFrom<Partial<JsonOptions>>(
      {},
      { deliver: 'value' },
      { schema: undefined },
      { allow: ['guess', 'lossy', 'lossless'] },
    )
    const classes = fc.constantFrom<RepairClass[]>(['lossless'], ['lossless', 'lossy'], [...repairClasses])
    await fc.assert(
      fc.asyncProperty(text, sizes, options, classes, async (said, cut, chosen, allow) => {
        if (said.trim() !== '') await assertStreamable(rules(allow, chosen), said, [1, 3, cut])
      }),
      { numRuns: 400 },
    )
  })

  test('what is too complex is no verdict, and ends partial values without an error', async () => {
    const deep = `${ulm}\n{"city": "Ulm", "x": ${'['.repeat(1000)}${']'.repeat(1000)}}\n${bonn}\n`
    expect((await check(rules(), deep)).issues[0]?.code).toBe('TOO_COMPLEX')
    const stream = enforceStream({ contract: rules(), runner: scripted([{ text: deep, chunkSize: 100 }]), prompt: '' })
    const values: unknown[] = []
    for await (const { value } of stream.partials) values.push(value)
    expect([values, (await stream.outcome).status]).toEqual([[[u]], 'unresolved'])
    const union = { anyOf: Array.from({ length: 400 }, (_, index) => ({ type: 'object', required: [`key${index}`] })) }
    const many = await check(rules([], { schema: union }), '{"key399": 1}\n'.repeat(20_000))
    expect(many.issues.map(({ code }) => code)).toEqual(['TOO_COMPLEX'])
  })

  test('a stream shows no more than the whole answer may cost, and goes on in another attempt', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^([a-z]{1,500}[0-9]){1,2}$' } } }
    const costly = contract({ checks: [json({ lines: true, schema })], stream: 'verified', retries: 1 })
    const text = Array.from({ length: 80 }, (_, index) => `{"a":"${'b'.repeat(400)}${index % 10}"}\n`).join('')
    expect((await check(costly, text)).issues.map(({ code }) => code)).toEqual(['TOO_COMPLEX'])
    for (const chunkSize of [100, 500, text.length]) {
      const stream = enforceStream({ contract: costly, runner: scripted([{ text, chunkSize }, '{"a":"b1"}\n']), prompt: '' })
      let shown = ''
      for await (const piece of stream) shown += piece
      expect(await stream.outcome).toMatchObject({ status: 'valid', text: shown })
    }
  })

  describe('of many wrong lines', () => {
    const later = z.object({ city: z.string().refine(async () => true) })
    test.each([
      ['a JSON Schema', schema],
      ['a schema that takes its time', later],
    ])('100 are reported, and how many were not looked at, with %s', async (_, schema) => {
      for (const [text, said] of [
        ['{"city": 1}\n'.repeat(5000), / 4900 more lines were not looked at\.$/],
        [`${bonn}\n{"city": 1}\n`.repeat(101), / 2 more lines were not looked at\.$/],
        [`${'{"city": 1}\n'.repeat(100)}${bonn}`, / 1 more line was not looked at\.$/],
        ['{"city": 1}\n'.repeat(100), /^In line 100: [^.]+\.$/],
      ] as const) {
        const { issues, value } = await check(rules([], { schema } as never), text)
        expect([issues.length, value]).toEqual([100, undefined])
        expect(issues.at(-1)?.message).toMatch(said)
      }
      const german = contract({ checks: [json({ lines: true, schema: schema as never })], locale: 'de' })
      expect((await check(german, '1\n'.repeat(300))).issues.at(-1)?.message).toMatch(/ 200 weitere Zeilen wurden nicht angesehen\.$/)
    })

    test('words between and warnings are capped alike, and hide no error', async () => {
      const words = await check(rules(), `${bonn}\nand\n`.repeat(500) + bonn)
      expect(words.issues).toHaveLength(100)
      const twice = '{"city": "Ulm", "city": "Bonn"}\n'.repeat(500)
      const warned = await check(rules(), twice)
      expect([warned.status, warned.issues.length]).toEqual(['valid', 100])
      expect(await check(rules(), `${twice}{"city": 1}`)).toMatchObject({ status: 'unresolved' })
    })

    test('all are repaired', async () => {
      const settled = await settle(rules(), "{city: 'Bonn'}\n".repeat(350))
      expect(settled).toMatchObject({ status: 'repaired', text: '{"city": "Bonn"}\n'.repeat(350) })
      expect(await settle(rules(), `{"city": {}}\n${"{city: 'Bonn'}\n".repeat(350)}`)).toMatchObject({ status: 'unresolved' })
    })
  })

  describe('reasoning', () => {
    const feed = (text: string, size: number) => {
      const [feed, reader] = [new LineFeed(), new AnswerReader()]
      for (let at = 0; at < text.length; at += size) {
        const chunk = text.slice(at, at + size)
        reader.push(chunk)
        feed.push(chunk, reader)
      }
      return feed.next()
    }
    test.each(['<think>a\r\nb\rc\n\n\r\r\n</think>', '\n\r\n <think>\n\n</think>', '<THINK></think>'])(
      '%j counts by its lines',
      (before) => {
        for (const size of [1, 2, 3, 100]) expect(feed(`${before}7\n`, size)?.line).toBe(positionAt(before, before.length).line)
      },
    )

    test('is read once', () => {
      const text = `<think>${'word \n'.repeat(700)}</think>7\n`
      const reads = vi.spyOn(String.prototype, 'charCodeAt')
      feed(text, 4)
      const count = reads.mock.calls.length
      reads.mockRestore()
      expect(count).toBeLessThan(20 * text.length)
    })
  })

  test('time is linear', async () => {
    const timeOf = (text: string) =>
      processorMs(() => enforceStream({ contract: rules(), runner: scripted([{ text, chunkSize: 50 }]), prompt: '' }).outcome)
    for (const unit of [`${ulm}\n`, '[\n', '{"a":\n', '"', '{', "{city: 'Ulm'}\n", 'words \n', `${ulm}\nand\n`, '}\n', `${fence}\n`]) {
      const [small, large] = [await timeOf(unit.repeat(400)), await timeOf(unit.repeat(4000))]
      expect(large, unit).toBeLessThan(400 + 40 * small)
    }
  })
})
