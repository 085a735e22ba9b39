import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  called: { checks: [tool_calls], retries: 0, lastResort: [guess] }
routes: [{ model: called, upstream: up, contract: called }]
`
let gateway: TestGateway
let client: OpenAI

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
})
afterAll(() => gateway.close())

const parameters = { type: 'object', properties: { height_m: { type: 'number' }, unit: { type: 'string' } }, required: ['height_m'] }
const tools = [{ type: 'function' as const, function: { name: 'calc_bmi', parameters } }]
const fence = '```'
const bmi = { height_m: 1.8, unit: 'kg' }

/** How models write calls as text. */
const notations: Readonly<Record<string, readonly [text: string, ...given: readonly object[]]>> = {
  'escaped underscores': [String.raw`[calc\_bmi(height\_m=1.8, unit='kg')]`, bmi],
  'a list of strings': [`['calc_bmi(height_m=1.8, unit="kg")']`, bmi],
  'a string': [`"calc_bmi(height_m=1.8, unit='kg')"`, bmi],
  'calls without brackets': ['calc_bmi(height_m=1.8, unit="kg"), calc_bmi(height_m=2)', bmi, { height_m: 2 }],
  'literals of Python': [`{'name': 'calc_bmi', 'arguments': {'height_m': 1.8, 'unit': 'kg'}}`, bmi],
  'the fence of the prompt': [`[calc_bmi(height_m=1.8, unit='kg')]\n${fence}`, bmi],
  'names and types to repair': ['Calc_BMI(heightM="1.8", unit="kg")', bmi],
}

interface Message {
  readonly content?: string | null
  readonly tool_calls?: readonly {
    readonly id?: string
    readonly type?: string
    readonly function?: { name?: string; arguments?: string }
  }[]
}

async function ask(stream: boolean): Promise<{ readonly message: Message; readonly reason: string | null | undefined }> {
  const request = { model: 'called', messages: [{ role: 'user' as const, content: 'My index?' }], tools }
  const whole = stream ? await client.chat.completions.stream(request).finalChatCompletion() : await client.chat.completions.create(request)
  const [choice] = whole.choices
  return { message: choice?.message as Message, reason: choice?.finish_reason }
}

describe.each([
  ['whole', false],
  ['streamed', true],
] as const)('a call that is written as text arrives as a real one, %s', (_way, stream) => {
  test.each(Object.entries(notations))('%s', async (_name, [text, ...given]) => {
    gateway.upstream.enqueue(answering(text))
    const { message, reason } = await ask(stream)
    expect(reason).toBe('tool_calls')
    expect(message.content ?? '').toBe('')
    expect(message.tool_calls?.map(({ function: called }) => [called?.name, JSON.parse(called?.arguments ?? '')])).toEqual(
      given.map((one) => ['calc_bmi', one]),
    )
    expect(new Set(message.tool_calls?.map(({ id }) => id)).size).toBe(given.length)
  })

  test.each([
    ['an explanation', 'Call calc_bmi(height_m=1.8) for that.'],
    ['a call that is cut off', 'calc_bmi(height_m=1.8), calc_bmi(height_m='],
    ['a quoted example', `Write 'calc_bmi(height_m=1.8)', or:\n\n${fence}\ncalc_bmi(height_m=1.8)\n${fence}`],
  ])('%s stays text', async (_name, text) => {
    gateway.upstream.enqueue(answering(text))
    const { message, reason } = await ask(stream)
    expect({ content: message.content, calls: message.tool_calls ?? [], reason }).toEqual({ content: text, calls: [], reason: 'stop' })
  })
})
