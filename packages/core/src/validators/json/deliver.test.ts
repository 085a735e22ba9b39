import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { type ContractOptions, contract } from '../../catalogue.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { applyEdits } from '../../repairs/apply.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { scripted } from '../../testing/index.ts'

const fence = '```'
const schema = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] }
const bare = contract({ checks: [{ json: { deliver: 'value' } }] })

async function settled(text: string, json: object = { deliver: 'value' }, context = {}) {
  const { status, text: after, repairs, found } = await settle(contract({ checks: [{ json }] } as ContractOptions), text, { context })
  return {
    status,
    text: after,
    rules: repairs.map(({ rule, class: kind }) => `${rule} ${kind}`),
    codes: found.issues.map(({ code }) => code),
  }
}

describe('the value alone is delivered', () => {
  test.each<[string, string, string[]]>([
    ['prose and a fence', `Here you are:\n\n${fence}json\n{"days": 2}\n${fence}\n`, ['drop-prose', 'drop-fence', 'drop-fence']],
    ['prose after it', `${fence}\n{"days": 2}\n${fence}\n\nAnything else?`, ['drop-fence', 'drop-fence', 'drop-prose']],
    ['prose on its line', 'Here you are: {"days": 2}', ['drop-prose']],
    ['a fence that is never closed', `${fence}json\n{"days": 2}`, ['drop-fence']],
    ['reasoning in the text', '<think>Two {"days": 3}?</think>\n{"days": 2}', ['drop-reasoning', 'drop-prose']],
    ['white space that JSON does not know', '\u00a0{"days": 2}\n', ['drop-prose', 'drop-prose']],
  ])('without %s', async (_case, text, rules) => {
    expect(await settled(text)).toEqual({
      status: 'repaired',
      text: '{"days": 2}',
      rules: rules.map((rule) => `${rule} lossless`),
      codes: ['JSON_NOT_BARE'],
    })
  })

  test.each<[string, string]>([
    ['syntax', `Sure!\n\n${fence}json\n{'days': 2,}\n${fence}\nBye, then.`],
    ['syntax amid prose', `Here you are: {'days': 2,} as you asked.`],
    ['the schema', `Sure!\n\n${fence}json\n{"days": "2"}\n${fence}`],
    ['both', `Sure!\n\n${fence}json\n{'days': '2'}\n${fence}`],
  ])('also where %s is repaired', async (_case, text) => {
    const { status, text: delivered } = await settled(text, { schema, deliver: 'value' })
    expect([status, JSON.parse(delivered)]).toEqual(['repaired', { days: 2 }])
  })

  test.each(['{"days": 2}', ' \r\n\t{ "days" : 2 }\n\n', '[1]', '"x"', '12', ' null\n'])('%j is left as it is', async (text) => {
    expect(await settled(text)).toEqual({ status: 'valid', text, rules: [], codes: [] })
  })

  test('the context says so too, and the contract has the last word', async () => {
    const text = 'Here you are: {"days": 2}'
    const context = { deliver: 'value' }
    expect(await settled(text, {}, context)).toMatchObject({ status: 'repaired', text: '{"days": 2}' })
    expect(await settled(text, { deliver: 'answer' }, context)).toMatchObject({ status: 'valid', text })
    expect(await settled(text, {})).toMatchObject({ status: 'valid', text })
    expect(await settled(text, { deliver: 'value' }, { deliver: 'answer' })).toMatchObject({ status: 'repaired' })
  })

  test('a turn that calls tools is not the answer yet', async () => {
    const toolCalls = [{ name: 'look', arguments: '{}' }]
    for (const text of ['Let me look.', `Let me look:\n${fence}json\n{"days": 2}\n${fence}`]) {
      const { status, text: after } = await settle(bare, new Answer(text, { toolCalls }))
      expect([status, after]).toEqual(['valid', text])
    }
  })

  test('where no repair may be made, the model is asked for the value alone', async () => {
    const wordy = 'Here you are: {"days": 2}'
    const runner = scripted([wordy, '{"days": 3}'])
    const outcome = await enforce({
      contract: contract({ checks: [{ json: { deliver: 'value' } }], repair: 'never' }),
      runner,
      prompt: 'Plan.',
    })
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2, text: '{"days": 3}' })
    expect(JSON.stringify(runner.calls[1])).toContain('Answer with the JSON value alone; 14 characters come before it and 0 after it.')
  })

  test('the value has its defaults, the text has not', async () => {
    const withDefault = { type: 'object', properties: { days: { default: 7 } } }
    const outcome = await enforce({
      contract: contract({ checks: [{ json: { schema: withDefault, deliver: 'value' } }] }),
      runner: scripted(['Here you are: {}']),
      prompt: 'Plan.',
    })
    expect(outcome).toMatchObject({ status: 'repaired', text: '{}', value: { days: 7 } })
  })
})

const word = fc.constantFrom(
  'Here',
  'you',
  'are:',
  'the',
  'plan,',
  'as',
  'asked.',
  'Größe',
  '日本',
  'naïve',
  '👍',
  'it’s',
  '–',
  '1.',
  'true',
)
const prose = fc.array(word, { minLength: 2, maxLength: 8 }).map((words) => `${words.join(' ')} indeed`)
const some = fc.option(prose, { nil: '' })
const value = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
  fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
)
const gap = fc.constantFrom('\n', '\n\n', '\r\n')
const written = fc.record({
  value,
  indent: fc.constantFrom(0, 2),
  before: some,
  after: some,
  gap,
  fence: fc.constantFrom('', 'json', 'JSON', 'bare'),
  think: fc.boolean(),
})

/** Values whose strings hold fences or lines of their own are left out of fences by JSON.stringify, which escapes line breaks. */
function answerOf({
  value: given,
  indent,
  before,
  after,
  gap: lines,
  fence: tag,
  think,
}: typeof written extends fc.Arbitrary<infer T> ? T : never): string {
  const json = JSON.stringify(given, null, indent)
  const block = tag === '' ? json : `${fence}${tag === 'bare' ? '' : tag}\n${json}\n${fence}`
  return [think ? '<think>Let me see: {"a": 1}</think>' : '', before, block, after].filter((part) => part !== '').join(lines)
}

describe('whatever is around it', () => {
  test('what is delivered is the value that was put in, and the certificates say what was removed', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 1, max: 40 }), async (parts, chunkSize) => {
        const text = answerOf(parts)
        const { status, text: after, repairs } = await settle(bare, text)
        expect(after).toBe(JSON.stringify(parts.value, null, parts.indent))
        expect(status).toBe(text === after ? 'valid' : 'repaired')
        expect(applyEdits(text, repairs)).toBe(after)
        const stream = enforceStream({ contract: bare, runner: scripted([{ text, chunkSize }]), prompt: 'Plan.' })
        let shown = ''
        for await (const piece of stream) shown += piece
        const outcome = await stream.outcome
        expect([shown, outcome.text, outcome.status, outcome.repairs]).toEqual([after, after, status, repairs])
        expect((await settle(bare, after)).status).toBe('valid')
      }),
      { numRuns: 150 },
    )
  })

  test('a bare answer keeps every byte, whatever white space is around it', async () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n'), maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(space, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(0, 2), space, async (lead, given, indent, trail) => {
        const text = lead + JSON.stringify(given, null, indent) + trail
        const { status, text: after } = await settle(bare, text)
        expect([status, after]).toEqual(['valid', text])
      }),
      { numRuns: 150 },
    )
  })

  test('any chunking gives the same', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (parts) => {
        await assertStreamable(bare, answerOf(parts))
      }),
      { numRuns: 30 },
    )
  })
})
