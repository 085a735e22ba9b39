import { enforced, middleware, progressTo, repairToolCall } from '@stickler/ai-sdk'
import { contract, UndeliveredError } from '@stickler/core'
import { json, maxWords } from '@stickler/core/validators'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { scriptedModel, type Turn } from '../../packages/ai-sdk/src/testing/scripted-model.ts'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, failing, fallingSilent } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { loadMajors, type Major, type Result, type UiChunk } from './ai-majors.ts'

const majors = await loadMajors()
let upstream: ProgrammableUpstream

beforeAll(async () => {
  upstream = await startProgrammableUpstream(answering('No script.'))
})
afterAll(() => upstream.close())

const prompt = 'Plan a trip.'
const Plan = z.object({ city: z.string(), days: z.int() })
const brief = contract({ checks: [maxWords({ limit: 3 })], retries: 1, stream: 'hold' })
const planned = contract({ checks: [json({ schema: Plan })], retries: 1 })
const called = contract({ checks: ['tool_calls'], retries: 1 })
const rome = { id: 'call_1', name: 'get_weather', arguments: '{"City":"Rome"}' }
const usage = { prompt: 11, completion: 3 }

/** What both ways of asking must give; errors included. */
async function asked(
  { ai }: Major,
  isStreamed: boolean,
  options: object,
): Promise<Partial<Result> & { readonly error?: unknown; readonly heard?: readonly unknown[] }> {
  if (!isStreamed) return await ai.generateText({ prompt, ...options }).catch((error: unknown) => ({ error }))
  const heard: unknown[] = []
  const result = ai.streamText({ prompt, onError: ({ error }: { error: unknown }) => void heard.push(error), ...options })
  const names = [
    'text',
    'finishReason',
    'reasoningText',
    'sources',
    'totalUsage',
    'providerMetadata',
    'steps',
    ...('output' in options ? ['output'] : []),
  ] as const
  try {
    const values = await Promise.all(names.map((name) => result[name as keyof Result]))
    return Object.fromEntries(names.map((name, at) => [name, values[at]]))
  } catch (error) {
    return { error, heard }
  }
}

async function chunksOf(stream: ReadableStream<UiChunk>): Promise<{ readonly chunks: readonly UiChunk[]; readonly error?: unknown }> {
  const chunks: UiChunk[] = []
  const reader = stream.getReader()
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) chunks.push(step.value)
    return { chunks }
  } catch (error) {
    return { chunks, error }
  }
}

describe.each(majors)('$name', (major) => {
  const { ai, version } = major
  const tools = {
    get_weather: {
      inputSchema: ai.jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
      execute: ({ city }: { city: string }) => `Sun over ${city}`,
    },
  }

  describe.each([false, true])('streamed: %s', (isStreamed) => {
    describe.each(['openai', 'anthropic', 'compatible'] as const)('with the provider %s', (provider) => {
      const model = (rules = brief) => enforced(major[provider](upstream.url), rules)

      it('gives a valid answer with its usage', async () => {
        upstream.enqueue(answering('Use spaces.', { usage }))
        const got = await asked(major, isStreamed, { model: model() })
        expect(got).toMatchObject({
          text: 'Use spaces.',
          finishReason: 'stop',
          totalUsage: { inputTokens: 11, outputTokens: 3 },
          providerMetadata: { stickler: { status: 'valid', attempts: 1 } },
        })
      })

      it('never shows a rejected attempt', async () => {
        upstream.enqueue(
          answering('That depends on many things.', { usage, reasoning: 'Wrong.' }),
          answering('Use spaces.', { usage, reasoning: 'Right.' }),
        )
        const got = await asked(major, isStreamed, { model: model() })
        expect(got).toMatchObject({
          text: 'Use spaces.',
          totalUsage: { inputTokens: 22, outputTokens: 6 },
          providerMetadata: { stickler: { attempts: 2 } },
        })
        const { text, reasoningText, steps } = got
        const content = steps?.map((step) => step.content)
        expect(JSON.stringify({ text, reasoningText, content })).not.toMatch(/Wrong|depends/)
        const messages = upstream.requests.at(-1)?.json?.messages as readonly { readonly role: string }[]
        expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
      })

      it('repairs an object, and its text is parsed', async () => {
        upstream.enqueue(answering('{"city": "Ulm"}'), answering('Here: {"city": "Ulm", "days": "2",}'))
        const got = await asked(major, isStreamed, {
          model: model(contract({ checks: [], retries: 1 })),
          output: ai.Output.object({ schema: Plan }),
        })
        expect(got).toMatchObject({
          text: '{"city": "Ulm", "days": 2}',
          output: { city: 'Ulm', days: 2 },
          providerMetadata: { stickler: { status: 'repaired' } },
        })
      })

      it('runs a tool with repaired input, and goes on', async () => {
        upstream.enqueue(answering('', { toolCalls: [rome] }), answering('It is sunny.'))
        const got = await asked(major, isStreamed, { model: model(called), tools, stopWhen: ai.stepCountIs(3) })
        expect(got.text).toBe('It is sunny.')
        const [{ finishReason, toolCalls, toolResults } = {}] = got.steps ?? []
        expect([finishReason, toolCalls, toolResults]).toMatchObject([
          'tool-calls',
          [{ toolName: 'get_weather', input: { city: 'Rome' } }],
          [{ output: 'Sun over Rome' }],
        ])
      })

      it('gives up with our error, unwrapped and without further calls', async () => {
        const before = upstream.requests.length
        upstream.enqueue(answering('One two three four.'), answering('One two three four five.'))
        const { error, heard } = await asked(major, isStreamed, { model: model() })
        expect(error).toBeInstanceOf(UndeliveredError)
        expect(error).toMatchObject({ issues: [{ code: 'MAX_WORDS' }] })
        expect(upstream.requests.length).toBe(before + 2)
        if (isStreamed) expect(heard).toEqual([error])
      })

      it('does not deliver what was cut off', async () => {
        upstream.enqueue(answering('Use spa', { finishReason: provider === 'anthropic' ? 'max_tokens' : 'length' }))
        const { error } = await asked(major, isStreamed, { model: model(contract({ checks: [maxWords({ limit: 9 })], retries: 0 })) })
        expect(error).toMatchObject({ name: 'UndeliveredError', issues: [{ code: 'TRUNCATED' }] })
      })

      it('lets the SDK repeat what the provider failed to do, and hear of what stays wrong', async () => {
        upstream.enqueue(failing(503, { 'retry-after-ms': '1' }), answering('Use spaces.'))
        expect(await asked(major, isStreamed, { model: model(), maxRetries: 1 })).toMatchObject({ text: 'Use spaces.' })
        upstream.enqueue(failing(401))
        const { error, heard } = await asked(major, isStreamed, { model: model() })
        expect(isStreamed ? heard : [error]).toMatchObject([{ name: 'AI_APICallError', statusCode: 401 }])
      })
    })

    it('stops at an abort', async () => {
      upstream.enqueue(isStreamed ? fallingSilent('Use spaces now.', 2) : answering('Late.', { delayMs: 20_000 }))
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 100)
      const aborted: unknown[] = []
      const { error } = await asked(major, isStreamed, {
        model: enforced(major.openai(upstream.url), contract({ checks: [] })),
        abortSignal: controller.signal,
        onAbort: () => aborted.push(1),
      })
      if (isStreamed) expect(aborted).toEqual([1])
      else expect(error).toMatchObject({ name: 'AbortError' })
      await upstream.requests.at(-1)?.closed
      expect(upstream.requests.at(-1)?.aborted).toBe(true)
    })

    it('leads an agent through its tools', async () => {
      upstream.enqueue(
        answering('', { toolCalls: [{ ...rome, name: 'get_wether' }] }),
        answering('', { toolCalls: [rome] }),
        answering('It is sunny today, my friend.'),
        answering('It is sunny.'),
      )
      const agent = new ai.ToolLoopAgent({
        model: enforced(
          major.openai(upstream.url),
          contract({ checks: ['tool_calls', maxWords({ limit: 3 })], retries: 1, stream: 'hold', allow: ['lossless'] }),
        ),
        tools,
      })
      const text = isStreamed ? await (await agent.stream({ prompt })).text : (await agent.generate({ prompt })).text
      expect(text).toBe('It is sunny.')
    })

    it('works as a middleware, among others', async () => {
      const upper = {
        specificationVersion: version,
        transformParams: async ({ params }: { params: object }) => ({ ...params, temperature: 0.5 }),
      }
      const model = ai.wrapLanguageModel({ model: major.openai(upstream.url), middleware: [middleware(brief), upper] })
      upstream.enqueue(answering('That depends on many things.'), answering('Use spaces.'))
      expect(await asked(major, isStreamed, { model })).toMatchObject({
        text: 'Use spaces.',
        providerMetadata: { stickler: { attempts: 2 } },
      })
      expect(upstream.requests.slice(-2).map(({ json: body }) => body?.temperature)).toEqual([0.5, 0.5])
    })

    it.each(['repairToolCall', 'experimental_repairToolCall'])('repairs a call by %s', async (option) => {
      if (option === 'repairToolCall' && version === 'v3') return
      upstream.enqueue(answering('', { toolCalls: [{ ...rome, name: 'getWeather', arguments: '{"city": "Rome",}' }] }), answering('Sunny.'))
      const got = await asked(major, isStreamed, {
        model: major.openai(upstream.url),
        tools,
        stopWhen: ai.stepCountIs(2),
        [option]: repairToolCall({ allow: ['lossless'] }),
      })
      expect(got.steps?.[0]?.toolResults).toMatchObject([{ output: 'Sun over Rome' }])
    })
  })

  describe('streams', () => {
    it('rejects every promise and the iteration with our error, and breaks the UI stream', async () => {
      const text = 'We always answer in whole sentences, as our readers know. '
      const rules = contract({ checks: [{ contains: { none: ['never'] } }], retries: 0 })
      const turn: Turn = { text: `${text}We never fail.` }
      const result = ai.streamText({ prompt, model: enforced(scriptedModel([turn], version), rules), onError: () => {} })
      const ui = chunksOf(result.toUIMessageStream({ onError: (error: Error) => error.name }))
      for (const name of ['text', 'finishReason', 'steps'] as const) await expect(result[name]).rejects.toBeInstanceOf(UndeliveredError)
      const { chunks, error } = await ui
      expect(error).toBeInstanceOf(UndeliveredError)
      expect(chunks.filter(({ type }) => type === 'error')).toEqual([{ type: 'error', errorText: 'UndeliveredError' }])
      expect(chunks.some(({ type }) => type === 'finish')).toBe(false)
      // Some text was shown before: a client must see that the connection broke.
      expect(chunks.some(({ type }) => type === 'text-delta')).toBe(true)
    })

    it('breaks the HTTP response of a UI stream', async () => {
      const result = ai.streamText({
        prompt,
        model: enforced(scriptedModel(['One two three four.', 'Five six seven eight nine.'], version), brief),
        onError: () => {},
      })
      const response = result.toUIMessageStreamResponse()
      expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
      await expect(response.text()).rejects.toBeInstanceOf(UndeliveredError)
    })

    it('ends with the error of a provider that breaks off', async () => {
      upstream.enqueue(breakingOff('Use spaces now.', 2))
      const { error, heard } = await asked(major, true, {
        model: enforced(major.openai(upstream.url), contract({ checks: [] })),
        maxRetries: 0,
      })
      expect(heard).toHaveLength(1)
      expect(error).toBe(heard?.[0])
      expect(error).not.toBeInstanceOf(UndeliveredError)
    })

    it('keeps one text block over retries, which an object is parsed from', async () => {
      const model = enforced(scriptedModel(['{"city": "Ulm"}', '{"city": "Ulm", "days": 2}'], version), planned)
      const result = ai.streamText({ prompt, model, output: ai.Output.object({ schema: Plan }) })
      const { chunks } = await chunksOf(result.toUIMessageStream())
      expect(chunks.filter(({ type }) => type === 'text-start')).toHaveLength(1)
      expect(await result.output).toEqual({ city: 'Ulm', days: 2 })
    })

    it('reads no more of the model than the SDK alone, for a slow reader', async () => {
      const taken = async (rules?: typeof brief) => {
        const model = scriptedModel([{ text: 'word '.repeat(5000), chunk: 5 }], version)
        const reader = ai.streamText({ prompt, model: rules ? enforced(model, rules) : model }).textStream[Symbol.asyncIterator]()
        for (let read = 0; read < 20; read++) await reader.next()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return model.calls[0]?.taken ?? 0
      }
      expect(await taken(contract({ checks: [] }))).toBeLessThanOrEqual((await taken()) + 5)
    })

    it('shows progress in a UI stream: transient while working, kept at the end', async () => {
      const stream = ai.createUIMessageStream({
        execute: ({ writer }) => {
          const model = enforced(scriptedModel(['One two three four.', 'Fine.'], version), brief, { onEvent: progressTo(writer) })
          writer.merge(ai.streamText({ prompt, model }).toUIMessageStream())
        },
      })
      const { chunks } = await chunksOf(stream)
      const parts = chunks.filter(({ type }) => type === 'data-stickler')
      expect(
        parts.map(({ data, transient }) => [(data as { status: string }).status, (data as { attempt: number }).attempt, transient]),
      ).toEqual([
        ['working', 1, true],
        ['working', 1, true],
        ['working', 2, true],
        ['working', 2, true],
        ['valid', 2, undefined],
      ])
      expect(parts[1]).toMatchObject({ data: { issues: [{ code: 'MAX_WORDS' }] } })
      expect(new Set(parts.map(({ id }) => id)).size).toBe(1)
    })
  })
})
