import { enforced } from '@stickler/ai-sdk'
import { type TraceEvent, UndeliveredError } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { loadMajors, type Major, type Result } from './ai-majors.ts'
import { type AdapterCase, cases, longAnswer, question, refusal, type Seen, weatherSchema } from './cases.ts'
import { readSlowly } from './slow-reader.ts'
import { behaviourOf } from './upstream.ts'

const majors = await loadMajors()
const providers = ['openai', 'responses', 'anthropic', 'compatible'] as const
let upstream: ProgrammableUpstream

beforeAll(async () => {
  upstream = await startProgrammableUpstream(answering('No script.'))
})
afterAll(() => upstream.close())

/** What a caller of the SDK sees of a case. */
async function seenThrough(
  major: Major,
  provider: (typeof providers)[number],
  one: Pick<AdapterCase, 'contract' | 'tools' | 'answers'>,
  isStreamed: boolean,
): Promise<Seen> {
  upstream.enqueue(...one.answers.map(behaviourOf))
  let ended: Extract<TraceEvent, { type: 'run-ended' }> | undefined
  const onEvent = (event: TraceEvent): void => {
    if (event.type === 'run-ended') ended = event
  }
  const { ai } = major
  const model = enforced(major[provider](upstream.url), one.contract, { onEvent })
  const tools = one.tools && { get_weather: { inputSchema: ai.jsonSchema(weatherSchema) } }
  const options = { model, prompt: question, maxRetries: 0, ...(tools && { tools }) }
  const run = () => ({ status: ended?.status, attempts: ended?.attempts }) as Pick<Seen, 'status' | 'attempts'>
  try {
    const { text, steps } = isStreamed ? await streamed(major, options) : await ai.generateText(options)
    const calls = steps.flatMap(({ toolCalls }) => toolCalls as readonly { readonly toolName: string; readonly input: unknown }[])
    return { delivered: true, text, calls: calls.map(({ toolName, input }) => ({ name: toolName, arguments: input })), ...run() }
  } catch (error) {
    const code = codeOf(error)
    return { delivered: false, ...(code !== undefined && { code }), ...run() }
  }
}

async function streamed({ ai }: Major, options: object): Promise<Pick<Result, 'text' | 'steps'>> {
  const result = ai.streamText({ ...options, onError: () => {} })
  const [text, steps] = await Promise.all([result.text, result.steps])
  return { text, steps }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof UndeliveredError)) throw error
  return error.issues.find(({ severity }) => severity === 'error')?.code
}

describe.each(majors)('$name has the outcome that all adapters have', (major) => {
  describe.each(providers)('with the provider %s', (provider) => {
    test.each(cases)('$name, whole', async (one) => {
      expect(await seenThrough(major, provider, one, false)).toEqual(one.seen)
    })

    test.each(cases)('$name, streamed', async (one) => {
      expect(await seenThrough(major, provider, one, true)).toEqual(one.seen)
    })

    test('a slow reader gets everything, and nothing of what is rejected', async () => {
      upstream.enqueue(...longAnswer.answers.map(behaviourOf))
      const model = enforced(major[provider](upstream.url), longAnswer.contract)
      expect(await readSlowly(major.ai.streamText({ model, prompt: question, maxRetries: 0 }).textStream)).toBe(longAnswer.seen.text)
    })

    test.each([false, true])('a refusal is no valid answer without text: stream %s', async (isStreamed) => {
      expect(await seenThrough(major, provider, refusal, isStreamed)).toEqual(refusal.thrown)
    })
  })
})
