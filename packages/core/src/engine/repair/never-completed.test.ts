import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer, type AnswerParts } from '../../answer/answer.ts'
import { type ContractOptions, contract } from '../../catalogue.ts'
import { type RepairClass, repairClasses } from '../../contract/certificate.ts'
import { scripted } from '../../runners/scripted.ts'
import { enforceStream } from '../enforce.ts'
import { settle } from './settle.ts'

const runs = 150

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const words = fc.constantFrom(
  'a',
  'Ulm',
  'New York',
  'it is',
  '}',
  ']}',
  '{"x": 1}',
  '[',
  ', b: 2',
  'a, b',
  ':',
  '# 1',
  '...',
  '```',
  '\\',
  '\n',
  '"q"',
  '',
  '12',
)
const keys = fc.constantFrom('a', 'b', 'name', 'first name', 'x_1', '7')
const scalars = fc.oneof(words, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
const { value: values } = fc.letrec<{ value: Json; inner: Json }>((tie) => ({
  inner: fc.oneof({ maxDepth: 3 }, scalars, tie('value')),
  value: fc.oneof(fc.array(tie('inner'), { maxLength: 4 }), fc.dictionary(keys, tie('inner'), { maxKeys: 4 })) as fc.Arbitrary<Json>,
}))

/** How somebody writes JSON who does not quite know it; each text means the value that it was made from. */
interface Style {
  readonly quote: '"' | "'" | '“'
  readonly bareKeys: boolean
  readonly python: boolean
  readonly space: string
  readonly comment: string
  readonly trailing: string
}

const styles: fc.Arbitrary<Style> = fc.record({
  quote: fc.constantFrom('"', "'", '“'),
  bareKeys: fc.boolean(),
  python: fc.boolean(),
  space: fc.constantFrom('', ' ', '\n  '),
  comment: fc.constantFrom('', '', ' /* so */ ', ' // so\n'),
  trailing: fc.constantFrom('', ','),
})

function write(value: Json, style: Style): string {
  const { space, comment, trailing, python, bareKeys } = style
  if (typeof value === 'string') return quoted(value, style)
  if (value === null) return python ? 'None' : 'null'
  if (typeof value === 'boolean') return python ? (value ? 'True' : 'False') : String(value)
  if (typeof value === 'number') return JSON.stringify(value)
  const key = (name: string): string => (bareKeys && /^[a-z]\w*$/.test(name) ? name : quoted(name, style))
  const parts = Array.isArray(value)
    ? value.map((item) => write(item, style))
    : Object.entries(value).map(([name, item]) => `${key(name)}:${space}${write(item, style)}`)
  const inside = parts.length === 0 ? '' : `${space}${parts.join(`,${comment}${space}`)}${trailing}${space}`
  return Array.isArray(value) ? `[${inside}]` : `{${inside}}`
}

function quoted(text: string, { quote }: Style): string {
  const plain = JSON.stringify(text).slice(1, -1)
  if (quote === '"') return `"${plain}"`
  const close = quote === '“' ? '”' : quote
  return `${quote}${plain}${close}`
}

const wrappings = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `\`\`\`json\n${text}\n\`\`\`\n`,
  (text) => `\`\`\`json\n${text}\n\`\`\`\nThat is all.`,
  (text) => `callback(${text});`,
  (text) => `Here you are: ${text}`,
)

/** Whether a value is made of the first parts of another one, each of them whole. */
function isBeginningOf(part: unknown, whole: unknown): boolean {
  if (isDeepStrictEqual(part, whole)) return true
  if (typeof part !== 'object' || typeof whole !== 'object' || part === null || whole === null) return false
  if (Array.isArray(part) !== Array.isArray(whole)) return false
  const [given, known] = [Object.entries(part), whole as Record<string, unknown>]
  return given.every(([key, value]) => Object.hasOwn(known, key) && isBeginningOf(value, known[key]))
}

const finishReasons = fc.constantFrom(undefined, 'stop', 'length', 'content_filter', 'abort', 'an odd one')
const allowed = fc.option(fc.subarray<RepairClass>([...repairClasses]), { nil: undefined })
const lastResorts = fc.subarray<RepairClass>([...repairClasses])

interface Case {
  readonly value: Json
  readonly text: string
  readonly finishReason: string | undefined
  readonly policy: ContractOptions
}

const cases: fc.Arbitrary<Case & { readonly whole: string }> = fc
  .tuple(values, styles, wrappings, fc.nat(), finishReasons, allowed, lastResorts)
  .map(([value, style, wrap, at, finishReason, allow, lastResort]) => {
    const whole = wrap(write(value, style))
    const policy = { ...(allow && { allow }), lastResort, retries: 0 }
    return { value: JSON.parse(JSON.stringify(value)), whole, text: whole.slice(0, at % (whole.length + 1)), finishReason, policy }
  })

/** What may come out: all of the value, or with a guess about an answer that is known to be whole, what was written of it. */
function expectOwn({ value, text, finishReason, policy }: Case, found: unknown): void {
  if (isDeepStrictEqual(found, value)) return
  const guessed = [...(policy.allow ?? []), ...(policy.lastResort ?? [])].includes('guess')
  expect({ text, found, isKnownWhole: finishReason === 'stop' || finishReason === 'tool_calls', guessed }).toMatchObject({
    isKnownWhole: true,
    guessed: true,
  })
  if (!isBeginningOf(found, value)) expect({ text, found }).toBe(`a beginning of ${JSON.stringify(value)}`)
  // What is last in the text has its own end there.
  expect(text).toMatch(/["'”\]}](?:\s|\/\/.*|\/\*[\s\S]*|`+|json)*$/)
}

async function streamed(policy: ContractOptions, { text, finishReason }: Case, chunkSize: number) {
  const turn = { text, chunkSize, ...(finishReason === undefined ? {} : { finishReason }) }
  const stream = enforceStream({ contract: contract({ checks: ['json'], ...policy }), runner: scripted([turn]), prompt: 'p' })
  let shown = ''
  for await (const piece of stream) shown += piece
  return { outcome: await stream.outcome, shown }
}

const tools = [{ name: 'note', parameters: { type: 'object' } }]

describe('what was cut off is never completed', { timeout: 3_600_000 }, () => {
  test('whole answers', async () => {
    let delivered = 0
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        if (one.text === one.whole) return
        const settled = await settle(contract({ checks: ['json'], ...one.policy }), new Answer(one.text, parts(one)))
        if (settled.status !== 'valid' && settled.status !== 'repaired') return
        delivered++
        expectOwn(one, settled.value)
      }),
      { numRuns: runs * 20 },
    )
    expect(delivered).toBeGreaterThan(0)
  })

  test('streams', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 9 }), async (one, chunkSize) => {
        if (one.text.trim() === '' || one.text === one.whole) return
        const { outcome } = await streamed(one.policy, one, chunkSize)
        // A scripted turn without a word ends with `stop`.
        const finishReason = one.finishReason ?? 'stop'
        if (outcome.status === 'valid' || outcome.status === 'repaired') expectOwn({ ...one, finishReason }, outcome.value)
      }),
      { numRuns: runs * 3 },
    )
  })

  test('arguments of tool calls', async () => {
    const objects = cases.filter(({ value }) => !Array.isArray(value))
    await fc.assert(
      fc.asyncProperty(objects, fc.boolean(), async (one, bare) => {
        // Without its braces, too.
        const text = bare && one.text.startsWith('{"') ? one.text.slice(1) : one.text
        if (text === '' || one.text === one.whole) return
        const finishReason = one.finishReason === 'stop' ? 'tool_calls' : one.finishReason
        const answer = new Answer('', { toolCalls: [{ name: 'note', arguments: text }], ...parts({ finishReason }) })
        const settled = await settle(contract({ checks: ['tool_calls'], ...one.policy }), answer, { context: { tools } })
        if (settled.status !== 'valid' && settled.status !== 'repaired') return
        // Pairs without both braces may end with a number, unless the finish reason says that they were cut off.
        if (text !== one.text && /[\w.+-]\s*$/.test(text) && [undefined, 'tool_calls'].includes(finishReason)) return
        expectOwn({ ...one, text, finishReason }, JSON.parse(settled.toolCalls[0]?.arguments ?? ''))
      }),
      { numRuns: runs * 10 },
    )
  })

  test('calls that are written as text', async () => {
    const objects = cases.filter(({ value }) => !Array.isArray(value))
    const forms = fc.constantFrom<(given: string) => string>(
      (given) => `{"name": "note", "arguments": ${given}}`,
      (given) => `<tool_call>{"name": "note", "arguments": ${given}}</tool_call>`,
      (given) => `[note(of=${given})]`,
    )
    await fc.assert(
      fc.asyncProperty(objects, forms, fc.nat(), async (one, form, at) => {
        const whole = form(JSON.stringify(one.value))
        const text = whole.slice(0, at % (whole.length + 1))
        const rules = contract({ checks: ['tool_calls'], ...one.policy })
        const { status, toolCalls } = await settle(rules, new Answer(text, parts(one)), { context: { tools } })
        const given: unknown = JSON.parse(toolCalls[0]?.arguments ?? '{}')
        if (status === 'repaired') expect([one.value, { of: one.value }]).toContainEqual(given)
      }),
      { numRuns: runs * 5 },
    )
  })
})

function parts({ finishReason }: Pick<Case, 'finishReason'>): AnswerParts {
  return finishReason === undefined ? {} : { finishReason }
}
