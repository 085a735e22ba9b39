import { contract } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, faultYaml, keptRun } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: `${faultYaml}  - { model: "*", upstream: up, contract: lenient }\n` })
})
afterAll(() => gateway.close())

describe('X19 markup in what is kept', () => {
  const markup =
    '</script><script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>[a](javascript:alert(1))![b](http://127.0.0.1:9/x)'
  test('X19 comes back as JSON that no browser takes for a page', async () => {
    gateway.upstream.enqueue(answering(markup))
    await ask(gateway, 'chat', { model: `<b>${markup.slice(0, 60)}`, prompt: markup, headers: { 'x-request-id': 'markup' } })
    const run = await keptRun(gateway, 'markup')
    expect(run.text).toBe(markup)
    for (const path of ['/api/v1/runs', `/api/v1/runs/${run.id}`, '/api/v1/runs.csv']) {
      const { headers, status } = await gateway.get(path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^(?:application\/json|text\/csv)/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('X20 control characters in what is logged', () => {
  const evil = 'a\n{"level":50,"msg":"forged"}\r\u001b[31m\u001b]52;c;b3duZWQ=\u0007\u2028\u202e\u0000b'
  test('X20 one line of JSON per event, and nothing that a terminal would act upon', async () => {
    for (const [api, how] of ways) {
      gateway.upstream.enqueue(answering(evil, { model: evil, fields: { id: evil } }))
      await ask(gateway, api, {
        model: 'lenient',
        stream: how === 'streamed',
        prompt: evil,
        fields: { user: evil, stickler: { context: { [evil]: 1 } } },
      })
      await ask(gateway, api, { model: evil, stream: how === 'streamed' })
    }
    const lines = gateway.logLines.flatMap((text) => text.split('\n').filter((line) => line !== ''))
    expect(lines.length).toBe(gateway.logLines.length)
    for (const line of lines) {
      expect((JSON.parse(line) as { msg: string }).msg).not.toBe('forged')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
    }
  })
})

describe('X21 formulas in the export', () => {
  test.each(['=1+1', '+1+1', '-1+1', '@SUM(1)', '=cmd|x', '"=1'])('X21 %s', async (model) => {
    const id = `formula-${[...model].map((letter) => letter.charCodeAt(0)).join('-')}`
    await ask(gateway, 'chat', { model, headers: { 'x-request-id': id, 'x-stickler-session': '@here' } })
    await keptRun(gateway, id)
    const csv = await (await gateway.get('/api/v1/runs.csv')).text()
    const cells = csv.split(/\r?\n|,/).map((cell) => cell.replace(/^"/, ''))
    expect(csv).toContain(model.replaceAll('"', '""'))
    expect(cells.filter((cell) => /^[=+@\t\r]|^-[^0-9]|^-1\+/.test(cell))).toEqual([])
  })
})

describe('X32 a policy that changes during a request', () => {
  test.each(ways)('X32 %s %s: what has begun ends under the policy that it began with', async (api, how) => {
    const stream = how === 'streamed'
    const long = 'one two three four five six'
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const before = gateway.upstream.requests.length
    gateway.upstream.otherwise(async (exchange) => {
      await released
      await answering(`${long} ${exchange.number}`)(exchange)
    })
    const begun = Array.from({ length: 8 }, () => ask(gateway, api, { model: 'brief', stream }))
    await eventually(() => gateway.upstream.requests.length === before + 8)
    const lax = contract({ checks: [], mode: 'shadow' })
    await gateway.reload({ ...gateway.config, contracts: new Map([...gateway.config.contracts].map(([name]) => [name, lax])) })
    const later = Array.from({ length: 8 }, () => ask(gateway, api, { model: 'brief', stream }))
    await eventually(() => gateway.upstream.requests.length === before + 16)
    release()
    for (const reply of await Promise.all(begun)) {
      // The retry, too, came after the change.
      expect(reply.status).toBe(422)
      expect(verdictOf(reply)).toMatchObject({ status: 'unresolved', attempts: 2 })
    }
    for (const reply of await Promise.all(later)) {
      expect(reply.status).toBe(200)
      expect(textOf(api, reply)).toContain(long)
    }
    await gateway.reload(gateway.config)
    gateway.upstream.otherwise(answering('Fine.'))
  })
})
