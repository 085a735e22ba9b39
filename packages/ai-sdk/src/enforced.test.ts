import { contract, UndeliveredError } from '@stickler/core'
import { json } from '@stickler/core/validators'
import { describe, expect, it, test } from 'vitest'
import { enforced, middleware } from './index.ts'
import type { Part } from './model.ts'
import { type Asking, ask, brief, failureOf, ofType, prompt } from './testing/ask.ts'
import { scriptedModel, type Turn, tokens } from './testing/scripted-model.ts'

const Plan = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city', 'days'] }
const asJson = { responseFormat: { type: 'json', schema: Plan } }

describe.each([false, true])('streamed: %s', (isStreamed) => {
  it('passes a valid answer on as it is', async () => {
    const content = [
      { type: 'reasoning', text: 'Hmm.' },
      { type: 'text', text: 'Use spaces.' },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    ]
    const alone = await ask(scriptedModel([{ content, providerMetadata: { own: { a: 1 } } }]), isStreamed)
    const got = await ask(enforced(scriptedModel([{ content, providerMetadata: { own: { a: 1 } } }]), contract(brief)), isStreamed)
    const stickler = { status: 'valid', attempts: 1, repairs: [], issues: [] }
    expect(got.providerMetadata).toEqual({ own: { a: 1 }, stickler })
    const unmarked = (parts: readonly Part[]) => parts.filter(({ type }) => !/^(?:text-delta|reasoning-delta|finish)$/.test(type))
    expect(unmarked(got.parts)).toEqual(unmarked(alone.parts))
    expect([got.text, got.finishReason, got.usage]).toEqual([alone.text, alone.finishReason, alone.usage])
  })

  it('asks again with the rejected answer and the feedback, and drops what belongs to it', async () => {
    const source = (id: string) => ({ type: 'source', sourceType: 'url', id, url: 'https://example.com' })
    const model = scriptedModel([
      {
        content: [{ type: 'reasoning', text: 'Bad.' }, { type: 'text', text: 'That depends on many things.' }, source('a')],
        usage: tokens(10, 5),
      },
      { content: [{ type: 'reasoning', text: 'Good.' }, { type: 'text', text: 'Use spaces.' }, source('b')], usage: tokens(20, undefined) },
    ])
    const got = await ask(enforced(model, contract(brief)), isStreamed, { temperature: 0, maxOutputTokens: 9 })
    expect(got).toMatchObject({ text: 'Use spaces.', providerMetadata: { stickler: { status: 'valid', attempts: 2 } } })
    expect(JSON.stringify(got.parts)).not.toMatch(/Bad|"a"|response-1/)
    expect(ofType(got.parts, 'source')).toEqual([source('b')])
    expect(got.usage).toEqual(tokens(30, 5))
    expect(model.calls[1]?.params).toMatchObject({
      temperature: 0,
      maxOutputTokens: 9,
      prompt: [
        ...prompt,
        { role: 'assistant', content: [{ type: 'text' }] },
        { role: 'user', content: [{ type: 'text', text: expect.stringContaining('3 words') }] },
      ],
    })
    expect(ofType(got.parts, 'text-start')).toHaveLength(isStreamed ? 1 : 0)
    expect(ofType(got.parts, 'stream-start')).toHaveLength(isStreamed ? 1 : 0)
  })

  it.each([
    [tokens(10, undefined), tokens(20, 7), tokens(30, 7)],
    [tokens(undefined, undefined), tokens(undefined, undefined), tokens(undefined, undefined)],
    [
      { ...tokens(1, 1), raw: { a: 1 } },
      { ...tokens(2, 2), raw: { b: 2 } },
      { ...tokens(3, 3), raw: { b: 2 } },
    ],
  ])('sums the usage of attempts, and keeps what is unknown unknown: %j', async (first, second, sum) => {
    const model = scriptedModel([
      { text: 'One two three four.', usage: first },
      { text: 'Fine.', usage: second },
    ])
    expect((await ask(enforced(model, contract(brief)), isStreamed)).usage).toEqual(sum)
  })

  it('repairs, and says so', async () => {
    const got = await ask(
      enforced(scriptedModel(['{"city": "Ulm", "days": "2",}']), contract({ checks: [json({ schema: Plan })] })),
      isStreamed,
    )
    expect(got.text).toBe('{"city": "Ulm", "days": 2}')
    expect(got.providerMetadata).toMatchObject({
      stickler: { status: 'repaired', repairs: [{ rule: 'trailing-comma', class: 'lossless' }, {}] },
    })
  })

  it('gives up with its own error', async () => {
    const model = scriptedModel(['One two three four.', 'One two three four five.'])
    const error = await failureOf(enforced(model, contract(brief)), isStreamed)
    expect(error).toBeInstanceOf(UndeliveredError)
    expect(error).toMatchObject({ status: 'unresolved', issues: [{ code: 'MAX_WORDS' }] })
    expect(model.calls).toHaveLength(2)
  })

  it.each<[string, Turn, object]>([
    ['a cut', { text: 'Use spa', finish: { unified: 'length', raw: 'max_tokens' } }, { issues: [{ code: 'TRUNCATED' }] }],
    ['an interruption', { text: 'Use spa', finish: { unified: 'interrupted', raw: undefined } }, { status: 'unchecked' }],
    ['a filter', { text: 'Use spa', finish: { unified: 'content-filter', raw: 'content_filter' } }, { issues: [{ code: 'REFUSED' }] }],
    ['a refusal', { text: '', finish: { unified: 'content-filter', raw: 'refusal' } }, { issues: [{ code: 'REFUSED' }] }],
  ])('does not deliver after %s', async (_name, turn, expected) => {
    const error = await failureOf(enforced(scriptedModel([turn]), contract({ ...brief, retries: 0 })), isStreamed)
    expect(error).toBeInstanceOf(UndeliveredError)
    expect(error).toMatchObject(expected)
  })

  it('delivers the fallback of the contract', async () => {
    const rules = contract({ ...brief, retries: 0, fallback: 'Ask me later.' })
    for (const turn of ['One two three four.', { throws: new Error('down') }] as const) {
      const got = await ask(enforced(scriptedModel([turn]), rules), isStreamed)
      expect(got).toMatchObject({
        text: 'Ask me later.',
        finishReason: { unified: 'stop' },
        providerMetadata: { stickler: { fallback: true } },
      })
    }
  })

  it('throws what the provider has thrown', async () => {
    const thrown = Object.assign(new Error('busy'), { isRetryable: true, statusCode: 503 })
    const model = enforced(scriptedModel([{ throws: thrown }]), contract(brief)) as unknown as Asking
    const params = { prompt }
    await expect(isStreamed ? model.doStream(params) : model.doGenerate(params)).rejects.toBe(thrown)
  })

  it('goes back to an answer that can be repaired when a retry fails', async () => {
    const rules = contract({ checks: [json({ schema: Plan })], repair: 'last', retries: 1 })
    const content = [
      { type: 'reasoning', text: 'Hmm.' },
      { type: 'text', text: '{"city": "Ulm", "days": 2,}' },
    ]
    const got = await ask(enforced(scriptedModel([{ content }, { throws: new Error('down') }]), rules), isStreamed)
    expect(got).toMatchObject({ text: '{"city": "Ulm", "days": 2}', finishReason: { unified: 'stop' }, usage: tokens(10, 5) })
    expect(JSON.stringify(got.parts)).toContain('Hmm.')
  })

  it('checks the format of a request for free, and delivers the value alone', async () => {
    const model = scriptedModel(['Here you are: {"city": "Ulm"}', 'Sure!\n```json\n{"city": "Ulm", "days": "2"}\n```'])
    const got = await ask(enforced(model, contract({ checks: [], retries: 1 })), isStreamed, asJson)
    expect(got.text).toBe('{"city": "Ulm", "days": 2}')
    const own = contract({ checks: [json({ schema: { required: ['why'] } })] })
    const both = scriptedModel(['{"why": "so"}', '{"city": "Ulm", "days": 2}', '{"city": "Ulm", "days": 2, "why": "so"}'])
    expect((await ask(enforced(both, own), isStreamed, asJson)).text).toBe('{"city": "Ulm", "days": 2, "why": "so"}')
    expect(
      (await ask(enforced(scriptedModel(['{"a": 1,}']), contract({ checks: [] })), isStreamed, { responseFormat: { type: 'json' } })).text,
    ).toBe('{"a": 1}')
  })

  it('leaves the comparison with a schema it cannot read to the SDK', async () => {
    const schema = { $ref: 'https://example.com/elsewhere.json' }
    const model = enforced(scriptedModel(['{"a": 1,}']), contract({ checks: [] }))
    expect((await ask(model, isStreamed, { responseFormat: { type: 'json', schema } })).text).toBe('{"a": 1}')
  })

  it('tells the model the rules, and the schema unless the request has it', async () => {
    const rules = contract({ checks: [json({ schema: Plan })], instruct: true })
    for (const params of [{}, asJson]) {
      const model = scriptedModel(['{"city": "Ulm", "days": 2}'])
      await ask(enforced(model, rules), isStreamed, params)
      const [system, user] = model.calls[0]?.params.prompt ?? []
      expect(system).toEqual({ role: 'system', content: expect.stringContaining('one JSON value') })
      expect(String(system?.content).includes('"days"')).toBe(params !== asJson)
      expect(user).toEqual(prompt[0])
    }
  })

  it('never touches messages of the prompt', async () => {
    const image = { type: 'file', mediaType: 'image/png', data: new Uint8Array([1]) }
    const messages = Object.freeze([
      Object.freeze({ role: 'system', content: 'Be brief.' }),
      Object.freeze({ role: 'user', content: [image], providerOptions: { own: { cache: true } } }),
    ])
    const model = scriptedModel(['One two three four.', 'Fine.'])
    await ask(enforced(model, contract(brief)), isStreamed, { prompt: messages })
    for (const { params } of model.calls) expect([params.prompt[0], params.prompt[1]]).toEqual(messages)
  })
})

test('an abort ends a whole call with its own reason, though the model does not listen', async () => {
  const controller = new AbortController()
  const asking = (enforced(scriptedModel([{ hangs: true }]), contract(brief)) as unknown as Asking).doGenerate({
    prompt,
    abortSignal: controller.signal,
  })
  controller.abort(new Error('left'))
  await expect(asking).rejects.toThrow('left')
})

test('a deadline of the contract is an error of its own', async () => {
  const rules = contract({ ...brief, budget: { deadlineMs: 10 } })
  const error = await failureOf(enforced(scriptedModel([{ hangs: true }]), rules), false)
  expect(error).toMatchObject({ name: 'UndeliveredError', failure: { kind: 'deadline' } })
})

test('the text that is parsed is repaired, and drafts before it are left out', async () => {
  const content = [
    { type: 'text', text: 'Draft {"city": 1}' },
    { type: 'text', text: '{"city": "Ulm", "days": 2,}' },
  ]
  const turn = { content, structuredOutputText: '{"city": "Ulm", "days": 2,}' }
  const model = enforced(scriptedModel([turn], 'v4'), contract({ checks: [] })) as unknown as Asking
  const got = await model.doGenerate({ prompt, ...asJson })
  expect(got.content).toEqual([{ type: 'text', text: '{"city": "Ulm", "days": 2}' }])
  expect(got.structuredOutputText).toBeUndefined()
  const plain = await (enforced(scriptedModel([turn], 'v4'), contract({ checks: [] })) as unknown as Asking).doGenerate({ prompt })
  expect(plain).toMatchObject(turn)
})

test('an answer that is only audio is passed on unchecked', async () => {
  const file = { type: 'file', mediaType: 'audio/wav', data: new Uint8Array([1]) }
  for (const isStreamed of [false, true]) {
    const got = await ask(enforced(scriptedModel([{ content: [file] }]), contract(brief)), isStreamed)
    expect(got).toMatchObject({ providerMetadata: { stickler: { status: 'unchecked', unchecked: ['unread'] } } })
    expect(ofType(got.parts, 'file')).toEqual([file])
  }
})

test('it is the same model otherwise, even of a class with private members', () => {
  class Private {
    readonly specificationVersion = 'v3'
    readonly #name = 'private'
    readonly extra = 1
    get provider() {
      return this.#name
    }
    readonly modelId = 'm'
    readonly supportedUrls = {}
    doGenerate = async () => ({})
    doStream = async () => ({})
  }
  const model = enforced(new Private(), contract(brief))
  expect([model.provider, model.modelId, model.specificationVersion, model.extra]).toEqual(['private', 'm', 'v3', 1])
  // What restores models by their class would lose the contract.
  expect(model.constructor).toBe(Object)
})

test.each<[string, () => unknown, RegExp]>([
  ['a name', () => enforced('openai/gpt-5.4' as never, contract(brief)), /pass a model and not its name/],
  ['no model', () => enforced({} as never, contract(brief)), /pass a model of the AI SDK/],
  ['no contract', () => enforced(scriptedModel([]), { checks: [] } as never), /plain object/],
  ['an unknown option', () => enforced(scriptedModel([]), contract(brief), { contxt: {} } as never), /did you mean "context"/],
  ['an unknown option', () => middleware(contract(brief), { onEvnt: () => {} } as never), /did you mean "onEvent"/],
  ['a wrong limit', () => middleware(contract(brief), { echoLimit: -1 }), /echoLimit/],
])('%s is refused at once', (_name, make, message) => {
  expect(make).toThrow(message)
})

test.each([false, true])('models of the older specification work too, streamed: %s', async (isStreamed) => {
  const flat = (input: number) => ({ inputTokens: input, outputTokens: 1, totalTokens: input + 1 })
  const turn = (text: string, input: number) => ({ text, finish: 'stop' as never, usage: flat(input) })
  const got = await ask(enforced(scriptedModel([turn('One two three four.', 10), turn('Fine.', 20)]), contract(brief)), isStreamed)
  expect(got).toMatchObject({ text: 'Fine.', finishReason: 'stop', usage: { inputTokens: 30, outputTokens: 2, totalTokens: 32 } })
})
