import { type ContractOptions, contract, UndeliveredError } from '@stickler/core'
import { json, maxWords, sensitive } from '@stickler/core/validators'
import { describe, expect, it, test } from 'vitest'
import { enforced, middleware } from './index.ts'
import type { Generated, Params, Part, Streamed } from './model.ts'
import { scriptedModel, type Turn, tokens } from './testing/scripted-model.ts'

const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Tabs or spaces?' }] }]
const brief = { checks: [maxWords({ limit: 3 })], retries: 1, stream: 'hold' } as const satisfies ContractOptions
const Plan = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city', 'days'] }
const asJson = { responseFormat: { type: 'json', schema: Plan } }

interface Asked {
  readonly parts: readonly Part[]
  readonly text: string
  readonly finishReason?: unknown
  readonly usage?: unknown
  readonly providerMetadata?: Readonly<Record<string, unknown>>
  readonly error?: unknown
}

interface Asking {
  doGenerate(params: Params): PromiseLike<Generated>
  doStream(params: Params): PromiseLike<Streamed>
}

async function readAll(stream: ReadableStream<Part>): Promise<{ readonly parts: readonly Part[]; readonly error?: unknown }> {
  const parts: Part[] = []
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { parts }
      parts.push(value)
    }
  } catch (error) {
    return { parts, error }
  }
}

/** The same of both ways of asking. */
async function ask(model: object, isStreamed: boolean, params: object = {}): Promise<Asked> {
  const asking = model as Asking
  const called: Params = { prompt, ...params }
  if (!isStreamed) {
    const { content, finishReason, usage, providerMetadata } = await asking.doGenerate(called)
    return {
      parts: content,
      text: joined(content, 'text', 'text'),
      finishReason,
      usage,
      ...(providerMetadata && { providerMetadata: { ...providerMetadata } }),
    }
  }
  const { stream } = await asking.doStream(called)
  const { parts, error } = await readAll(stream)
  const { finishReason, usage, providerMetadata } = parts.find(({ type }) => type === 'finish') ?? { type: '' }
  const metadata = providerMetadata as Asked['providerMetadata']
  return {
    parts,
    text: joined(parts, 'text-delta', 'delta'),
    finishReason,
    usage,
    ...(metadata && { providerMetadata: metadata }),
    ...(error !== undefined && { error }),
  }
}

const joined = (parts: readonly Part[], type: string, field: string): string =>
  parts
    .filter((part) => part.type === type)
    .map((part) => part[field])
    .join('')

const ofType = (parts: readonly Part[], type: string) => parts.filter((part) => part.type === type)

async function failureOf(model: object, isStreamed: boolean, params: object = {}): Promise<unknown> {
  try {
    return (await ask(model, isStreamed, params)).error
  } catch (error) {
    return error
  }
}

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
    const own = contract({ checks: [json({ schema: { type: 'array' } })] })
    expect((await ask(enforced(scriptedModel(['[1]']), own), isStreamed, asJson)).text).toBe('[1]')
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

describe('tools', () => {
  const weather = {
    type: 'function',
    name: 'get_weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  }
  const calling = (input: string, more: object = {}) => ({ type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input, ...more })
  const finish = { unified: 'tool-calls', raw: 'tool_calls' }
  const rules = contract({ checks: ['tool_calls'], retries: 1 })

  describe.each([false, true])('streamed: %s', (isStreamed) => {
    it('repairs the input of a call', async () => {
      const model = scriptedModel([
        { content: [{ type: 'text', text: 'Wait.' }, calling('{"city":"Rome",}', { providerMetadata: { own: {} } })], finish },
      ])
      const got = await ask(enforced(model, rules), isStreamed, { tools: [weather] })
      expect(ofType(got.parts, 'tool-call')).toEqual([calling('{"city":"Rome"}', { providerMetadata: { own: {} } })])
      expect(got).toMatchObject({ text: 'Wait.', finishReason: finish })
      if (!isStreamed) return
      expect(joined(got.parts, 'tool-input-delta', 'delta')).toBe('{"city":"Rome"}')
      expect(got.parts.map(({ type }) => type).filter((type) => type.startsWith('tool-'))).toEqual([
        'tool-input-start',
        'tool-input-delta',
        'tool-input-end',
        'tool-call',
      ])
    })

    it('asks again for a tool that was not offered, even if the contract has no rule for calls', async () => {
      const model = scriptedModel([
        { content: [{ ...calling('{}'), toolName: 'fly' }], finish },
        { content: [calling('{"city":"Rome"}')], finish },
      ])
      const got = await ask(enforced(model, contract(brief)), isStreamed, { tools: [weather] })
      expect(ofType(got.parts, 'tool-call')).toEqual([calling('{"city":"Rome"}')])
      expect(JSON.stringify(got.parts)).not.toContain('fly')
    })

    it('passes on what the provider runs, unjudged and in its place', async () => {
      const own = { providerExecuted: true }
      const content = [
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolCallId: 'w', toolName: 'web_search', input: 'not JSON', ...own },
        { type: 'tool-result', toolCallId: 'w', toolName: 'web_search', result: { a: 1 }, ...own },
        { type: 'text', text: ' Rome.' },
      ]
      const got = await ask(enforced(scriptedModel([{ content }]), contract(brief)), isStreamed)
      const kept = got.parts
        .map(({ type }) => type)
        .filter((type) => !/^(?:stream-start|response-metadata|tool-input|text-end|finish|text-start)/.test(type))
      expect(kept).toEqual(isStreamed ? ['text-delta', 'tool-call', 'tool-result', 'text-delta'] : content.map(({ type }) => type))
      expect(got.text).toBe('I look. Rome.')
      if (isStreamed)
        expect(ofType(got.parts, 'tool-input-start')).toEqual([{ type: 'tool-input-start', id: 'w', toolName: 'web_search', ...own }])
    })

    it('takes a turn of the provider’s tools alone for one before the answer', async () => {
      const content = [{ type: 'tool-call', toolCallId: 'w', toolName: 'mcp', input: '{}', providerExecuted: true }]
      const got = await ask(enforced(scriptedModel([{ content, finish }]), contract({ checks: [json({ schema: Plan })] })), isStreamed)
      expect(ofType(got.parts, 'tool-call')).toEqual(content)
    })

    it.each(['{"command":"ls"}', '"free text"'])('knows tools that the provider defines, with the input %s', async (input) => {
      const call = calling(input, { toolName: 'bash' })
      const tools = [{ type: 'provider', id: 'anthropic.bash', name: 'bash', args: {} }]
      for (const given of [rules, contract(brief)])
        expect(
          ofType((await ask(enforced(scriptedModel([{ content: [call], finish }]), given), isStreamed, { tools })).parts, 'tool-call'),
        ).toEqual([call])
    })

    it('reads which calls the conversation has made', async () => {
      const ordered = contract({ checks: [{ tool_sequence: { requires: { book: ['get_weather'] }, strict: true } }], retries: 0 })
      const past = [
        ...prompt,
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'p', toolName: 'get_weather', input: { city: 'Rome' } }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'p', toolName: 'get_weather', output: { type: 'text', value: 'Sun' } }],
        },
      ]
      const book = { ...weather, name: 'book' }
      const turn = { content: [calling('{"city":"Rome"}', { toolName: 'book' })], finish }
      const params = { tools: [weather, book] }
      expect((await ask(enforced(scriptedModel([turn]), ordered), isStreamed, { ...params, prompt: past })).providerMetadata).toMatchObject(
        { stickler: { status: 'valid' } },
      )
      expect(await failureOf(enforced(scriptedModel([turn]), ordered), isStreamed, params)).toMatchObject({ issues: [{}] })
    })
  })
})

describe('streams', () => {
  it('shows no input of a call before it is judged, and pings at once', async () => {
    const turn: Turn = { content: [{ type: 'text', text: 'Hold on.' }], first: [{ type: 'ping' }], hangs: true }
    const model = enforced(scriptedModel([turn]), contract(brief)) as unknown as Asking
    const { stream } = await model.doStream({ prompt })
    const reader = stream.getReader()
    expect([await reader.read(), await reader.read()]).toMatchObject([{ value: { type: 'stream-start' } }, { value: { type: 'ping' } }])
    await reader.cancel()
  })

  it('releases safe text at once, edits on the way, and keeps blocks, citations and sources in their places', async () => {
    const cited = (id: string) => ({ source: { type: 'source', id }, startIndex: 0, endIndex: 5 })
    const content = [
      { type: 'text', text: 'Write to jane.doe@acme.com. ', citations: [cited('a')] },
      { type: 'source', id: 'a' },
      { type: 'text', text: 'Or call.', citations: [cited('b')] },
    ]
    const rules = contract({ checks: [sensitive({ kinds: ['email'], redact: true })], allow: ['lossless', 'lossy'] })
    const { parts, text } = await ask(enforced(scriptedModel([{ content }], 'v4'), rules), true)
    expect(text).toBe('Write to [EMAIL]. Or call.')
    const places = parts.filter(({ type }) => !/^(?:stream-start|response-metadata|finish)$/.test(type)).map(({ type }) => type)
    expect(places.filter((type, at) => type !== places[at - 1])).toEqual([
      'text-start',
      'text-delta',
      'text-end',
      'source',
      'text-start',
      'text-delta',
      'text-end',
    ])
    // Offsets into a text that has changed would point elsewhere.
    expect(ofType(parts, 'text-end')).toMatchObject([
      { id: '0', citations: [{ source: { type: 'source', id: 'a' } }] },
      { id: '2', citations: [cited('b')] },
    ])
    expect(ofType(parts, 'text-end')[0]).not.toHaveProperty('citations.0.startIndex')
  })

  it('goes on in the same block after text has been shown', async () => {
    const rules = contract({ checks: [{ contains: { none: ['never'] } }], retries: 1 })
    const long = 'We always answer in whole sentences, as our readers know. '
    const model = scriptedModel([`${long}We never fail.`, `${long}We rarely fail.`])
    const { parts, text, error } = await ask(enforced(model, rules), true)
    expect(error).toBeUndefined()
    expect(text).toBe(`${long}We rarely fail.`)
    expect([ofType(parts, 'text-start'), ofType(parts, 'text-end')].map((all) => all.map(({ id }) => id))).toEqual([['0'], ['0']])
  })

  it('reads the model only as fast as it is read', async () => {
    const model = scriptedModel([{ text: 'word '.repeat(1000), chunk: 5 }])
    const { stream } = await (enforced(model, contract({ checks: [] })) as unknown as Asking).doStream({ prompt })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(model.calls[0]?.taken).toBe(0)
    const reader = stream.getReader()
    for (let read = 0; read < 5; read++) await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(model.calls[0]?.taken).toBeLessThan(12)
    await reader.cancel()
    expect(model.calls[0]?.cancelled).toBe(true)
  })

  it('enqueues the error, then errors', async () => {
    const { parts, error } = await ask(enforced(scriptedModel(['One two three four.', 'One two three four five.']), contract(brief)), true)
    expect(parts.at(-1)).toEqual({ type: 'error', error })
    expect(error).toBeInstanceOf(UndeliveredError)
    expect(ofType(parts, 'finish')).toEqual([])
  })

  it.each<[string, Turn]>([
    ['breaks off', { text: 'Use', breaks: new TypeError('terminated') }],
    [
      'sends an error',
      {
        content: [
          { type: 'text', text: 'Use' },
          { type: 'error', error: new TypeError('terminated') },
        ],
      },
    ],
  ])('ends with the provider’s error when its stream %s', async (_name, turn) => {
    const { parts, error } = await ask(enforced(scriptedModel([turn]), contract(brief)), true)
    expect(error).toEqual(new TypeError('terminated'))
    expect(parts.at(-1)).toEqual({ type: 'error', error })
  })

  it('takes a stream without an end for cut off', async () => {
    const model = scriptedModel(['Use spaces.'])
    const cut = { ...model, doStream: async (params: Params) => withoutFinish(await model.doStream(params)) }
    expect(await failureOf(enforced(cut, contract({ ...brief, retries: 0 })), true)).toMatchObject({ status: 'unchecked' })
  })

  it.each([true, false])('stops at an abort, before the first part: %s', async (isEarly) => {
    const controller = new AbortController()
    const model = scriptedModel([{ text: 'Use spaces', hangs: true }])
    const asking = (enforced(model, contract({ checks: [] })) as unknown as Asking).doStream({ prompt, abortSignal: controller.signal })
    const { stream } = await asking
    const reader = stream.getReader()
    if (!isEarly) for (let read = 0; read < 4; read++) await reader.read()
    const next = (async () => {
      for (;;) await reader.read()
    })()
    controller.abort()
    await expect(next).rejects.toBe(controller.signal.reason)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(model.calls[0]?.cancelled).toBe(true)
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
    expect(got).toMatchObject({ providerMetadata: { stickler: { status: 'unchecked' } } })
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

function withoutFinish({ stream, ...head }: Streamed): Streamed {
  const kept = new TransformStream<Part, Part>({
    transform: (part, controller) => void (part.type !== 'finish' && controller.enqueue(part)),
  })
  return { ...head, stream: stream.pipeThrough(kept) }
}
