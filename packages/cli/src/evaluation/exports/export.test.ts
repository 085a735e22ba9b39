import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { folderWith, runCli } from '../../testing/run-cli.ts'
import { promptfooResults } from './promptfoo.ts'

const config = `contracts:
  brief: { checks: [{ max_words: { limit: 2 } }], repair: never }
  outside: { checks: [{ remote: { name: rule, url: "http://127.0.0.1:1/" } }] }
upstreams:
  - { name: terse, kind: scripted, answers: ["Use spaces."] }
`
const lines = [
  { id: 'r0', text: 'Yes.', prompt: 'Rain?', model: 'm', usage: { promptTokens: 9, completionTokens: 2 } },
  { id: 'r1', text: 'one two \u001b[31m canary', prompt: 'Rain?', model: 'm', usage: { promptTokens: 9, completionTokens: 2 } },
]
const files = {
  'stickler.yaml': config,
  'a.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  'p.jsonl': '{"id":"tabs","prompt":"Tabs or spaces?"}\n',
}

/** What `eval --output` writes in a format. */
async function written(format: string, argv: readonly string[] = ['a.jsonl', '--contract', 'brief', '--texts']): Promise<string> {
  const cwd = await folderWith(files)
  const { code, stderr } = await runCli(['eval', ...argv, '--output', `${format}=out/results`], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  return readFile(join(cwd, 'out/results'), 'utf8')
}

const parsed = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

it('writes promptfoo results, whose verdicts are read back', async () => {
  const text = await written('promptfoo')
  expect(JSON.parse(text)).toMatchObject({
    evalId: expect.stringMatching(/^eval_/),
    results: {
      version: 3,
      timestamp: '1970-01-01T00:00:00.000Z',
      results: [
        { testIdx: 0, success: true, score: 1, failureReason: 0, error: null, response: { output: 'Yes.' }, prompt: { raw: 'Rain?' } },
        {
          testIdx: 1,
          success: false,
          failureReason: 1,
          gradingResult: { componentResults: [{ pass: false, assertion: { metric: 'max_words/MAX_WORDS' } }] },
        },
      ],
      stats: { successes: 1, failures: 1, errors: 0, tokenUsage: { total: 22 } },
    },
  })
  const { stdout, stderr } = await runCli(['import'], { stdin: text })
  expect(stderr).toBe('2 lines: 2 answers (promptfoo)\n')
  expect(parsed(stdout)).toMatchObject([
    { id: 'r0', text: 'Yes.', label: 'good' },
    { id: 'r1', label: 'bad' },
  ])
  const unchecked = JSON.parse(await written('promptfoo', ['a.jsonl', '--contract', 'outside'])) as unknown
  expect(unchecked).toMatchObject({ results: { results: [{ success: false, failureReason: 2 }, {}], stats: { successes: 0, errors: 2 } } })
})

type Event = {
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ eventName: string; attributes: { key: string; value: object }[] }] }] }]
}

const eventsIn = (text: string) =>
  (parsed(text) as Event[]).map(({ resourceLogs: [{ scopeLogs }] }) => {
    const { eventName, attributes } = scopeLogs[0].logRecords[0]
    return { eventName, ...Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown])) }
  })

it('writes events of OpenTelemetry, in which an unchecked answer has no score', async () => {
  const [good, bad] = eventsIn(await written('otel'))
  expect(good).toMatchObject({
    eventName: 'gen_ai.evaluation.result',
    'gen_ai.evaluation.name': 'brief',
    'gen_ai.response.id': 'r0',
    'gen_ai.evaluation.score.value': 1,
    'gen_ai.evaluation.score.label': 'pass',
  })
  expect(bad).toMatchObject({ 'gen_ai.evaluation.score.label': 'fail', 'stickler.errors': 'max_words/MAX_WORDS' })
  const [unknown] = eventsIn(await written('otel', ['a.jsonl', '--contract', 'outside']))
  expect(unknown).toMatchObject({ 'error.type': 'unchecked', 'stickler.status': 'unchecked' })
  expect(unknown).not.toHaveProperty(['gen_ai.evaluation.score.value'])
})

it('writes lines that are read again, and made answers with their prompts', async () => {
  const text = await written('jsonl')
  expect(parsed(text)).toMatchObject([
    { ...lines[0], contract: 'brief', status: 'valid', codes: [] },
    { id: 'r1', status: 'unresolved', codes: ['max_words/MAX_WORDS'] },
  ])
  expect((await runCli(['import'], { stdin: text })).stderr).toBe('2 lines: 2 answers (stickler)\n')
  const made = await written('jsonl', ['--prompts', 'p.jsonl', '--upstream', 'terse', '--contract', 'brief', '--texts'])
  expect(parsed(made)).toMatchObject([{ id: 'tabs@terse', text: 'Use spaces.', prompt: 'Tabs or spaces?', status: 'valid' }])
})

test.each(['promptfoo', 'otel', 'jsonl'])('%s is safe to print, and has texts only when they are asked for', async (format) => {
  expect(await written(format)).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(await written(format, ['a.jsonl', '--contract', 'brief'])).not.toMatch(/canary|Rain|Yes/)
})

it('writes an empty promptfoo file that can be parsed', () => {
  const { begin, end } = promptfooResults()
  expect(JSON.parse(begin + end({ id: 'eval-1', at: 0 }))).toMatchObject({ results: { results: [], stats: { successes: 0 } } })
})
