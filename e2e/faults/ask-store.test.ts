import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type AskGateway, startAskGateway } from '../../packages/gateway/src/testing/ask-gateway.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { type TestDatabase, testEngines } from '../../packages/gateway/src/testing/store-engines.ts'

describe.each(testEngines().filter(({ name }) => name === 'postgres'))('questions while $name is down', (engine) => {
  let database: TestDatabase
  let asking: AskGateway
  beforeAll(async () => {
    await engine.start()
    database = await engine.newDatabase('')
    asking = await startAskGateway('{ upstreams: [first, second], limits: { dailyCostUsd: 5 } }', {
      yaml: 'store: { urlEnv: STORE_URL }\nserver: { port: 0 }\n',
      env: { STORE_URL: database.url },
    })
    asking.upstream.otherwise(answering('Green[^1].', { usage: { prompt: 100, completion: 10 } }))
  })
  afterAll(async () => {
    await asking.close()
    await database.close()
    await engine.stop()
  })

  const sentence = 'The store (PostgreSQL) does not answer; try again in a moment.'

  it('are 503 that names the store and no part of its address, and are answered when it is back', async () => {
    expect(await asking.ask()).toMatchObject({ status: 200 })
    database.fail()
    onTestFinished(() => database.mend())
    const whole = await asking.ask()
    expect([whole.status, JSON.parse(whole.text), whole.headers.get('retry-after')]).toEqual([503, { ok: false, error: sentence }, '2'])
    const streamed = await asking.ask({ stream: true })
    expect(streamed.text).toContain(`event: error\ndata: {"code":503,"message":"${sentence}"}`)
    // Nobody is asked for an answer that could not be charged.
    expect([whole.calls.length, streamed.calls.length]).toEqual([0, 0])
    const { password, username, port } = new URL(database.url)
    for (const { text } of [whole, streamed]) for (const secret of [password, username, port]) expect(text).not.toContain(secret)
    database.mend()
    await expect.poll(async () => (await asking.ask()).status, { timeout: 20_000 }).toBe(200)
  })
})
