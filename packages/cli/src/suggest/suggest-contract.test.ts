import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'
import { roundUp, schemaOf } from './schema.ts'
import { emptyShape, observe } from './shape.ts'

const lines = (values: readonly unknown[]): string => values.map((one) => `${JSON.stringify(one)}\n`).join('')

const tickets = Array.from({ length: 60 }, (_, at) => ({
  id: at,
  text: JSON.stringify({
    title: `Ticket ${at}`,
    priority: ['low', 'high', 'urgent'][at % 3],
    mail: ['ann@example.com', 'bob@example.com'][at % 2],
    user: ['ann', 'bob'][at % 2],
    greeting: ['Dear Sir', 'Dear Madam'][at % 2],
    token: 'sk-abcdefabcdef',
    score: at / 10,
    tags: at % 2 === 0 ? ['ui'] : ['ui', 'api'],
    by: { [`${at % 4}@example.com`]: 1 },
    ...(at % 5 === 0 ? { note: null } : {}),
  }),
}))

const words = 'The service answers requests from the queue and writes every result into the database before it replies to the client.'
const texts = Array.from({ length: 40 }, (_, at) => ({
  id: at,
  text: `# Summary\n\n${words} ${words.slice(0, 20 + at)} [^1]\n\n## Risks\n\nSee https://docs.example.com/page/${at} for more about it. [^2]\n`,
}))

/** Suggests, and checks the answers again under what was suggested. */
async function roundTrip(recordings: readonly object[], argv: readonly string[] = []) {
  const cwd = await folderWith({ 'a.jsonl': lines(recordings) })
  const suggested = await runCli(['suggest', 'a.jsonl', '--out', 'suggested.yaml', ...argv], { cwd })
  const yaml = await readFile(join(cwd, 'suggested.yaml'), 'utf8').catch(() => '')
  const checked = await runCli(['check', '--jsonl', 'a.jsonl', '--contract', 'suggested.yaml', '--repair', 'never'], { cwd })
  const statuses = checked.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { status?: string }).status)
  return { cwd, suggested, yaml, rejected: statuses.filter((status) => status !== 'valid').length, of: statuses.length }
}

describe('stickler suggest', () => {
  it('proposes a schema that accepts what it was made from, with enumerations and ranges', async () => {
    const { suggested, yaml, rejected, of } = await roundTrip(tickets)
    expect(suggested).toMatchObject({ code: 0, stderr: '60 lines: 60 answers (stickler)\n' })
    expect([rejected, of]).toEqual([0, 60])
    expect(yaml).toContain('# All rules together reject 0 of 60 answers (0.0 %).')
    expect(yaml).toContain('enum: [high, low, urgent]')
    expect(yaml).toContain('maximum: 5.9')
    expect(yaml).toContain('required: [title, priority, mail, user, greeting, token, score, tags, by]')
    expect(yaml).toContain('additionalProperties: false')
  })

  it('writes down no address, name, key or free text', async () => {
    const { yaml } = await roundTrip(tickets)
    expect(yaml).not.toMatch(/example\.com|ann|bob|sk-|Dear/)
  })

  it('proposes rules for texts, each with what it rejects', async () => {
    const odd = { id: 'odd', text: '# Summary\n\nNo.' }
    const { yaml, rejected, of } = await roundTrip([...texts, odd])
    expect(of).toBe(41)
    expect(yaml).toContain(`# All rules together reject ${rejected} of 41 answers`)
    expect(yaml).toMatch(/- length:\n {10}words:\n {12}min: 3\n {12}max: \d+\n/)
    expect(yaml).toContain('required: [Summary, Risks]')
    expect(yaml).toContain('hosts: [docs.example.com]')
    expect(yaml).toMatch(/language:\n {10}is: en/)
    expect(yaml).toMatch(/citations:\n {10}styles: \[caret\]\n {10}requireCitations: true\n {10}sources: 10\n/)
  })

  it('is accepted by doctor, and is the same every time', async () => {
    const { cwd, yaml } = await roundTrip(texts)
    const served = 'upstreams: [{ name: x, kind: scripted, answers: [a] }]\nroutes: [{ model: m, upstream: x, contract: suggested }]\n'
    await writeFile(join(cwd, 'stickler.yaml'), yaml + served)
    expect((await runCli(['doctor'], { cwd })).stdout).toMatch(/^ok +configuration/m)
    expect((await runCli(['suggest', 'a.jsonl'], { cwd })).stdout).toBe(yaml)
  })

  it('samples with a fixed seed, and says so', async () => {
    const { yaml, suggested } = await roundTrip(tickets, ['--sample', '20'])
    expect(suggested.code).toBe(0)
    expect(yaml).toContain('from 60 accepted answers, of which 20 were sampled with a fixed seed')
    expect((await roundTrip(tickets, ['--sample', '20'])).yaml).toBe(yaml)
  })

  it('leaves out what was labelled bad', async () => {
    const { yaml, rejected } = await roundTrip([...tickets.slice(0, 30), { text: 'nonsense', label: 'bad' }])
    expect(yaml).toContain('# Left out: 1 bad.')
    expect(rejected).toBe(1)
  })

  test.each<readonly [what: string, recordings: readonly object[], code: number, says: string]>([
    ['too few answers', tickets.slice(0, 3), 2, 'there are 3 answers to learn from, and at least 5 are needed'],
    ['another format', [{ a: 1 }], 2, 'unknown format; keys seen: a'],
  ])('says so: %s', async (_, recordings, code, says) => {
    const ended = await runCli(['suggest'], { stdin: lines(recordings) })
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(says)
    expect(ended.stdout).toBe('')
  })

  it('quotes hostile headings', async () => {
    const hostile = texts.map(({ id }) => ({ id, text: `# x: [y] # {z}\u001b[31m\n\n${words}` }))
    const { yaml, rejected } = await roundTrip(hostile)
    expect(rejected).toBe(0)
    expect(yaml).not.toMatch(/(?!\n)\p{Cc}/u)
  })
})

describe('schemas', () => {
  test.each<readonly [what: string, values: readonly unknown[], schema: object]>([
    ['few values', ['low', 'low'], { type: 'string', minLength: 1 }],
    ['words that are seen often', Array.from({ length: 40 }, (_, at) => (at % 2 ? 'a' : 'b')), { enum: ['a', 'b'] }],
    ['a word that is seen once', [...Array.from({ length: 40 }, () => 'a'), 'b'], { type: 'string', minLength: 1, maxLength: 1 }],
    ['integers and numbers', [1, 2.5], { type: 'number' }],
    ['null', [null, 'x'], { type: ['null', 'string'], minLength: 1 }],
    ['empty lists', [[]], { type: 'array' }],
    ['keys that are data', [{ 'a b': 1 }], { type: 'object' }],
    ['many keys', [Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`k${at}`, 1]))], { type: 'object' }],
  ])('%s', (_, values, schema) => {
    const shape = emptyShape()
    for (const value of values) observe(shape, value)
    expect(schemaOf(shape)).toEqual(schema)
  })

  it('bounds depth', () => {
    let deep: unknown = 1
    for (let at = 0; at < 5000; at++) deep = [deep]
    const shape = emptyShape()
    observe(shape, deep)
    expect(JSON.stringify(schemaOf(shape)).length).toBeLessThan(500)
  })

  test.each([
    [0, 1],
    [7, 7],
    [99, 99],
    [101, 110],
    [1234, 1300],
  ])('rounds %d up to %d', (value, rounded) => expect(roundUp(value)).toBe(rounded))
})
