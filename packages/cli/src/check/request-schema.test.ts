import { describe, expect, it } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

async function lines(input: readonly unknown[], argv: readonly string[] = []) {
  const { code, stdout } = await runCli(['check', '--jsonl', '-', ...argv], { stdin: input.map((line) => JSON.stringify(line)).join('\n') })
  return {
    code,
    results: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

describe('the schema of a request is kept', () => {
  const schema = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] }
  const format = { type: 'json_schema', json_schema: { name: 'a', schema } }
  const call = { id: 'c', type: 'function', function: { name: 'plan', arguments: '{"days": "few"}' } }
  const forced = { tools: [{ type: 'function', function: { name: 'plan', parameters: schema } }], tool_choice: 'required' }
  const completion = { object: 'chat.completion', choices: [{ message: { role: 'assistant', content: '{}' }, finish_reason: 'stop' }] }
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '{}' }] }]

  it.each<[string, object]>([
    ['a format', { text: '{"days": "few"}', response_format: format }],
    ['the format of messages', { text: '{}', output_config: { format: { type: 'json_schema', schema } } }],
    ['a forced tool', { text: '', tool_calls: [call], ...forced }],
    [
      'a response that repeats its format',
      { response: { object: 'response', status: 'completed', output, text: { format: { type: 'json_schema', name: 'a', schema } } } },
    ],
  ])('%s', async (_name, line) => {
    const { code, results } = await lines([{ id: 1, checks: [], ...line }])
    expect([code, results]).toMatchObject([
      1,
      [{ status: 'unresolved', issues: [{ validator: 'request_schema', code: 'SCHEMA_MISMATCH' }] }],
    ])
  })

  it('in the record of another tool', async () => {
    const record = {
      request_id: 'r',
      request_body: { model: 'm', messages: [], response_format: format },
      response_body: completion,
      response_status: 200,
    }
    const { results } = await lines([record], ['--check', 'step_marker'])
    expect(results).toMatchObject([{ id: 'r', status: 'unresolved' }])
    expect(JSON.stringify(results)).toContain('request_schema')
  })

  it('unless it cannot be used, which is a warning', async () => {
    const odd = { type: 'json_schema', json_schema: { name: 'a', schema: { $ref: 'https://example.com/x' } } }
    const { code, results } = await lines([{ id: 1, checks: [], text: '{}', response_format: odd }])
    expect([code, results]).toMatchObject([0, [{ status: 'valid', issues: [{ code: 'UNUSABLE_SCHEMA', severity: 'warning' }] }]])
  })
})
