import { ChatAnthropic } from '@langchain/anthropic'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { ChatOpenAI } from '@langchain/openai'
import { type Contract, contract } from '@stickler/core'
import { enforceRunnable, sticklerMiddleware, UndeliveredError } from '@stickler/langchain'
import { createAgent, toolStrategy } from 'langchain'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const schema = z.object({ a: z.string() })
const rules = contract({ checks: [{ contains: { none: ['forbidden'] } }], retries: 1 })

/** A provider that answers with data: by the first tool that it is offered, else as text. */
type Provider = (...data: readonly unknown[]) => { readonly model: ChatOpenAI; readonly asked: () => number }

const openai: Provider = (...data) => {
  let asked = 0
  const fetch = async (_url: unknown, init?: { readonly body?: unknown }) => {
    const { tools } = JSON.parse(String(init?.body)) as { tools?: readonly { function: { name: string } }[] }
    const args = JSON.stringify(data[Math.min(asked++, data.length - 1)])
    const tool_calls = tools?.map(({ function: { name } }) => ({ id: 'c', type: 'function', function: { name, arguments: args } }))
    const message = { role: 'assistant', ...(tools ? { content: null, tool_calls } : { content: args }) }
    const choices = [{ index: 0, message, finish_reason: tools ? 'tool_calls' : 'stop' }]
    return Response.json({ id: 'r', object: 'chat.completion', created: 0, model: 'm', choices })
  }
  return { model: new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', maxRetries: 0, configuration: { fetch } }), asked: () => asked }
}

const anthropic: Provider = (...data) => {
  let asked = 0
  const fetch = async (_url: unknown, init?: { readonly body?: unknown }) => {
    const { tools } = JSON.parse(String(init?.body)) as { tools?: readonly { name: string }[] }
    const input = data[Math.min(asked++, data.length - 1)]
    const content = tools?.map(({ name }) => ({ type: 'tool_use', id: 't', name, input })) ?? [
      { type: 'text', text: JSON.stringify(input) },
    ]
    const usage = { input_tokens: 1, output_tokens: 1 }
    const stop_reason = tools ? 'tool_use' : 'end_turn'
    return Response.json({ id: 'r', type: 'message', role: 'assistant', model: 'm', content, stop_reason, usage })
  }
  const model = new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'k', maxRetries: 0, clientOptions: { fetch } })
  return { model: model as unknown as ChatOpenAI, asked: () => asked }
}

const providers = { ChatOpenAI: openai, ChatAnthropic: anthropic }
const send = {
  ChatOpenAI: { type: 'function', function: { name: 'send', parameters: { type: 'object', properties: { a: { type: 'string' } } } } },
  ChatAnthropic: { name: 'send', description: 'Sends.', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
}
const names = ['ChatOpenAI', 'ChatAnthropic'] as const
const structured = names.flatMap((name) => [
  ...[false, true].map((includeRaw) => ({ name, how: { method: 'functionCalling', includeRaw } })),
  { name, how: { method: 'functionCalling', name: 'ticket' } },
  { name, how: { method: 'functionCalling', strict: true } },
  { name, how: { method: 'jsonSchema' } },
  ...(name === 'ChatOpenAI' ? [{ name, how: { method: 'jsonMode' } }] : [{ name, how: {} }]),
])

describe('what withStructuredOutput asks for', () => {
  const answered = async (name: (typeof names)[number], how: object, terms: Contract, ...data: readonly unknown[]) => {
    const { model, asked } = providers[name](...data)
    const given = (await enforceRunnable(model, terms)
      .withStructuredOutput(schema, how as never)
      .invoke('x')) as object
    return { given: 'parsed' in given ? given.parsed : given, asked: asked() }
  }

  test.each(structured)('$name $how: right data passes at once', async ({ name, how }) => {
    expect(await answered(name, how, rules, { a: 'fine' })).toEqual({ given: { a: 'fine' }, asked: 1 })
  })
})

describe('calls that stand for the answer are judged as it', () => {
  const mails = contract({ checks: [{ sensitive: { kinds: ['email'], redact: true } }], retries: 0 })
  const checked = contract({ checks: [{ json: { schema: { type: 'object', properties: { a: { enum: ['fine'] } } } } }], retries: 1 })
  const ways = {
    ...Object.fromEntries(
      structured.map(({ name, how }) => [
        `${name} ${JSON.stringify(how)}`,
        async (terms: Contract, ...data: readonly unknown[]) => {
          const { model, asked } = providers[name](...data)
          const given = await enforceRunnable(model, terms)
            .withStructuredOutput(schema, how as never)
            .invoke('x')
          return { given, value: 'parsed' in given ? given.parsed : given, asked: asked() }
        },
      ]),
    ),
    ...Object.fromEntries(
      names.map((name) => [
        `a tool strategy with ${name}`,
        async (terms: Contract, ...data: readonly unknown[]) => {
          const { model, asked } = providers[name](...data)
          const agent = createAgent({ model, responseFormat: toolStrategy(schema), middleware: [sticklerMiddleware(terms)] })
          const given = await agent.invoke({ messages: [{ role: 'user', content: 'x' }] })
          return { given, value: given.structuredResponse, asked: asked() }
        },
      ]),
    ),
  }

  test.each(Object.entries(ways))('%s', async (name, ask) => {
    const [bad, fine] = [{ a: 'hunter2 is\tforbidden' }, { a: 'fine' }]
    for (const terms of [rules, checked]) {
      const retried = await ask(terms, bad, fine)
      expect([retried.value, retried.asked]).toEqual([fine, 2])
      expect(JSON.stringify(retried.given)).not.toContain('hunter2')
      await expect(ask(terms, bad, bad)).rejects.toThrow('the answer is unresolved')
    }
    const repaired = await ask(mails, { a: 'to jane@acme.com' })
    expect([repaired.value, repaired.asked]).toEqual([{ a: 'to [EMAIL]' }, 1])
    expect(JSON.stringify(repaired.given)).not.toContain('jane@')
    // Keys of data cannot be repaired.
    if (!/json(?:Schema|Mode)/.test(name))
      await expect(ask(mails, { a: 'x', 'jane@acme.com': 1 })).rejects.toThrow('the answer is unresolved')
  })
})

describe('tools that a model brings along are known', () => {
  const ways = (model: ChatOpenAI, tools: readonly unknown[]) => {
    const all = tools as never
    return {
      'withConfig of the enforced model': enforceRunnable(model, rules).withConfig({ tools: all }),
      'withConfig of the model': enforceRunnable(model.withConfig({ tools: all }), rules),
      'bindTools of the enforced model': enforceRunnable(model, rules).bindTools(all),
      'bindTools of the model': enforceRunnable(model.bindTools(all), rules),
      'a chain that ends with it': enforceRunnable(ChatPromptTemplate.fromTemplate('x').pipe(model.bindTools(all)), rules),
      'bindTools, then withConfig': enforceRunnable(model, rules)
        .bindTools([{ ...send.ChatOpenAI, ...send.ChatAnthropic, name: 'other', function: { name: 'other' } }] as never)
        .withConfig({ tools: all }),
    }
  }
  const kinds = Object.keys(ways(openai().model, [])) as (keyof ReturnType<typeof ways>)[]
  test.each(names.flatMap((name) => kinds.map((kind) => ({ name, kind }))))('$name: $kind', async ({ name, kind }) => {
    const given = (await ways(providers[name]({ a: 'fine' }).model, [send[name]])[kind].invoke(
      (kind.startsWith('a chain') ? {} : 'x') as never,
    )) as { tool_calls?: unknown }
    expect(given.tool_calls).toMatchObject([{ name: 'send', args: { a: 'fine' } }])
  })

  test.each(names)('%s: others are not', async (name) => {
    const strict = contract({ checks: ['tool_calls'], retries: 0 })
    const asked = enforceRunnable(
      providers[name]({ a: 'fine' }).model.withConfig({ tools: [send[name]], tool_choice: 'none' } as never),
      strict,
    )
    await expect(asked.invoke('x')).rejects.toThrow(UndeliveredError)
  })
})
