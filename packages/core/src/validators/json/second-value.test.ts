import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { repairClasses } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'

const fence = '```'
const plain = contract({ checks: ['json'] })
const codes = async (text: string): Promise<string> => (await check(plain, text)).issues.map(({ code }) => code).join()
const a = '{"city": "Ulm"}'
const b = '{"city": 7}'

const otherLanguages =
  'text txt plaintext output console python javascript ts yaml xml ndjson jsonl jsonx diff mermaid toml unheard-of'.split(' ')

describe('a second JSON value', () => {
  test.each([
    ['on the next line', `${a}\n${b}`],
    ['on the next line, CRLF', `${a}\r\n${b}\r\n`],
    ['behind a space', `${a} ${b}`],
    ['behind a comma', `${a}, ${b}`],
    ['right behind it', `${a}${b}`],
    ['three of them', '{"a":1}\n{"a":2}\n{"a":3}'],
    ['behind words', `${a}\n\nOr rather: ${b}`],
    ['amid words', `The plan is ${a} and not ${b}.`],
    ['in brackets', `The plan is ${a} (was ${b}).`],
    ['behind reasoning', `<think>${b}</think>${a}\n${b}`],
    ['in the next fence', `${fence}json\n${a}\n${fence}\n\nor\n\n${fence}json\n${b}\n${fence}`],
    ['in fences without a language', `${fence}\n${a}\n${fence}\n${fence}\n${b}\n${fence}`],
    ['a text in the next fence', `${fence}json\n${a}\n${fence}\n${fence}json\n"Bonn"\n${fence}`],
    ['in one fence', `${fence}json\n${a}\n${b}\n${fence}`],
    ['in a fence in a list', `${a}\n\n- ${fence}json\n  ${b}\n  ${fence}`],
    ['in a fence behind it', `${a}\n${fence}json\n${b}\n${fence}`],
    ['below a fence, on its own line', `${fence}json\n${a}\n${fence}\n\n${b}`],
    ['above a fence, on its own line', `${b}\n\n${fence}json\n${a}\n${fence}`],
    ['above a fence, with words behind it', `${b} was wrong\n${fence}json\n${a}\n${fence}`],
    ['above a fence, with a full stop behind it', `${b}.\n\n${fence}json\n${a}\n${fence}`],
    ['a list above a fence, with a full stop behind it', `[${a}].\n\n${fence}json\n${a}\n${fence}`],
    ['that is broken', `${a}\n{"city": 7,}`],
    ['that is cut off', `${a}\n{"city": "Bo`],
    ['in single quotes', `${a}\nsorry: {'city': 7}`],
    ['with keys without quotes', `${a}\nsorry\n{city: 7}`],
    ['a list of objects', `${a}\nsorry:\n[{"city": 7}]`],
    ['a list of texts on its own line', `${a}\nsorry:\n["Ulm", "Bonn"]\n`],
    ['a text', `${a}\n"Bonn"`],
    ['a literal', `${a}\nnull`],
    ['behind many references', `${a}\n${'See [1]. '.repeat(100)}\n${b}`],
    ['behind many links', `${a}\n${'["x" y](z) '.repeat(100)}\n${b}`],
    ['with a back-tick in each', '{"a": "`"} and {"b": "`"}'],
    ['whose key is an escape', `${a}\nsorry {"\\u0063ity": 7}`],
    ['behind a backslash', `${a}\n\\${b}`],
    ['between dollars', `${a} $${b}$`],
    ...['json5', 'jsonc', 'JSON'].map((language) => [
      `in two fences with ${language}`,
      `${fence}${language}\n${a}\n${fence}\n\n${fence}${language}\n${b}\n${fence}`,
    ]),
    ['in a fence without a tag beside one with', `${fence}\n${b}\n${fence}\n\n${fence}json\n${a}\n${fence}`],
    ['not quite right before it', `{'city': 7}\n\n${fence}json\n${a}\n${fence}`],
    ['with the same keys in other numbers', '{"id": 12345678901234567890} or {"id": 12345678901234567891}'],
  ])('%s', async (_name, text) => {
    expect(await codes(text)).toBe('AMBIGUOUS_JSON')
    for (const allow of [[], ['lossless'], ['lossless', 'lossy']] as const)
      expect((await settle(contract({ checks: ['json'], allow: [...allow] }), text)).status).toBe('unresolved')
    const { status, repairs } = await settle(plain, text)
    if (status === 'repaired') expect(repairs.map(({ class: kind }) => kind)).toContain('guess')
  })

  test.each([
    ['alone', a, { city: 'Ulm' }],
    ['words', `${a}\n\nThat is the plan.`, { city: 'Ulm' }],
    ['references', `As in [1] and [2, 3], the plan is ${a} today [4].`, { city: 'Ulm' }],
    ['a reference before it', `[1] says that ${a} it is`, { city: 'Ulm' }],
    ['placeholders', `The plan is ${a} where {name} and {} stay.`, { city: 'Ulm' }],
    ['placeholders with a type', `The plan is ${a} where {name: string} stays.`, { city: 'Ulm' }],
    ['links', `The plan is ${a} see ["this" page](x) and [[wiki]].`, { city: 'Ulm' }],
    ['index expressions', `The plan is ${a} so plan["city"] and $["city"] are set.`, { city: 'Ulm' }],
    ['inline code', `${a}\n\nUnlike \`${b}\` it has a text.`, { city: 'Ulm' }],
    ['programs', `${a}\n\n${fence}js\nsend(${b})\n${fence}\n${fence}python\n${b}\n${fence}`, { city: 'Ulm' }],
    ['a shell', `${a}\n\nRun it:\n${fence}\n[ -f x ] && echo y\n${fence}`, { city: 'Ulm' }],
    ['the same value again', `${a}\n\nThat is {"city" : "\\u0055lm"} indeed.`, { city: 'Ulm' }],
    ['the same value in two fences', `${fence}json\n${a}\n${fence}\n${fence}json\n${a}\n${fence}`, { city: 'Ulm' }],
    ['an object in prose beside a fence', `You gave ${b} to me:\n\n${fence}json\n${a}\n${fence}`, { city: 'Ulm' }],
    ['a list of texts in prose', `${a} where ["Ulm"] is a list`, { city: 'Ulm' }],
    ['a program above it', `${fence}js\n[1, 2]\n${fence}\n\n${fence}json\n${a}\n${fence}`, { city: 'Ulm' }],
    ['values in its texts', '{"a": "{\\"b\\": 1}", "c": "[{\\"d\\": 2}]"}', { a: '{"b": 1}', c: '[{"d": 2}]' }],
    ...otherLanguages.map((language): [string, string, object] => [
      `a fence with ${language}`,
      `${fence}${language}\n${b}\n${fence}\n${fence}json\n${a}\n${fence}\n${fence}${language}\n${b}\n${fence}`,
      { city: 'Ulm' },
    ]),
    ['a list of numbers', `The plan is ${a} for [48.4, 9.9] and [48.3, 10.1].`, { city: 'Ulm' }],
    ['brackets before a fence', `[Note] See [1] and {name} for [0, 1):\n\n${fence}json\n${a}\n${fence}`, { city: 'Ulm' }],
    ['placeholders of a shell', `${a}\n\nHere \${name} and $["city"] stay.`, { city: 'Ulm' }],
    ['white space', `\n\n ${a} \r\n`, { city: 'Ulm' }],
  ])('%s: one value', async (_name, text, value) => {
    const report = await check(plain, text)
    expect([report.issues, report.facts.json?.value]).toEqual([[], value])
  })

  test.each(['"{"a": {"b": 1}}"', '"{"a": {"b": 1}', '"{"a": [{"b": 1}', '"[{"a": {"b": 1}}, {"c": 2}]"', '"x"{"a": 1}'])(
    'what touches a quoted string is not behind it: %s',
    async (text) => {
      expect(await codes(text)).toMatch(/^(?:TRUNCATED|INVALID_JSON)$/)
      const { status, repairs } = await settle(contract({ checks: ['json'], allow: [...repairClasses] }), text)
      expect([status, repairs.filter(({ rule }) => rule === 'choose-value')]).toEqual(['unresolved', []])
    },
  )

  test('behind a quoted string and a comma', async () => {
    expect(await codes('"x",{"a": {"b": 1}}')).toBe('AMBIGUOUS_JSON')
  })

  test('a list beside a list, where the schema accepts one', async () => {
    const text = 'It is at [48.4, 9.9] or perhaps:\n["48.3", "10.1"]\nand so on.'
    const near = contract({ checks: [{ json: { schema: { type: 'array' } } }] })
    expect((await check(near, `${text} Or ["x"], or [1].`)).issues.map(({ code }) => code)).toEqual(['AMBIGUOUS_JSON'])
    expect((await check(near, text)).facts.json?.value).toEqual(['48.3', '10.1'])
  })

  test('the issue says where, in both languages', async () => {
    const text = `${a}\n${b}`
    const [found] = (await check(plain, text)).issues
    expect([found?.message, text.slice(found?.span?.start, found?.span?.end)]).toEqual([
      'Answer with one JSON value; another one begins at line 2, column 1.',
      b,
    ])
    const [german] = (await check(contract({ checks: ['json'], locale: 'de' }), text)).issues
    expect(german?.message).toMatch(/^Antworte mit einem JSON-Wert; in Zeile 2/)
  })

  test('a guess keeps the first, or the one that matches the schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const kept = async (text: string, options = {}): Promise<unknown[]> => {
      const { text: after, repairs } = await settle(contract({ checks: [{ json: options }], lastResort: ['guess'] }), text)
      return [after, ...new Set(repairs.map(({ rule, class: kind }) => `${rule} ${kind}`))]
    }
    expect(await kept(`${b}\n${a} or so`)).toEqual([b, 'choose-value guess'])
    expect(await kept(`${b}\n${a} or so`, { schema })).toEqual([a, 'choose-value guess'])
    expect(await kept(`So:\n${fence}json\n${b}\n${fence}\n${fence}json\n${a}\n${fence}`, { schema })).toEqual([
      `So:\n${a}`,
      'choose-value guess',
    ])
    expect(await kept(`${a}, ${b}`)).toEqual([a, 'choose-value guess'])
    expect(await kept(`{'city': 'Ulm'}\n${b}`)).toEqual([a, 'quotes lossless', 'choose-value guess'])
  })

  test('a stream has the same verdict, and shows nothing before it', async () => {
    for (const chunkSize of [1, 7]) {
      const stream = enforceStream({
        contract: contract({ checks: ['json'], retries: 0, allow: ['lossless'] }),
        runner: scripted([{ text: `${a}\n${b}`, chunkSize }]),
        prompt: 'x',
      })
      let shown = ''
      for await (const piece of stream) shown += piece
      expect([shown, (await stream.outcome).issues.map(({ code }) => code)]).toEqual(['', ['AMBIGUOUS_JSON']])
    }
  })

  test('two values that differ are never valid, and neither is made of them without a guess', async () => {
    const object = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 })
    const between = fc.constantFrom('\n', '\n\n', ' ', ' and ', '\n\nor rather:\n\n', ',\n', `\n${fence}\n\n${fence}json\n`)
    await fc.assert(
      fc.asyncProperty(
        object,
        object,
        between,
        fc.subarray([...repairClasses].filter((one) => one !== 'guess')),
        async (one, two, gap, allow) => {
          fc.pre(JSON.stringify(one) !== JSON.stringify(two))
          const joined = [JSON.stringify(one), JSON.stringify(two)].join(gap)
          const text = gap.includes(fence) ? `${fence}json\n${joined}\n${fence}` : joined
          const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(two))
          const { status } = await settle(contract({ checks: ['json'], allow }), text)
          if (!same) expect([text, status]).toEqual([text, 'unresolved'])
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([
    ['brackets', `${a}\n${'['.repeat(200_000)}`],
    ['braces', `${a}\n${'{'.repeat(200_000)}`],
    ['lists that never end', `${a}\n${'["a '.repeat(100_000)}`],
    ['keys that never end', `${a}\n${'{“'.repeat(100_000)}`],
    ['names', `${a}\n${'{a'.repeat(100_000)}`],
    ['white space', `${a}\n${`{${' '.repeat(100)}`.repeat(5_000)}`],
    ['references', `${a}\n${'[1] '.repeat(100_000)}`],
    ['fences', `${a}\n${`${fence}\n{\n${fence}\n`.repeat(20_000)}`],
    ['the same value', `${a}\n${`${a} ok\n`.repeat(20_000)}`],
    ['the same value as code', `${a}\n${`\`${a}\` and ${a}\n`.repeat(10_000)}`],
    ['deep twins', `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}\nor {"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}} ok`],
  ])('stays cheap on %s', { timeout: 20_000 }, async (_name, text) => {
    expect((await check(plain, text)).unchecked).toEqual([])
  })
})

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}
