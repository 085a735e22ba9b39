import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contract } from '../catalogue.ts'
import type { Contract } from '../contract/contract.ts'
import { defineValidator } from '../contract/validator.ts'
import { contracted, type ToolResult } from './index.ts'

const text = (...texts: readonly string[]) => ({ content: texts.map((one) => ({ type: 'text' as const, text: one })) })
const both = (data: object, written = JSON.stringify(data)) => ({ ...text(written), structuredContent: data })
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
const email = { sensitive: { kinds: ['email'], redact: true } } as const
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
const crash = defineValidator({
  name: 'crash',
  summary: 'Never has a verdict.',
  options: z.strictObject({}),
  codes: {},
  instruct: () => '',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it throws before.
    *check() {
      throw new Error('out of order')
    },
  }),
})
const quoting = defineValidator({
  name: 'quoting',
  summary: 'Never has a verdict, and quotes what it reads.',
  options: z.strictObject({}),
  codes: {},
  instruct: () => '',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it throws before.
    *check({ text: read }) {
      throw new Error(`cannot read ${read}`)
    },
  }),
})
const contracts = {
  short: contract({ checks: [{ max_words: { limit: 2 } }] }),
  mail: contract({ checks: [email] }),
  data: contract({ checks: [{ json: { schema } }, email] }),
  lenient: contract({ checks: [{ max_words: { limit: 2 } }], mode: 'lenient' }),
  crash: contract({ checks: [crash({})] }),
  deny: contract({ checks: [{ pattern: { deny: [{ regex: 'rm\\s+-rf' }] } }] }),
}
const failed = (why: string) => ({ isError: true, content: [{ type: 'text', text: expect.stringContaining(why) }] })

it.each<readonly [string, keyof typeof contracts, ToolResult, object]>([
  ['a right text', 'short', { ...text('two words'), _meta: { a: 1 } } as ToolResult, { ...text('two words'), _meta: { a: 1 } }],
  ['a wrong text', 'short', text('these are four words'), failed('MAX_WORDS')],
  ['texts that are wrong together', 'short', text('two words ', 'and more'), failed('MAX_WORDS')],
  ['a text to redact', 'mail', text('to a@b.de', '!'), text('to [EMAIL]', '!')],
  ['other contents', 'mail', { content: [image, ...text('a@b.de').content] }, { content: [image, ...text('[EMAIL]').content] }],
  ['a lenient contract', 'lenient', text('these are four words'), text('these are four words')],
  ['a check that cannot run', 'crash', text('x'), failed('could not be checked')],
  ['an error', 'short', { ...text('these are four words'), isError: true }, { ...text('these are four words'), isError: true }],
  ['right data', 'data', both({ n: 1 }, '{ "n": 1 }'), both({ n: 1 }, '{ "n": 1 }')],
  ['data to repair, and its text', 'data', both({ n: '1' }, '{ "n": "1" }'), both({ n: 1 })],
  ['data to redact after a line break', 'data', both({ n: 1, a: '\na@b.de' }), both({ n: 1, a: '\n[EMAIL]' })],
  ['wrong data', 'data', both({ n: 'x' }), failed('SCHEMA_MISMATCH')],
  ['data beside a wrong text', 'short', { ...text('these are four words'), structuredContent: { a: 1 } }, failed('MAX_WORDS')],
  ['data without contents', 'mail', { structuredContent: { a: 'a@b.de' } }, { structuredContent: { a: '[EMAIL]' } }],
  ['a tab in data', 'deny', both({ a: 'rm\t-rf' }), failed('PATTERN_DENIED')],
  ['a key that cannot be changed', 'mail', both({ 'a@b.de': 1 }), failed('SENSITIVE')],
  ['nothing', 'short', {}, {}],
])('%s', async (_name, name, result, expected) => {
  const seen: unknown[] = []
  const handler = contracted(contracts[name], (...args: readonly [number, string]) => {
    seen.push(args)
    return result
  })
  expect(await handler(1, 'a')).toEqual(expected)
  expect(seen).toEqual([[1, 'a']])
})

it.each<readonly [string, Contract, ToolResult]>([
  ['a forbidden text', contract({ checks: [{ contains: { none: ['hunter2'] } }] }), text('It is hunter2.')],
  ['a match', contract({ checks: [{ pattern: { deny: [{ regex: 'hunter\\d' }] } }] }), text('It is hunter2.')],
  ['a secret', contract({ checks: ['sensitive'] }), text(`It is sk-proj-hunter2${'Ab3x'.repeat(10)}.`)],
  ['a wrong type', contracts.data, both({ n: 'hunter2' })],
  ['a wrong type in a text', contracts.data, text('{"n": "hunter2"}')],
  ['a text that is no JSON', contracts.data, text('hunter2 hunter2')],
  ['a key', contract({ checks: [{ contains: { none: ['hunter2'] } }] }), both({ hunter2: 1 })],
  ['a crash that quotes it', contract({ checks: [quoting({})] }), text('hunter2')],
])('an error quotes nothing of what it withholds: %s', async (_name, rules, result) => {
  const { isError, content } = await contracted(rules, () => result)()
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).not.toContain('hunter2')
})

describe('a result is judged and delivered as it is sent', () => {
  const kind = contract({ checks: [{ contains: { none: ['hunter2'] } }] })
  const turning = (): ToolResult => {
    let reads = 0
    const part = Object.defineProperty({ type: 'text' }, 'text', { enumerable: true, get: () => (reads++ === 0 ? 'kind' : 'hunter2') })
    return { content: [part] }
  }
  class Row {
    readonly #text = 'hunter2'
    readonly id = 1
    toJSON(): object {
      return { id: this.id, text: this.#text }
    }
  }
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  it.each<readonly [string, ToolResult, object]>([
    ['a getter that turns', turning(), text('kind')],
    ['a map', { structuredContent: { notes: new Map([['a', 'hunter2']]) } }, { structuredContent: { notes: {} } }],
    ['an object that says how it is written', { structuredContent: { row: new Row() } }, failed('TEXT_FORBIDDEN')],
    ['a symbol as key', { structuredContent: { [Symbol('a')]: 'hunter2', n: 1 } }, { structuredContent: { n: 1 } }],
    ['itself', { structuredContent: cyclic }, failed('could not be checked')],
    ['a large number', { structuredContent: { n: 1n } }, failed('could not be checked')],
    ['nothing at all', undefined as never, failed('could not be checked')],
    ['a text in place of a result', 'hunter2' as never, failed('could not be checked')],
  ])('%s', async (_name, result, expected) => {
    const given = await contracted(kind, () => result)()
    expect(given).toEqual(expected)
    expect(JSON.stringify(given)).not.toContain('hunter2')
  })
})

describe('all that a part says is judged', () => {
  const kind = contract({ checks: [{ contains: { none: ['hunter2'] } }] })
  const resource = (fields: object) => ({
    content: [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', ...fields } }],
  })
  const link = (fields: object) => ({ content: [{ type: 'resource_link', uri: 'file:///a', name: 'a', ...fields }] })
  it.each<readonly [string, ToolResult]>([
    ['the text of a resource', resource({ text: 'It is hunter2.' })],
    ['texts that are wrong together', { content: [...text('It is hun').content, ...resource({ text: 'ter2.' }).content] }],
    ['the address of a resource', resource({ uri: 'file:///hunter2', blob: 'AA==' })],
    ['bytes that are none', resource({ blob: 'It is hunter2!' })],
    ['something else around a resource', { content: [{ ...resource({ text: 'a' }).content[0], note: 'hunter2' }] }],
    ['a resource that is a text', { content: [{ type: 'resource', resource: 'hunter2' }] }],
    ['the address of a link', link({ uri: 'file:///hunter2' })],
    ['the name of a link', link({ name: 'hunter2' })],
    ['the description of a link', link({ description: 'It is hunter2.' })],
    ['a type that says it', link({ mimeType: 'hunter2' })],
    ['an unknown part', { content: [{ type: 'markdown', text: 'hunter2' }] }],
    ['a part of an unknown type', { content: [{ type: 'hunter2' }] }],
    ['a text without a type', { content: [{ text: 'hunter2' }] }],
    ['a text that is data', { content: [{ type: 'text', text: { a: 'hunter2' } }] }],
    ['a note of a part', { content: [{ type: 'text', text: 'a', _meta: { b: 'hunter2' } }] }],
    ['a note of the result', { ...text('a'), _meta: { b: 'hunter2' } } as ToolResult],
    ['the result of before there were contents', { toolResult: 'hunter2' } as ToolResult],
    ['an error that is a text', { isError: 'hunter2', ...text('a') } as never],
    ['a content that is a text', { content: 'hunter2' } as never],
    ['a part that is a text', { content: ['hunter2'] } as never],
  ])('%s', async (_name, result) => {
    const given = await contracted(kind, () => result)()
    expect(given).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(JSON.stringify(given)).not.toContain('hunter2')
  })

  it('what is right stays as it is, and what can be repaired is repaired', async () => {
    const right = {
      content: [
        image,
        ...resource({ text: 'ok', _meta: { a: [1, 'b'] } }).content,
        ...resource({ blob: 'AA==' }).content,
        ...link({ size: 3 }).content,
      ],
      _meta: { a: 1 },
    }
    for (const rules of [kind, contracts.mail, contract({ checks: [{ contains: { all: ['ok'], none: ['content', 'resource', 'uri'] } }] })])
      expect(await contracted(rules, () => right)()).toEqual(right)
    const mails = {
      content: [...text('to a@b.de, ').content, ...resource({ text: 'c@d.de' }).content, ...link({ description: 'of e@f.de' }).content],
    }
    expect(await contracted(contracts.mail, () => mails)()).toEqual({
      content: [...text('to [EMAIL], ').content, ...resource({ text: '[EMAIL]' }).content, ...link({ description: 'of [EMAIL]' }).content],
    })
  })
})

it.each([
  ['links', { content: Array.from({ length: 6000 }, (_, at) => ({ type: 'resource_link', uri: `file:///${at}`, name: `hunter${at}` })) }],
  ['data', both({ all: Array.from({ length: 6000 }, (_, at) => `hunter${at}`) }, 'hunters')],
  ['keys', both(Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`hunter${at}`, 1])), 'hunters')],
  ['levels', both({ all: JSON.parse('['.repeat(300) + ']'.repeat(300)) }, 'hunters')],
])('withholds a result with too many %s', async (_, result: ToolResult) => {
  const given = await contracted(contracts.mail, () => result)()
  expect(given).toEqual({ ...text('The result of this tool was withheld because it has too much to check.'), isError: true })
})

it('a text that repeats the data says nothing else', async () => {
  const kind = contract({ checks: [{ contains: { none: ['hunter2'] } }] })
  const structuredContent = { a: 'o k', b: [1] }
  const written = (mirror: string) => contracted(kind, () => ({ structuredContent, ...text(mirror) }))()
  for (const mirror of [
    '{"a":"hunter2","a":"o k","b":[1]}',
    '{"\\u0061":"hunter2","a":"o k","b":[1]}',
    '{"a":"o k","b":["hunter2"],"b":[1]}',
  ])
    expect(await written(mirror)).toEqual({ structuredContent, ...text('{"a":"o k","b":[1]}') })
  for (const mirror of ['{"a":"o k","b":[1]}', ' {\n"a" : "o k",\t"b": [ 1 ]}\r\n'])
    expect(await written(mirror)).toEqual({ structuredContent, ...text(mirror) })
})

it('lets a handler throw, and takes nothing but a contract', async () => {
  const broken = contracted(contracts.short, async (): Promise<ToolResult> => {
    throw new Error('no such file')
  })
  await expect(broken()).rejects.toThrow('no such file')
  expect(() => contracted({ checks: [] } as never, () => ({}))).toThrow('contract')
})
