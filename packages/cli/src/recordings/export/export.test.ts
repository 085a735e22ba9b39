import { contract, settle } from '@stickler/core'
import { expect, it, test } from 'vitest'
import { runCli } from '../../testing/run-cli.ts'
import { jsonlResults } from './jsonl.ts'
import { otelResults } from './otel.ts'
import { promptfooResults } from './promptfoo.ts'
import type { EvaluatedRecording, ResultWriter } from './result.ts'

const brief = contract({ checks: [{ max_words: { limit: 2 } }], repair: 'never' })

async function results(): Promise<EvaluatedRecording[]> {
  const made: EvaluatedRecording[] = []
  for (const [at, text] of ['Yes.', 'one two \u001b[31m three', 'a'].entries()) {
    const { status, issues, unchecked } = await settle(brief, text)
    made.push({
      recording: {
        id: `r${at}`,
        file: 'f',
        line: at + 1,
        fields: { text, prompt: 'Rain?' },
        model: 'm',
        usage: { promptTokens: 9, completionTokens: 2 },
      },
      text,
      contract: 'brief',
      status: at === 2 ? 'unchecked' : status,
      issues,
      unchecked: at === 2 ? [{ validator: 'max_words', cause: 'timeout', message: 'late' }] : unchecked,
    })
  }
  return made
}

async function written(writer: ResultWriter): Promise<string> {
  return writer.begin + (await results()).map((result) => writer.add(result)).join('') + writer.end()
}

const writers = {
  jsonl: () => jsonlResults(),
  promptfoo: () => promptfooResults({ id: 'eval-1', timestamp: '2026-01-01T00:00:00.000Z' }),
  otel: () => otelResults({ version: '1', now: () => 5 }),
}

it('writes promptfoo results, whose verdicts are read back', async () => {
  const text = await written(writers.promptfoo())
  expect(JSON.parse(text)).toMatchObject({
    evalId: 'eval-1',
    results: {
      version: 3,
      results: [
        { testIdx: 0, success: true, score: 1, failureReason: 0, error: null, response: { output: 'Yes.' } },
        {
          testIdx: 1,
          success: false,
          failureReason: 1,
          gradingResult: { componentResults: [{ pass: false, assertion: { metric: 'MAX_WORDS' } }] },
        },
        { testIdx: 2, success: false, failureReason: 2 },
      ],
      stats: { successes: 1, failures: 1, errors: 1, tokenUsage: { total: 33 } },
    },
  })
  const { stdout, stderr } = await runCli(['import'], { stdin: text })
  expect(stderr).toBe('3 lines: 2 answers, 1 error (promptfoo)\n')
  expect(
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { id: 'r0', text: 'Yes.', label: 'good' },
    { id: 'r1', label: 'bad' },
  ])
})

it('writes events of OpenTelemetry, in which an unchecked answer has no score', async () => {
  const events = (await written(writers.otel()))
    .split('\n')
    .filter(Boolean)
    .map(
      (line) =>
        (
          JSON.parse(line) as {
            resourceLogs: [{ scopeLogs: [{ logRecords: [{ eventName: string; attributes: { key: string; value: object }[] }] }] }]
          }
        ).resourceLogs[0].scopeLogs[0].logRecords[0],
    )
  expect(events.map(({ eventName }) => eventName)).toEqual(Array.from({ length: 3 }, () => 'gen_ai.evaluation.result'))
  const [good, bad, unknown] = events.map(({ attributes }) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown])),
  )
  expect(good).toMatchObject({
    'gen_ai.evaluation.name': 'brief',
    'gen_ai.response.id': 'r0',
    'gen_ai.evaluation.score.value': 1,
    'gen_ai.evaluation.score.label': 'pass',
  })
  expect(bad).toMatchObject({ 'gen_ai.evaluation.score.label': 'fail', 'stickler.codes': 'MAX_WORDS' })
  expect(unknown).toMatchObject({ 'error.type': 'unchecked' })
  expect(unknown).not.toHaveProperty(['gen_ai.evaluation.score.value'])
})

it('writes lines that check reads again', async () => {
  const text = await written(writers.jsonl())
  expect((await runCli(['import'], { stdin: text })).stderr).toBe('3 lines: 3 answers (stickler)\n')
})

test.each(Object.entries(writers))('%s is safe to print', async (_, make) => {
  expect(await written(make())).not.toMatch(/(?!\n)\p{Cc}/u)
})

it('writes an empty promptfoo file that can be parsed', () => {
  const writer = writers.promptfoo()
  expect(JSON.parse(writer.begin + writer.end())).toMatchObject({ results: { results: [], stats: { successes: 0 } } })
})
