import {
  type Attributes,
  type AttributeValue,
  type Context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type TimeInput,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { enforce, enforceStream, type Ports } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { ParserUnavailable } from '@stickler/core/validators'
import { describe, expect, it, vi } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { createTracing, RequestSpans } from './request-spans.ts'

interface Recorded {
  readonly name: string
  readonly parent: Span | undefined
  readonly span: Span
  readonly start: TimeInput | undefined
  readonly attributes: Attributes
  readonly events: { name: string; attributes: Attributes }[]
  status?: SpanStatusCode
  end?: TimeInput | undefined
  ends: number
}

function recorder(): { tracer: Tracer; spans: Recorded[] } {
  const spans: Recorded[] = []
  const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span => {
    const base = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    const one: Recorded = {
      name,
      parent: context && trace.getSpan(context),
      span: base,
      start: options.startTime,
      attributes: { ...options.attributes },
      events: [],
      ends: 0,
    }
    Object.assign(base, {
      isRecording: () => true,
      setAttribute: (key: string, value: AttributeValue) => Object.assign(one.attributes, { [key]: value }),
      setAttributes: (more: Attributes) => Object.assign(one.attributes, more),
      addEvent: (event: string, attributes: Attributes) => one.events.push({ name: event, attributes }),
      setStatus: ({ code }: { code: SpanStatusCode }) => Object.assign(one, { status: code }),
      end: (time?: TimeInput) => Object.assign(one, { end: time, ends: one.ends + 1 }),
    })
    spans.push(one)
    return base
  }
  return { tracer: { startSpan } as Tracer, spans }
}

const secret = 'words of the answer'
const attributes = {
  api: 'chat',
  contract: 'answers',
  model: 'small',
  places: [{ upstream: 'local', provider: 'local', model: `llama${'x'.repeat(500)}` }],
  stream: false,
  requestId: 'r1',
  body: {},
  headers: {},
}

async function run(
  turns: readonly (ScriptedTurn | string)[],
  checks: readonly string[] = ['step_marker'],
  stream = false,
  ports: Ports = {},
  facts: Partial<typeof attributes> = {},
) {
  const { tracer, spans } = recorder()
  const options = {
    contract: contract({ checks: [...checks, { max_words: { limit: 9 } }], repair: 'never', retries: 1 }),
    runner: scripted(
      turns.map((turn) => (typeof turn === 'string' ? { text: turn, usage: { promptTokens: 7, completionTokens: 3 } } : turn)),
    ),
    prompt: secret,
    ports,
    onEvent: new RequestSpans(tracer, { ...attributes, ...facts }, () => 1_000_000).listen(0, () => undefined),
  }
  if (!stream) await enforce(options)
  else for await (const _ of enforceStream(options));
  return spans
}

const verdicts = ({ events }: Recorded) =>
  events
    .filter(({ name }) => name === 'gen_ai.evaluation.result')
    .map((event) => [event.attributes['gen_ai.evaluation.name'], event.attributes['gen_ai.evaluation.score.label']])

describe('spans of a run', () => {
  it('one for the run, one for each call below it', async () => {
    const [whole, first, second, ...rest] = await run([secret, `${secret} <!-- STEP: done -->`])
    expect(rest).toEqual([])
    expect(whole).toMatchObject({ name: 'stickler.run', parent: undefined, ends: 1 })
    expect([first?.parent, second?.parent]).toEqual([whole?.span, whole?.span])
    expect([first?.ends, second?.ends]).toEqual([1, 1])
    expect(first?.name).toBe(`chat llama${'x'.repeat(123)}`)
    expect(first?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'local',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
      'stickler.attempt': 1,
    })
    expect(whole?.attributes).toMatchObject({ 'stickler.status': 'valid', 'stickler.attempts': 2, 'gen_ai.usage.input_tokens': 14 })
    expect(first && verdicts(first)).toEqual([
      ['step_marker', 'fail'],
      ['max_words', 'pass'],
    ])
    expect(second && verdicts(second)).toEqual([
      ['step_marker', 'pass'],
      ['max_words', 'pass'],
    ])
  })

  it('an answer that is given up is an error of the run, not of the calls', async () => {
    const [whole, first, second] = await run([secret, `${secret}!`])
    expect([whole?.status, first?.status, second?.status]).toEqual([SpanStatusCode.ERROR, undefined, undefined])
  })

  it('without a contract nobody has given a verdict, and what came is no error', async () => {
    for (const turns of [[secret, `${secret}!`], [`${secret} <!-- STEP: done -->`]]) {
      const [whole, ...calls] = await run(turns, undefined, false, {}, { contract: '' })
      expect([whole?.status, whole?.attributes['stickler.status']]).toEqual([undefined, 'unenforced'])
      expect(calls.flatMap(verdicts)).toEqual([])
    }
  })

  it('a run without an answer has used nothing that anybody knows', async () => {
    const [whole] = await run([{ failure: { kind: 'timeout', message: secret } }], undefined, false, {}, { contract: '' })
    expect(whole?.attributes).toMatchObject({ 'stickler.status': 'failed' })
    expect(Object.keys(whole?.attributes ?? {}).filter((name) => name.startsWith('gen_ai.usage'))).toEqual([])
  })

  it('a failure of the provider is an error of the call too', async () => {
    const [whole, first] = await run([{ failure: { kind: 'timeout', message: secret } }])
    expect([whole?.status, first?.status]).toEqual([SpanStatusCode.ERROR, SpanStatusCode.ERROR])
    expect([whole?.attributes['error.type'], first?.attributes['error.type'], first?.ends]).toEqual(['timeout', 'timeout', 1])
  })

  it('a check that cannot run is neither pass nor fail', async () => {
    const [, first] = await run(['---\nadr_id: 1\nfiles: { modify: [a.ts] }\n---\n<!-- STEP: done -->'], ['file_existence'])
    expect(first && verdicts(first)).toContainEqual(['file_existence', 'unchecked'])
  })

  it.each([
    ['fault', 'half-open'],
    ['open', 'open'],
    ['disabled', 'disabled'],
  ] as const)('a parser without a verdict says why: %s, circuit %s', async (reason, circuit) => {
    const parse = () => Promise.reject(new ParserUnavailable(secret, reason, circuit))
    for (const stream of [false, true]) {
      const [, first] = await run(['```json\n{}\n```\n'], ['code_syntax'], stream, { parser: { parse } })
      expect(first?.events.map((event) => event.attributes)).toContainEqual({
        'gen_ai.evaluation.name': 'code_syntax',
        'gen_ai.evaluation.score.label': 'unchecked',
        'gen_ai.evaluation.explanation': expect.stringContaining('The parser'),
        'error.type': 'unavailable',
        'stickler.unchecked.reason': reason,
        'stickler.unchecked.circuit': circuit,
      })
    }
  })

  it('a stopped stream has only the verdict that stopped it', async () => {
    const [, first] = await run([{ text: 'too many words '.repeat(9), chunkSize: 5 }], ['step_marker'], true)
    expect(first?.attributes['stickler.stopped_at']).toEqual(expect.any(Number))
    expect(first && verdicts(first)).toEqual([['max_words', 'fail']])
  })

  it.each([false, true])('no content anywhere (stream %s)', async (stream) => {
    const spans = await run([secret, `${secret} <!-- STEP: done -->`], ['step_marker'], stream)
    expect(JSON.stringify(spans.map(({ name, attributes: all, events }) => [name, all, events]))).not.toContain('words of')
  })
})

describe('when nobody records', () => {
  it('one span is asked for, and nothing more', async () => {
    const tracer = new ProxyTracerProvider().getTracer('stickler')
    const started = vi.spyOn(tracer, 'startSpan')
    const listen = new RequestSpans(tracer, attributes).listen(0, () => undefined)
    await enforce({ contract: contract({ checks: ['step_marker'] }), runner: scripted(['x']), prompt: 'p', onEvent: listen })
    expect(started).toHaveBeenCalledTimes(1)
  })
  it('events without a beginning are passed over', () => {
    const listen = new RequestSpans(recorder().tracer, attributes).listen(0, () => undefined)
    expect(() => listen({ type: 'attempt-started', attempt: 1, call: 'run', run: 'r', at: 0 })).not.toThrow()
  })
  it('a run has no listener until a provider is registered', () => {
    const tracing = createTracing(() => 1_000_000)
    expect(tracing()).toBeUndefined()
    const { tracer, spans } = recorder()
    try {
      trace.setGlobalTracerProvider({ getTracer: () => tracer })
      tracing()
        ?.run(attributes)
        .listen(
          0,
          () => undefined,
        )({ type: 'run-started', run: 'r', at: 0, validators: [] } as never)
      expect(spans).toMatchObject([{ name: 'stickler.run' }])
    } finally {
      trace.disable()
    }
    expect(tracing()).toBeUndefined()
  })
})
