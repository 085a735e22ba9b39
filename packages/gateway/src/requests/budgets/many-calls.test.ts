import { chatCalls, ToolCallAssembly } from '@stickler/core/internal/apis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { answering, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { apis } from '../../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const tools = [{ type: 'function', function: { name: 'ping', parameters: { type: 'object' } } }]
const calls = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `c${at}`, name: 'ping', arguments: '{}' }))

describe.each(Object.keys(apis) as (keyof typeof apis)[])('%s', (api) => {
  describe.each([
    ['whole', false],
    ['streamed', true],
  ])('%s', (_, stream) => {
    test.each(['called', 'marked'])('contract %s: more than 1000 calls are too many', async (model) => {
      gateway.upstream.enqueue(...[1, 2].map(() => answering('<!-- STEP: done -->', { toolCalls: calls(1001) })))
      expect(await apis[api](gateway, { model, stream, tools })).toMatchObject({ status: 422, code: 'TOO_COMPLEX', calls: [] })
    })

    test('1000 calls are delivered', async () => {
      gateway.upstream.enqueue(answering('', { toolCalls: calls(1000) }))
      const seen = await apis[api](gateway, { model: 'called', stream, tools })
      expect(seen.status).toBe(200)
      expect(seen.calls).toHaveLength(1000)
    })
  })

  test.each(['length', 'content_filter'])('an end of %s is not taken back by a later stop', async (first) => {
    const chunk = (delta: object, finish: string | null) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })
    const stream = answeringEvents([chunk({ content: '<!-- STEP: done -->' }, null), chunk({}, first), chunk({}, 'stop')])
    gateway.upstream.enqueue(stream, stream)
    expect((await apis[api](gateway, { model: 'marked', stream: true })).verdict).not.toBe('valid')
  })
})

describe('as many calls take as long, in few answers or in many', () => {
  const choice = (count: number) => {
    const message = { tool_calls: calls(count).map(({ id, ...called }) => ({ id, type: 'function', function: called })) }
    return { index: 0, text: '', toolCalls: calls(count), message, refused: false, fields: {} }
  }
  const assembled = (count: number, indexed: boolean) => {
    const assembly = new ToolCallAssembly()
    for (const [index, { id, ...called }] of calls(count).entries())
      assembly.push([{ ...(indexed ? { index } : {}), id, function: called }])
    expect(assembly.calls()).toHaveLength(count)
  }
  test.each<[string, (count: number) => void]>([
    ['with an index', (count) => assembled(count, true)],
    ['without an index', (count) => assembled(count, false)],
    ['written for chat completions', (count) => void chatCalls(choice(count) as unknown as Parameters<typeof chatCalls>[0], 'r')],
  ])('%s', async (_, run) => {
    const timeOf = (answers: number) =>
      processorMs(() => {
        for (let count = 0; count < answers; count++) run(40_000 / answers)
      })
    await timeOf(16)
    // Quadratic time would be four times as long.
    expect(await timeOf(4)).toBeLessThan(100 + 2.5 * (await timeOf(16)))
  })
})
