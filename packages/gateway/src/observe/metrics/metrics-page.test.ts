import { describe, expect, it } from 'vitest'
import { startTestGateway } from '../../testing/test-gateway.ts'
import { createMetrics } from './metrics.ts'

const counted = (text: string) => /^stickler_requests_total\{api="chat",.* (\d+)$/m.exec(text)?.[1]

describe('/metrics of several workers', () => {
  it('shows all as one, and its own alone when there are no others', async () => {
    const other = createMetrics({ names: { contracts: [], models: [], upstreams: [], apis: ['chat'] }, processMetrics: true })
    const gateway = await startTestGateway({ otherMetrics: async () => [JSON.parse(JSON.stringify(await other.snapshot()))] })
    const alone = await startTestGateway()
    for (const { post } of [gateway, alone]) await (await post('/v1/chat/completions', { model: 'plain', messages: [] })).text()
    const [own] = [await gateway.metrics()]
    expect(own.find(({ name }) => name === 'stickler_requests_total')?.values).toHaveLength(1)
    for (let count = 0; count < 4; count++) other.request({ api: 'chat', status: 400 })
    const texts = await Promise.all([gateway, alone].map(async ({ get }) => (await get('/metrics')).text()))
    expect(texts.map(counted)).toEqual(['5', '1'])
    expect(texts[0]).toMatch(/^# TYPE stickler_requests_total counter$/m)
    await Promise.all([gateway.close(), alone.close()])
  })
})
