import { expect, test } from 'vitest'
import { UsageSpotter } from './usage-spotter.ts'

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const found = { promptTokens: 3, completionTokens: 4 }
const none = { promptTokens: 0, completionTokens: 0 }

test.each<[string, string, string, object]>([
  ['a whole reply', 'application/json; charset=utf-8', JSON.stringify({ data: [], usage }), found],
  [
    'a stream',
    'text/event-stream',
    `data: {"choices":[]}\n\ndata: {"usage":null}\n\ndata: {"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`,
    found,
  ],
  ['a reply without usage', 'application/json', '{"data":[]}', none],
  ['a stream without usage', 'text/event-stream', 'data: {}\n\n', none],
  ['broken JSON', 'application/json', '{"usage":{', none],
  ['nothing', 'text/plain', '', none],
  ['more than is read', 'application/json', `{"pad":"${'x'.repeat(5_000_000)}","usage":${JSON.stringify(usage)}}`, none],
])('%s', (_, contentType, text, expected) => {
  for (const size of [7_000_000, 1000]) {
    const spotter = new UsageSpotter(contentType)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) spotter.take(bytes.subarray(at, at + size))
    expect(spotter.usage()).toMatchObject(expected)
  }
})
