import { createParser, type EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finishKindOf } from '../../answer/finish-reason.ts'
import { chatApi } from '../chat/chat.ts'
import { messagesApi } from '../messages/messages.ts'
import { responsesApi } from '../responses/responses.ts'
import type { Api, FinalChoice, FinalReply } from '../shared/api.ts'
import type { ChoiceEnd } from '../shared/choice-event.ts'
import { heartbeatFrame } from '../shared/sse-frames.ts'
import type { ApiName, WireHead } from '../shared/wire.ts'
import { framed } from '../testing/framed.ts'

const messages = [{ role: 'user', content: 'Hello?' }]
const hostile = [
  '\r',
  '\n',
  '\r\n\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\0',
  '\ufeff',
  'data: [DONE]',
  '\n\nevent: error\ndata: {}\n\n',
  '\ud83d',
  '🙂',
  '"',
  '\\',
]
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' })), { maxLength: 12 })
  .map((parts) => parts.join(''))

function read(stream: string): { events: readonly EventSourceMessage[]; comments: number } {
  const events: EventSourceMessage[] = []
  let comments = 0
  const parser = createParser({ onEvent: (event) => void events.push(event), onComment: () => void comments++ })
  parser.feed(stream)
  return { events, comments }
}

/** What a client gathers from the data of events that carry a piece of something. */
const gather = {
  chat: (data: {
    choices?: { delta?: { content?: string; reasoning_content?: string; tool_calls?: { function: { arguments: string } }[] } }[]
  }) => {
    const delta = data.choices?.[0]?.delta
    return [delta?.content, delta?.reasoning_content, delta?.tool_calls?.[0]?.function.arguments]
  },
  responses: ({ type, delta }: { type: string; delta?: string }) => [
    type === 'response.output_text.delta' ? delta : '',
    type === 'response.reasoning_summary_text.delta' ? delta : '',
    type === 'response.function_call_arguments.delta' ? delta : '',
  ],
  messages: ({ delta }: { delta?: { text?: string; thinking?: string; partial_json?: string } }) => [
    delta?.text,
    delta?.thinking,
    delta?.partial_json,
  ],
}

const cases: [ApiName, Api, Record<string, unknown>, (data: never) => (string | undefined)[], string][] = [
  ['chat', chatApi(), { model: 'm', messages, stream: true }, gather.chat, '[DONE]'],
  ['responses', responsesApi(), { model: 'm', input: 'Hello?', stream: true }, gather.responses, 'response.completed'],
  ['messages', messagesApi(), { model: 'm', messages, max_tokens: 9, stream: true }, gather.messages, 'message_stop'],
]

describe.each(cases)('the encoder of %s', (_api, api, body, pick, last) => {
  it('gives any text, reasoning and argument back, in frames that nothing can break out of', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), anyText, anyText, anyText, (texts, reasoning, value, id) => {
        const args = JSON.stringify({ value })
        const choice: FinalChoice = {
          index: 0,
          text: texts.join(''),
          toolCalls: [{ id, name: value, arguments: args }],
          finishReason: value,
          message: {},
          fields: {},
          verdict: { status: 'valid', contract: id, attempts: 1, issues: [], fixed: [], repairs: [], unchecked: [value] },
        }
        const reply: FinalReply = {
          id,
          created: 1,
          model: value,
          fields: {},
          choices: [choice],
          usage: { promptTokens: 1, completionTokens: 2 },
        }
        const encoder = framed((out) => api.encoder(api.read(body), out))
        const stream = [
          encoder.progress(value, false),
          encoder.begin(reply),
          api.heartbeat ?? heartbeatFrame,
          encoder.fields(0, { reasoning_content: reasoning }),
          ...texts.map((text) => encoder.text(0, text)),
          encoder.end(choice),
          encoder.finish(reply),
        ]
        for (const frames of stream) expect(frames === '' || frames.endsWith('\n\n')).toBe(true)
        // Line breaks of every kind stand only where frames need them.
        expect(
          stream
            .join('')
            .split(/[\r\n\u2028\u2029]/u)
            .filter((line) => line !== '' && !/^(?:data|event): |^: /u.test(line)),
        ).toEqual([])
        const { events } = read(stream.join(''))
        const end = events.at(-1)
        // A finish reason that nobody knows is not a completion.
        expect((end?.event ?? end?.data)?.replace('incomplete', 'completed')).toBe(last)
        const picked = events.filter(({ data }) => data !== '[DONE]').map(({ data }) => pick(JSON.parse(data) as never))
        const gathered = [0, 1, 2].map((at) => picked.map((parts) => parts[at] ?? '').join(''))
        expect(gathered).toEqual([choice.text, reasoning, args])
      }),
      { numRuns: 60 },
    )
  })

  it('makes what the reader of the API reads as a whole, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), anyText, fc.boolean(), (texts, value, isCalled) => {
        const text = texts.join('')
        const toolCalls = isCalled ? [{ id: 'c', name: 'look', arguments: JSON.stringify({ value }) }] : []
        const verdict = { status: 'valid' as const, contract: 'c', attempts: 1, issues: [], fixed: [], repairs: [], unchecked: [] }
        const choice: FinalChoice = {
          index: 0,
          text,
          toolCalls,
          finishReason: isCalled ? 'tool_calls' : 'stop',
          message: {},
          fields: {},
          verdict,
        }
        const reply: FinalReply = {
          id: 'x',
          created: 1,
          model: 'm',
          fields: {},
          choices: [choice],
          usage: { promptTokens: 3, completionTokens: 2 },
        }
        const encoder = framed((out) => api.encoder({ ...api.read(body), includeUsage: true }, out))
        const stream = [encoder.begin(reply), ...texts.map((piece) => encoder.text(0, piece)), encoder.end(choice), encoder.finish(reply)]
        let said = ''
        let end: ChoiceEnd | undefined
        let usage: WireHead['usage']
        const reader = api.wire?.readStream({
          count: 1,
          alwaysEnds: true,
          isGuarded: true,
          see: (_, event) => {
            if (event.type === 'text') said += event.text
            if (event.type === 'end') end = event
          },
          head: (head) => {
            usage = head.usage ?? usage
          },
          receive: () => {},
        })
        for (const { event = '', data } of read(stream.join('')).events) if (data !== '[DONE]') reader?.take(event, data)
        reader?.end()
        expect([said, end?.toolCalls, finishKindOf(end?.finishReason ?? ''), end?.unread, usage]).toEqual([
          text,
          toolCalls,
          isCalled ? 'calls' : 'complete',
          undefined,
          { promptTokens: 3, completionTokens: 2 },
        ])
      }),
      { numRuns: 40 },
    )
  })

  it('never splits text or arguments into frames of more than a few kB', () => {
    const request = api.read(body)
    const encoder = framed((out) => api.encoder(request, out))
    encoder.begin({ id: 'x', created: 1, model: 'm', fields: {} })
    const { events } = read(encoder.text(0, 'x'.repeat(100_000)))
    const deltas = events.filter(({ data }) => pick(JSON.parse(data) as never)[0])
    expect(deltas).toHaveLength(Math.ceil(100_000 / 4096))
  })

  it('says nothing for nothing, and shows signs of life that no reader takes for content', () => {
    const encoder = framed((out) => api.encoder(api.read(body), out))
    encoder.begin({ id: 'x', created: 1, model: 'm', fields: {} })
    expect(encoder.text(0, '')).toBe('')
    expect(encoder.fields(0, {})).toBe('')
    const { events, comments } = read(api.heartbeat ?? heartbeatFrame)
    expect(api.name === 'messages' ? events.map(({ event }) => event) : comments).toEqual(api.name === 'messages' ? ['ping'] : 1)
  })
})
