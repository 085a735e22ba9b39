import { contract, UndeliveredError } from '@stickler/core'
import { sensitive } from '@stickler/core/validators'
import { describe, expect, it } from 'vitest'
import { enforced } from './index.ts'
import type { Params, Part, Streamed } from './model.ts'
import { type Asking, ask, brief, failureOf, ofType, prompt } from './testing/ask.ts'
import { scriptedModel, type Turn } from './testing/scripted-model.ts'

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

  it('passes raw chunks on after the answer that they are, and none of one that was repaired or rejected', async () => {
    const rules = contract({ ...brief, checks: [sensitive({ kinds: ['email'], redact: true }), ...brief.checks] })
    const saying = (text: string): Turn => ({ text, chunk: 4, first: [{ type: 'raw', rawValue: { text } }] })
    const rawIn = async (...turns: Turn[]) => {
      const { parts } = await ask(enforced(scriptedModel(turns), rules), true, { includeRawChunks: true })
      return { raw: ofType(parts, 'raw').map(({ rawValue }) => rawValue), last: parts.slice(-2).map(({ type }) => type) }
    }
    const fine = { raw: [{ text: 'Use spaces.' }], last: ['raw', 'finish'] }
    expect(await rawIn(saying('Use spaces.'))).toEqual(fine)
    expect(await rawIn(saying('Ask jane.doe@acme.com now.'))).toEqual({ raw: [], last: ['text-end', 'finish'] })
    expect((await rawIn(saying('One two three four.'), saying('Use spaces.'))).raw).toEqual(fine.raw)
    const { parts } = await ask(enforced(scriptedModel([saying('Use spaces.')]), rules), true)
    expect(ofType(parts, 'raw')).toEqual([])
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

  const said = 'Listed: hunter2'
  const beside: readonly Part[] = [
    { type: 'reasoning', text: said },
    { type: 'file', mediaType: 'text/plain', data: said },
    { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com', title: said },
    { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: JSON.stringify({ q: said }), providerExecuted: true },
    { type: 'tool-call', toolCallId: 'c', toolName: 'send', input: JSON.stringify({ to: said }) },
    { type: 'tool-result', toolCallId: 'p', toolName: 'web', result: said },
    { type: 'tool-approval-request', approvalId: said, toolCallId: 'p' },
    { type: 'response-metadata', id: said },
    { type: 'raw', rawValue: said },
    { type: 'custom', kind: said },
  ]
  it.each(beside.flatMap((part) => (['hold', 'verified'] as const).map((stream) => ({ stream, type: part.type, part }))))(
    'has nothing of a rejected $type beside a fallback: $stream',
    async ({ stream, part }) => {
      const rules = contract({ checks: [{ contains: { none: ['listed'] } }], retries: 0, fallback: 'Sorry.', stream })
      const long = { type: 'text', text: said }
      for (const content of [
        [part, long],
        [long, part],
      ]) {
        const { parts, text } = await ask(enforced(scriptedModel([{ content }]), rules), true, { includeRawChunks: true })
        expect(text).toBe('Sorry.')
        expect(JSON.stringify(parts)).not.toContain('hunter2')
      }
    },
  )

  it.each([true, false])(
    'searches reasoning for secrets, and leaves out log probabilities of a repaired text: streamed %s',
    async (isStreamed) => {
      const rules = contract({ checks: [sensitive({ kinds: ['email'], redact: true })] })
      const reasoning = { type: 'reasoning', text: 'Is it jane@acme.com?', providerMetadata: { scripted: { signature: 's' } } }
      const turn = (text: string): Turn => ({
        content: [reasoning, { type: 'text', text }],
        providerMetadata: { scripted: { logprobs: [{ token: 'jane' }], id: 1 } },
      })
      const asked = (text: string) => ask(enforced(scriptedModel([turn(text)]), rules), isStreamed)
      const repaired = await asked('To jane@acme.com.')
      expect(JSON.stringify(repaired)).not.toMatch(/jane|acme/)
      expect(JSON.stringify(repaired.parts)).toContain('Is it [EMAIL]?')
      expect(JSON.stringify(repaired.parts)).toContain('"signature":"s"')
      expect(repaired.providerMetadata).toMatchObject({ scripted: { id: 1 }, stickler: { status: 'repaired' } })
      expect((await asked('Fine.')).providerMetadata).toMatchObject({ scripted: { logprobs: [{ token: 'jane' }] } })
    },
  )

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

function withoutFinish({ stream, ...head }: Streamed): Streamed {
  const kept = new TransformStream<Part, Part>({
    transform: (part, controller) => void (part.type !== 'finish' && controller.enqueue(part)),
  })
  return { ...head, stream: stream.pipeThrough(kept) }
}
