import { expect, test } from 'vitest'
import { UsageSpotter } from './passthrough-usage.ts'

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const found = { promptTokens: 3, completionTokens: 4 }
const asked = { model: 'm', prompt: 'What is a tab?' }
/** The whole request, as it is reserved for. */
const none = { promptTokens: 22, completionTokens: 0, estimated: true }

test.each<[string, string, string, object]>([
  ['a whole reply', 'application/json; charset=utf-8', JSON.stringify({ data: [], usage }), found],
  [
    'a stream',
    'text/event-stream',
    `data: {"choices":[]}\n\ndata: {"usage":null}\n\ndata: {"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`,
    found,
  ],
  ['a stream with other ends of lines', 'text/event-stream', `: hi\r\rdata: {"usage":${JSON.stringify(usage)}}\r\rdata: [DONE]\r\r`, found],
  ['an event of several lines', 'text/event-stream', `\uFEFFdata: {"usage":\r\ndata: ${JSON.stringify(usage)}}\r\n\r\n`, found],
  ['a reply without usage', 'application/json', '{"data":[]}', none],
  ['a stream without usage', 'text/event-stream', 'data: {}\n\n', none],
  ['texts without usage', 'application/json', '{"choices":[{"text":"twelve bytes"},{"text":"four"}]}', { ...none, completionTokens: 4 }],
  [
    'a stream that broke off',
    'text/event-stream',
    'data: {"choices":[{"text":"twelve bytes"}]}\n\ndata: {"choices":[{"te',
    { ...none, completionTokens: 3 },
  ],
  ['broken JSON', 'application/json', '{"usage":{', { ...none, completionTokens: 3 }],
  ['nothing', 'text/plain', '', none],
  [
    'more than is read',
    'application/json',
    `{"pad":"${'x'.repeat(5_000_000)}","usage":${JSON.stringify(usage)}}`,
    { promptTokens: expect.any(Number) },
  ],
])('%s', (_, contentType, text, expected) => {
  for (const size of [7_000_000, 1000]) {
    const spotter = new UsageSpotter({ asked, carries: 'answers', price: undefined })
    spotter.begin(contentType)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) spotter.take(bytes.subarray(at, at + size))
    expect(spotter.usage()).toMatchObject(expected)
  }
})

test('a call that brought no reply has used nothing, and data has no tokens of its own', () => {
  expect(new UsageSpotter({ asked, carries: 'answers', price: undefined }).usage()).toEqual({ promptTokens: 0, completionTokens: 0 })
  const price = { promptPerMillion: 1e6, completionPerMillion: 1e6 }
  const data = new UsageSpotter({ asked: { input: ['a'] }, carries: 'data', price })
  data.begin('application/json')
  data.take(Buffer.from(`{"data":[{"embedding":[${'0.1,'.repeat(100)}1]}]}`))
  expect(data.usage()).toEqual({ promptTokens: 14, completionTokens: 0, cost: 14, estimated: true })
})
