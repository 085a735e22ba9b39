import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptRun, sumOf } from '../../../packages/gateway/src/testing/fault-gateway.ts'
import { codeBlock, sound, startParserGateway } from '../../../packages/gateway/src/testing/parser-gateway.ts'
import { type ParserProcess, startParserProcess } from '../../../packages/gateway/src/testing/parser-process.ts'
import { answering } from '../../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import type { TestGateway } from '../../../packages/gateway/src/testing/test-gateway.ts'
import { ask, verdictOf } from '../../../packages/gateway/src/testing/wire.ts'

let parser: ParserProcess
let gateway: TestGateway

beforeAll(async () => {
  parser = await startParserProcess(0, 1000)
  gateway = await startParserGateway(
    `{ url: '${parser.url}', timeout: 30, breaker: { cooldown: 3600 } }`,
    '{ port: 0, judging: { deadline: 60 } }',
  )
})
afterAll(async () => {
  await gateway.close()
  await parser.kill()
})

const judged = async (text: string, stream: boolean) => {
  gateway.upstream.enqueue(answering(text))
  return verdictOf(await ask(gateway, 'chat', { model: 'code', stream }))
}
const openings = () => sumOf(gateway, 'stickler_parser_circuit_changes_total', 'state="open"')

describe('G11: a code block of 5 MB', () => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ])('%s: is too large to check, and does not open the circuit', async (_name, stream) => {
    const huge = codeBlock(JSON.stringify({ a: 'x'.repeat(5 * 1024 * 1024) }))
    const calls = parser.calls()
    for (let count = 0; count < 4; count++) {
      gateway.upstream.enqueue(answering(huge, { chunks: huge.match(/[\s\S]{1,65536}/g) ?? [] }))
      const id = `huge-${stream}-${count}`
      const reply = await ask(gateway, 'chat', { model: 'code', stream, headers: { 'x-request-id': id } })
      expect(verdictOf(reply)).toMatchObject({ status: 'unchecked' })
      const { unchecked } = await keptRun(gateway, id)
      expect(unchecked).toMatchObject([{ cause: 'unavailable', reason: 'too-large', message: 'The code is too large to check.' }])
    }
    expect([await openings(), parser.calls()]).toEqual([0, calls])
    expect(await judged(sound, stream)).toMatchObject({ status: 'valid' })
  })
})

describe('G14: a snippet that ends the process that parses it', () => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ])('%s: has no verdict, and the next snippet has one', async (how, stream) => {
    expect(await judged(codeBlock(`segfault ${how}`, 'scripted'), stream)).toMatchObject({ status: 'unchecked' })
    expect(await judged(sound, stream)).toMatchObject({ status: 'valid' })
    expect(await openings()).toBe(0)
  })
})
