import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { ChatOpenAI } from '@langchain/openai'
import { contract, type TraceEvent } from '@stickler/core'
import { enforceRunnable, sticklerMiddleware, UndeliveredError } from '@stickler/langchain'
import { createAgent, createMiddleware, initChatModel, providerStrategy, tool, toolStrategy } from 'langchain'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const secret = 'hunter2'
const rules = contract({ checks: [{ contains: { none: ['forbidden'] } }], retries: 1 })
const bad = `${secret} is forbidden`
const fake = (...responses: string[]) => new FakeListChatModel({ responses: responses.length === 0 ? [bad, 'fine'] : responses })
const enforced = () => enforceRunnable(fake(), rules)
const asked = { messages: [{ role: 'user', content: 'Which one?' }] }

/** Everything that an iterable brings, as text. */
async function all(given: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>): Promise<string> {
  const list: unknown[] = []
  // A stream of blocks is also a promise of its message.
  for await (const one of Symbol.asyncIterator in given ? given : await given) list.push(one)
  return JSON.stringify(list)
}

/** A model that plays messages, and shares its script with those that tools are bound to. */
class Script extends BaseChatModel {
  readonly script: { at: number; readonly messages: readonly object[] }
  readonly seen: BaseMessage[][] = []

  constructor(messages: readonly object[], script: Script['script'] = { at: 0, messages }) {
    super({})
    this.script = script
  }

  override _llmType(): string {
    return 'script'
  }

  override bindTools(): Script {
    return new Script([], this.script)
  }

  override async _generate(messages: BaseMessage[]) {
    this.seen.push(messages)
    const fields = this.script.messages[Math.min(this.script.at++, this.script.messages.length - 1)]
    return { generations: [{ text: '', message: new AIMessage(fields as { content: string }) }] }
  }
}

describe('no way to ask an enforced model brings what was rejected', () => {
  const schema = z.object({ n: z.number() })
  test.each<readonly [string, () => Promise<unknown>]>([
    ['invoke', () => enforced().invoke('x')],
    ['stream', () => all(enforced().stream('x'))],
    ['batch', () => enforced().batch(['x'])],
    ['generate', () => enforced().generate([[new HumanMessage('x')]])],
    ['generatePrompt', async () => enforced().generatePrompt([await ChatPromptTemplate.fromTemplate('x').invoke({})])],
    ['streamEvents', () => all(enforced().streamEvents('x', { version: 'v2' }))],
    ['streamEvents of version 1', () => all(enforced().streamEvents('x', { version: 'v1' }))],
    ['streamEvents by blocks', () => all(enforced().streamEvents('x'))],
    ['streamLog', () => all(enforced().streamLog('x'))],
    ['transform', () => all(enforced().transform(ReadableStream.from(['x']) as never, {}))],
    ['pipe', () => enforced().pipe(new StringOutputParser()).invoke('x')],
    [
      'a chain that streams',
      () => all(ChatPromptTemplate.fromTemplate('{q}').pipe(enforced()).pipe(new StringOutputParser()).stream({ q: 'x' })),
    ],
    ['events of a chain', () => all(ChatPromptTemplate.fromTemplate('{q}').pipe(enforced()).streamEvents({ q: 'x' }, { version: 'v2' }))],
    [
      'withConfig',
      () =>
        enforced()
          .withConfig({ tags: ['a'] })
          .invoke('x'),
    ],
    [
      'withConfig, events',
      () =>
        all(
          enforced()
            .withConfig({ tags: ['a'] })
            .streamEvents('x', { version: 'v2' }),
        ),
    ],
    ['withRetry', () => enforced().withRetry().invoke('x')],
    ['withListeners', () => enforced().withListeners({}).invoke('x')],
    ['withFallbacks', () => enforceRunnable(fake(bad), rules).withFallbacks([fake()]).invoke('x')],
    ['a chain inside', () => enforceRunnable(fake().pipe(new StringOutputParser()), rules).invoke('x')],
    [
      'a chain inside, events',
      () => all(enforceRunnable(fake().pipe(new StringOutputParser()), rules).streamEvents('x', { version: 'v2' })),
    ],
    [
      'a chain inside, piped',
      () =>
        enforceRunnable(fake().pipe(new StringOutputParser()), rules)
          .pipe((text: string) => text)
          .invoke('x'),
    ],
    ['a chain inside, batched', () => enforceRunnable(fake().pipe(new StringOutputParser()), rules).batch(['x'])],
    ['agent', () => createAgent({ model: fake(), middleware: [sticklerMiddleware(rules)] }).invoke(asked)],
    [
      'events of an agent',
      () => all(createAgent({ model: fake(), middleware: [sticklerMiddleware(rules)] }).streamEvents(asked, { version: 'v2' })),
    ],
    ...(['messages', 'updates', 'values', 'debug'] as const).map(
      (streamMode) =>
        [
          `agent, ${streamMode}`,
          async () => all(createAgent({ model: fake(), middleware: [sticklerMiddleware(rules)] }).stream(asked, { streamMode })),
        ] as const,
    ),
    [
      'structured output of an enforced model',
      async () => {
        const fetch = async () => Response.json(completion({ content: replies.shift() }))
        const replies = [`{"n":1,"a":"${bad}"}`, '{"n":1,"a":"fine"}']
        const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', maxRetries: 0, configuration: { fetch } })
        return enforceRunnable(model, rules)
          .withStructuredOutput(schema.extend({ a: z.string() }), { method: 'jsonSchema' })
          .invoke('x')
      },
    ],
  ])('%s', async (_name, ask) => {
    const got = JSON.stringify(await ask())
    expect(got).toContain('fine')
    expect(got).not.toContain(secret)
  })

  test('callbacks hear the message that is delivered, and the errors', async () => {
    const heard: unknown[] = []
    const callbacks = [
      {
        handleLLMNewToken: (text: string) => void heard.push(text),
        handleLLMEnd: (output: unknown) => void heard.push(output),
        handleLLMError: (error: unknown) => void heard.push(error),
      },
    ]
    const own = new FakeListChatModel({ responses: [bad, 'fine'], callbacks })
    await enforceRunnable(own, rules).invoke('x', { callbacks })
    expect(JSON.stringify(heard)).not.toContain(secret)
    expect(heard).toContain('fine')
    heard.length = 0
    await expect(enforceRunnable(fake(bad), rules).invoke('x', { callbacks })).rejects.toThrow(UndeliveredError)
    expect(heard).toEqual([expect.any(UndeliveredError)])
  })

  test('what is configured by a name alone is enforced as well', async () => {
    const fetch = async () => Response.json(completion({ content: JSON.stringify({ a: bad }) }))
    const named = await initChatModel('gpt-4o', { modelProvider: 'openai', apiKey: 'k', maxRetries: 0, configuration: { fetch } })
    const model = enforceRunnable(named, rules)
    const ways: readonly (() => Promise<unknown>)[] = [
      () => model.invoke('x'),
      () => all(model.stream('x')),
      () => all(model.streamEvents('x', { version: 'v2' })),
      () => model.batch(['x']),
      () => model.withStructuredOutput({ type: 'object', title: 'a', properties: {} }, { method: 'jsonMode' }).invoke('x'),
      () => model.withConfig({ tags: ['a'] }).invoke('x'),
    ]
    for (const ask of ways) expect(String(await ask().catch((error: unknown) => error))).not.toContain(secret)
  })

  test('events tell of every attempt, and options reach the model', async () => {
    const events: TraceEvent[] = []
    const model = new Script([{ content: bad }, { content: 'fine' }])
    await enforceRunnable(model, rules, { onEvent: (event) => void events.push(event) }).invoke('x')
    expect(events.filter(({ type }) => type === 'attempt-started')).toHaveLength(2)
    expect(model.seen.map((messages) => messages.map(({ type }) => type))).toEqual([['human'], ['human', 'ai', 'human']])
  })
})

function completion(message: object, finish_reason = 'stop'): object {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
    usage,
  }
}

describe('results that are no messages are judged or refused', () => {
  const numbers = contract({
    checks: [{ json: { schema: { type: 'object', properties: { n: { type: 'integer', maximum: 5 } }, required: ['n'] } } }],
  })
  const returning = (value: unknown) => RunnableLambda.from(() => value) as RunnableLambda<string, unknown>
  test.each<readonly [string, unknown]>([
    ['a text', bad],
    ['data', { a: [{ b: bad }] }],
    ['a key', { [bad]: 1 }],
    ['a message without a type', { _getType: () => 'ai', content: bad }],
    ['a message beside data', { raw: new AIMessage(bad), parsed: {} }],
    ['a map', new Map([['a', bad]])],
    ['a list of messages', [new AIMessage(bad)]],
  ])('%s', async (_name, value) => {
    for (const model of [returning(value), { invoke: async () => value }])
      await expect(enforceRunnable(model as RunnableLambda<string, unknown>, rules).invoke('x')).rejects.toThrow()
  })

  test('right data passes, and wrong data is told by its issues', async () => {
    expect(await enforceRunnable(returning({ n: 3 }), numbers).invoke('x')).toEqual({ n: 3 })
    await expect(enforceRunnable(returning({ n: 9 }), numbers).invoke('x')).rejects.toMatchObject({ issues: [{ code: 'SCHEMA_MISMATCH' }] })
    const fetch = async () => Response.json(completion({ content: '{"n":99}' }))
    const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', maxRetries: 0, configuration: { fetch } })
    const structured = model.withStructuredOutput(
      { type: 'object', title: 'a', properties: { n: { type: 'integer' } } },
      { method: 'jsonMode' },
    )
    await expect(enforceRunnable(structured, numbers).invoke('x')).rejects.toThrow(UndeliveredError)
  })

  test('texts in data are repaired', async () => {
    const mails = contract({ checks: [{ sensitive: { kinds: ['email'], redact: true } }] })
    expect(await enforceRunnable(returning({ to: ['a@b.de'] }), mails).invoke('x')).toEqual({ to: ['[EMAIL]'] })
  })
})

describe('all of a message is judged', () => {
  const message = (fields: object) =>
    enforceRunnable(new Script([fields]), contract({ checks: [{ contains: { none: ['forbidden'] } }, 'tool_calls'], retries: 0 })).invoke(
      'x',
    )
  test.each<readonly [string, object]>([
    [
      'a plain text block',
      {
        content: [
          { type: 'text-plain', text: bad },
          { type: 'text', text: 'ok' },
        ],
      },
    ],
    ['a block without a type', { content: [{ text: bad }] }],
    ['a call in the old way', { content: 'ok', additional_kwargs: { function_call: { name: 'rm', arguments: '{}' } } }],
    ['a call in the old way without a text', { content: '', additional_kwargs: { function_call: { name: 'rm', arguments: '{"a":' } } }],
  ])('%s', async (_name, fields) => {
    await expect(message(fields)).rejects.toThrow(UndeliveredError)
  })

  test('a call in the old way stays where programs read it, with its repairs', async () => {
    const functions = [{ name: 'find', parameters: { type: 'object', properties: { n: { type: 'integer' } } } }]
    const fetch = async () =>
      Response.json(completion({ content: '', function_call: { name: 'find', arguments: '{"n":1,}' } }, 'function_call'))
    const model = new ChatOpenAI({ model: 'm', apiKey: 'k', maxRetries: 0, configuration: { fetch } })
    const { additional_kwargs, tool_calls } = await enforceRunnable(model, contract({ checks: ['tool_calls'] })).invoke('x', {
      functions,
    } as never)
    expect([additional_kwargs.function_call, tool_calls]).toEqual([{ name: 'find', arguments: '{"n":1}' }, []])
  })

  test.each(['output_text', 'text-plain', undefined])('a repair reaches blocks of type %s', async (type) => {
    const mails = contract({ checks: [{ sensitive: { kinds: ['email'], redact: true } }] })
    const fields = {
      content: [{ type, text: 'to a@b.de' }],
      response_metadata: { output: ['to a@b.de'] },
      additional_kwargs: { parsed: 'a@b.de' },
    }
    const given = await enforceRunnable(new Script([fields]), mails).invoke('x')
    expect(JSON.stringify(given)).not.toContain('a@b.de')
    expect(given.content).toEqual([{ type, text: 'to [EMAIL]' }])
  })

  test('nothing of a repaired message repeats what was taken out, and its reasoning is searched', async () => {
    const mails = contract({ checks: [{ sensitive: { kinds: ['email'], redact: true } }] })
    const mail = 'jane@acme.com'
    const kept = { model_name: 'm', finish_reason: 'stop', usage: { total_tokens: 2 } }
    const logprobs = { content: ['jane', '@acme', '.com'].map((token) => ({ token, logprob: -1 })) }
    const fields = {
      content: [
        { type: 'thinking', thinking: `to ${mail}?`, signature: 's' },
        { type: 'text', text: `to ${mail}`, citations: [{ cited_text: mail }], annotations: [mail], extras: { mail } },
        { type: 'text', text: ' soon', citations: [{ cited_text: mail, title: 'a' }] },
      ],
      response_metadata: { ...kept, logprobs, content: mail, message: { content: mail } },
      additional_kwargs: { __raw_response: { mail }, text: mail, content: mail, content_blocks: [mail], reasoning_content: `to ${mail}` },
    }
    const given = await enforceRunnable(new Script([fields]), mails).invoke('x')
    expect(JSON.stringify(given)).not.toMatch(/jane|acme/)
    expect([given.content, given.response_metadata, given.additional_kwargs]).toMatchObject([
      [
        { type: 'thinking', thinking: 'to [EMAIL]?', signature: 's' },
        { type: 'text', text: 'to [EMAIL]' },
        { type: 'text', text: ' soon', citations: [{ cited_text: '[EMAIL]', title: 'a' }] },
      ],
      { ...kept, stickler: { status: 'repaired' } },
      { reasoning_content: 'to [EMAIL]' },
    ])
    const right = { content: 'ok', response_metadata: { ...kept, logprobs }, additional_kwargs: { other: 1, reasoning_content: mail } }
    const message = await enforceRunnable(new Script([right]), mails).invoke('x')
    expect([message.response_metadata, message.additional_kwargs]).toMatchObject([
      { ...kept, logprobs, stickler: { status: 'valid' } },
      { other: 1, reasoning_content: '[EMAIL]' },
    ])
  })

  test('a fallback has nothing of the rejected message', async () => {
    const kind = contract({ checks: [{ contains: { none: ['forbidden'] } }], retries: 0, fallback: 'Sorry.' })
    const fields = { content: [{ type: 'text', text: bad }], response_metadata: { output: [bad] }, additional_kwargs: { parsed: bad } }
    const given = await enforceRunnable(new Script([fields]), kind).invoke('x')
    expect(given.content).toBe('Sorry.')
    expect(JSON.stringify(given)).not.toContain(secret)
  })
})

describe('a response format switches nothing off', () => {
  const schema = z.object({ n: z.number() }).meta({ title: 'ticket' })
  const ran: unknown[] = []
  const remove = tool(
    async (given) => {
      ran.push(given)
      return 'removed'
    },
    { name: 'remove', description: 'Removes a file.', schema: z.object({ path: z.string() }) },
  )
  const strict = contract({ checks: [{ contains: { none: ['forbidden'] } }, { tool_calls: { strict: true } }], retries: 1 })
  const formats = { 'a tool strategy': toolStrategy(schema), 'a provider strategy': providerStrategy(schema), 'a schema': schema }
  const wrong = { name: 'remove', args: { path: '/a', force: true }, id: '2' }
  const calls: readonly (readonly [string, object])[] = [
    ['an unknown tool', { content: bad, tool_calls: [{ name: 'nonsense', args: { n: 1 }, id: '1' }] }],
    ['the format beside a wrong text', { content: bad, tool_calls: [{ name: 'ticket', args: { n: 1 }, id: '1' }] }],
    ['the format beside a wrong call', { content: '', tool_calls: [{ name: 'ticket', args: { n: 1 }, id: '1' }, wrong] }],
    [
      'a format that cannot be parsed beside a wrong call',
      { content: '', tool_calls: [{ name: 'ticket', args: { n: 'x' }, id: '1' }, wrong] },
    ],
  ]
  const matrix = Object.entries(formats).flatMap(([format, responseFormat]) =>
    calls.map(([name, first]) => ({ format, responseFormat, name, first })),
  )
  test.each(matrix)('$format: $name', async ({ responseFormat, first }) => {
    ran.length = 0
    const right =
      responseFormat === formats['a provider strategy']
        ? { content: '{"n":7}' }
        : { content: '', tool_calls: [{ name: 'ticket', args: { n: 7 }, id: '9' }] }
    const agent = createAgent({
      model: new Script([first, right]),
      tools: [remove],
      responseFormat: responseFormat as never,
      middleware: [sticklerMiddleware(strict)],
    })
    const { messages, structuredResponse } = (await agent.invoke(asked)) as { messages: unknown; structuredResponse: unknown }
    expect([ran, structuredResponse]).toEqual([[], { n: 7 }])
    expect(JSON.stringify(messages)).not.toContain(secret)
  })

  test('a right message with a format keeps it, with its blocks', async () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
    const use = { type: 'tool_use', id: '1', name: 'ticket', input: { n: 1 } }
    const tool_calls = [{ name: 'ticket', args: { n: 1 }, id: '1' }]
    for (const content of [
      [thought, use],
      [{ type: 'text', text: 'Here it is.' }, use],
    ]) {
      const agent = createAgent({
        model: new Script([{ content, tool_calls }]),
        tools: [remove],
        responseFormat: toolStrategy(schema),
        middleware: [sticklerMiddleware(strict)],
      })
      const { messages, structuredResponse } = await agent.invoke(asked)
      expect([structuredResponse, messages[1]?.content]).toEqual([{ n: 1 }, content])
    }
  })

  test('a middleware after ours cannot bring what was not judged', async () => {
    const swap = createMiddleware({ name: 'Swap', wrapModelCall: (request, handler) => handler({ ...request, model: fake(bad) as never }) })
    const change = createMiddleware({
      name: 'Change',
      wrapModelCall: async (request, handler) => new AIMessage(`${((await handler(request)) as AIMessage).text} ${bad}`),
    })
    const mutate = createMiddleware({
      name: 'Mutate',
      wrapModelCall: async (request, handler) => Object.assign((await handler(request)) as AIMessage, { content: bad }),
    })
    for (const inner of [swap, change, mutate]) {
      const agent = createAgent({ model: fake('fine'), middleware: [sticklerMiddleware(rules), inner] })
      await expect(agent.invoke(asked)).rejects.toThrow('TEXT_FORBIDDEN')
    }
  })
})
