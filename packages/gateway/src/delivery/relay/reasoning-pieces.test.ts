import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type apiNames, ask } from '../../testing/wire.ts'
import {
  answerEvents,
  at,
  chat,
  chatChunk,
  cut,
  hostedTools,
  type Json,
  message,
  messageEvents,
  part,
  place,
  reasoned,
  response,
  responseEvents,
  said,
  withBlock,
  yaml,
} from './testing/reasoned-replies.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** Streams in which a text is named in two ways, or begins outside of a delta; every way to say two pieces, and those around them. */
const cutsOf: Readonly<Record<string, readonly [api: (typeof apiNames)[number], events: (first: string, second: string) => Json[]]>> =
  (() => {
    const [started, , ...rest] = messageEvents as [Json, ...Json[]]
    const after = rest.slice(rest.findIndex(({ type }) => type === 'content_block_stop'))
    const thinks = (index: number, thinking: string): Json => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'thinking_delta', thinking },
    })
    const begins = (thinking: string): Json => ({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking, signature: '' },
    })
    const [created] = responseEvents as [Json, ...Json[]]
    const summary = { type: 'response.reasoning_summary_text.delta' }
    const thinksText = { type: 'response.reasoning_text.delta', item_id: 'r', output_index: 0, content_index: 0 }
    const item = { type: 'response.output_item.added', output_index: 0, item: { ...reasoned, summary: [] } }
    const withAnswer = (...events: Json[]): Json[] =>
      [created, ...events, ...answerEvents].map((event, index) => {
        const { response: ended } = event as { readonly response?: Json }
        return {
          ...event,
          sequence_number: index,
          ...(ended && { response: { ...ended, output: index === 0 ? ended.output : [{ ...reasoned, summary: [] }, said] } }),
        }
      })
    const says = (...deltas: Json[]): Json[] => [
      ...deltas.map((delta) => chatChunk(delta)),
      chatChunk({ content: 'Yes.' }),
      chatChunk({}, 'stop'),
    ]
    const detail = (text: string, more: Json = {}): Json => ({ type: 'reasoning.text', text, ...more })
    const details = (...entries: Json[]): Json => ({ reasoning_details: entries })
    return {
      'a block that begins with text': ['messages', (first, second) => [started, begins(first), thinks(0, second), ...after]],
      'a message that begins with a block': [
        'messages',
        (first, second) => [
          { ...started, message: { ...message(''), content: [{ type: 'thinking', thinking: first, signature: '' }], stop_reason: null } },
          thinks(0, second),
          ...after,
        ],
      ],
      'a part that begins with text': [
        'responses',
        (first, second) =>
          withAnswer(
            item,
            {
              type: 'response.content_part.added',
              item_id: 'r',
              output_index: 0,
              content_index: 0,
              part: { type: 'reasoning_text', text: first },
            },
            { ...thinksText, delta: second },
          ),
      ],
      'a summary that begins with text': [
        'responses',
        (first, second) =>
          withAnswer(
            item,
            { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: first } },
            { ...summary, ...at, delta: second },
          ),
      ],
      'an item that begins with text': [
        'responses',
        (first, second) =>
          withAnswer(
            { ...item, item: { ...reasoned, summary: [{ type: 'summary_text', text: first }] } },
            { ...summary, ...at, delta: second },
          ),
      ],
      'a summary of which only the id is named at last': [
        'responses',
        (first, second) =>
          withAnswer(item, { ...summary, ...at, delta: first }, { ...summary, item_id: 'r', summary_index: 0, delta: second }),
      ],
      'a summary of which the place is named at last, with another between': [
        'responses',
        (first, second) =>
          withAnswer(
            item,
            { ...summary, item_id: 'r', summary_index: 0, delta: first },
            { ...summary, item_id: 'q', output_index: 7, summary_index: 0, delta: ' So ' },
            { ...summary, output_index: 0, summary_index: 0, delta: second },
          ),
      ],
      'a summary whose place moves': [
        'responses',
        (first, second) =>
          withAnswer(
            item,
            { ...summary, ...at, delta: first },
            { ...summary, item_id: 'q', output_index: 7, summary_index: 0, delta: ' So ' },
            { ...summary, ...at, output_index: 3, delta: second },
          ),
      ],
      'details whose index moves': [
        'chat',
        (first, second) => says(details(detail(first, { index: 0 })), details(detail(second, { index: 1 }))),
      ],
      'details whose place moves': [
        'chat',
        (first, second) =>
          says(
            details(detail(first, { index: 0 }), detail(' So ', { index: 1 })),
            details(detail(' It ', { index: 1 }), detail(second, { index: 0 })),
          ),
      ],
      'details with an id': [
        'chat',
        (first, second) =>
          says(
            details(detail(first, { id: 'a' }), detail(' So ', { id: 'b' })),
            details(detail(' It ', { id: 'b' }), detail(second, { id: 'a' })),
          ),
      ],
      'members that change': ['chat', (first, second) => says({ reasoning: first }, { reasoning_content: second })],
    }
  })()

describe('sensitive data in two pieces of reasoning is found', () => {
  test.each(Object.entries(cutsOf))('%s', async (_name, [api, events]) => {
    const secret = 'jane@other.org'
    for (let cutAt = 1; cutAt < secret.length; cutAt++) {
      const [first, second] = [`Ask ${secret.slice(0, cutAt)}`, `${secret.slice(cutAt)} or help@acme.com.`]
      gateway.upstream.enqueue(answeringEvents(events(first, second), { done: api === 'chat' }))
      const { status, body } = await ask(gateway, api, { model: api, stream: true })
      expect(status, body).toBe(200)
      expect([secret.slice(0, cutAt), body.includes(`"Ask ${secret.slice(0, cutAt)}`)]).toEqual([secret.slice(0, cutAt), false])
      expect(body).not.toContain(`"${second}`)
      expect(body).toContain('Ask [EMAIL]')
      expect(body).toContain(' or help@acme.com.')
      expect(body).toContain('Yes')
    }
  })
})

describe('sensitive data in reasoning that goes on after text is found', () => {
  const secrets = ['Card 4111 1111 1111 1111.', 'SSN 123-45-6789 end', 'jane.doe@other.org now', 'IBAN DE89 3704 0044 0532 0130 00 end']
  const shown = /4111 1111 1|123-45-6|@oth|DE89 3704 0/

  const between: Readonly<
    Record<string, readonly [api: (typeof apiNames)[number], model: string, events: (pieces: readonly string[]) => Json[]]>
  > = {
    'in chat': [
      'chat',
      'chat',
      (pieces) => [
        ...pieces.flatMap((piece) => [chatChunk({ reasoning_content: piece }), chatChunk({ content: 'w ' })]),
        chatChunk({}, 'stop'),
      ],
    ],
    'in one delta with text': [
      'chat',
      'chat',
      (pieces) => [...pieces.map((piece) => chatChunk({ reasoning_content: piece, content: 'w ' })), chatChunk({}, 'stop')],
    ],
    'in a translated stream': [
      'messages',
      'chat',
      (pieces) => [
        ...pieces.flatMap((piece) => [chatChunk({ reasoning_content: piece }), chatChunk({ content: 'w ' })]),
        chatChunk({}, 'stop'),
      ],
    ],
  }

  test.each(Object.entries(between))('%s', async (_name, [api, model, events]) => {
    for (const secret of secrets) {
      for (const size of [1, 2, 5, 9, 13]) {
        const pieces = secret.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
        gateway.upstream.enqueue(answeringEvents(events(pieces), { delayMs: 1 }))
        const { status, body, events: got } = await ask(gateway, api, { model, stream: true })
        expect(status, body).toBe(200)
        const thoughts = got.map(({ data }) => /"(?:reasoning_content|thinking)":"([^"]*)"/.exec(data)?.[1] ?? '').join('')
        expect([secret, size, shown.test(thoughts), thoughts.includes('[')]).toEqual([secret, size, false, true])
        expect(body.match(/w /g)).toHaveLength(pieces.length)
      }
    }
  })
})

describe('sensitive data beside the text is found', () => {
  const secret = 'By jane@other.org'
  const url = 'https://example.org/?by=jane@other.org'
  const cited = {
    type: 'char_location',
    cited_text: secret,
    document_title: secret,
    document_index: 0,
    start_char_index: 0,
    end_char_index: 4,
  }
  const found = { type: 'web_search_result_location', url, title: secret, cited_text: secret, encrypted_index: 'e' }
  const annotation = { type: 'url_citation', url, title: secret, start_index: 0, end_index: 4 }
  const noted = { ...said, content: [{ ...part, annotations: [annotation] }] }
  const withOutput = (output: readonly Json[]): Json[] =>
    answerEvents.map((event) => {
      const { type, response: ended } = event as { readonly type: string; readonly response?: Json }
      const shared = { ...event, ...('output_index' in event && { output_index: 0 }) }
      return {
        ...shared,
        ...(ended && { response: { ...ended, output } }),
        ...(type === 'response.output_item.done' && { item: output[0] }),
      }
    })

  const { items: hostedItems, blocks: hostedBlocks } = hostedTools(secret, url)

  const token = {
    ...{ token: 'Yes.', logprob: -1, bytes: [...Buffer.from('Yes.')] },
    top_logprobs: [{ token: secret, logprob: -2, bytes: [...Buffer.from(secret)] }],
  }
  const likely = { choices: [{ ...(chat.whole({}).choices as Json[])[0], logprobs: { content: [token] } }] }

  test.each<readonly [name: string, api: (typeof apiNames)[number], reply: Json | Json[]]>([
    ['tokens that were not chosen', 'chat', { ...chat.whole({}), ...likely }],
    [
      'tokens that were not chosen',
      'chat',
      [
        {
          ...chatChunk({}),
          choices: [{ index: 0, delta: { role: 'assistant', content: 'Yes.' }, logprobs: { content: [token] }, finish_reason: null }],
        },
        chatChunk({}, 'stop'),
      ],
    ],
    ['tokens that were not chosen', 'responses', { ...response, output: [{ ...said, content: [{ ...part, logprobs: [token] }] }] }],
    ['annotations', 'chat', chat.whole({ annotations: [{ type: 'url_citation', url_citation: annotation }] })],
    [
      'annotations',
      'chat',
      [
        chatChunk({ role: 'assistant', content: 'Yes.' }),
        chatChunk({ annotations: [{ type: 'url_citation', url_citation: annotation }] }),
        chatChunk({}, 'stop'),
      ],
    ],
    ['addresses of sources', 'chat', { ...chat.whole({}), citations: [url], search_results: [{ title: secret, url }] }],
    ['citations', 'messages', { ...message(''), content: [{ type: 'text', text: 'Yes.', citations: [cited, found] }] }],
    [
      'citations',
      'messages',
      messageEvents.flatMap((event) =>
        event.type === 'content_block_delta' && event.index === 1
          ? [event, ...[cited, found].map((citation) => ({ ...event, delta: { type: 'citations_delta', citation } }))]
          : [event],
      ),
    ],
    ['annotations', 'responses', { ...response, output: [noted] }],
    [
      'annotations',
      'responses',
      [
        responseEvents[0] as Json,
        ...withOutput([noted]).flatMap((event) =>
          event.type === 'response.output_text.delta'
            ? [event, { ...place, output_index: 0, type: 'response.output_text.annotation.added', annotation_index: 0, annotation }]
            : [event],
        ),
      ],
    ],
    ...Object.entries(hostedItems).flatMap(([type, item]): (readonly [string, (typeof apiNames)[number], Json | Json[]])[] => {
      const whole = { type, id: 'h', status: 'completed', ...item }
      const events = [
        { type: 'response.output_item.added', output_index: 1, item: { type, id: 'h', status: 'in_progress' } },
        { type: 'response.output_item.done', output_index: 1, item: whole },
      ]
      const [created, ...others] = withOutput([said, whole])
      return [
        [type, 'responses', { ...response, output: [whole, said] }],
        [type, 'responses', [responseEvents[0] as Json, created as Json, ...others.slice(0, -1), ...events, others.at(-1) as Json]],
      ]
    }),
    ...hostedBlocks.flatMap((block): (readonly [string, (typeof apiNames)[number], Json | Json[]])[] => {
      const type = String(block.type)
      const shown = withBlock({ type: 'content_block_start', index: 1, content_block: block })
      return [
        [type, 'messages', { ...message(''), content: [block, { type: 'text', text: 'Yes.' }] }],
        [type, 'messages', shown],
      ]
    }),
    ['executed tools', 'chat', chat.whole({ executed_tools: [{ index: 0, type: 'search', arguments: '{}', output: secret }] })],
    [
      'executed tools',
      'chat',
      [
        chatChunk({ role: 'assistant', executed_tools: [{ index: 0, type: 'search', output: secret }] }),
        chatChunk({ content: 'Yes.' }),
        chatChunk({}, 'stop'),
      ],
    ],
    [
      'a call of a server tool in pieces',
      'messages',
      withBlock(
        { type: 'content_block_start', index: 1, content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} } },
        ...cut(JSON.stringify({ query: secret }), 15).map((partial_json) => ({
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json },
        })),
      ),
    ],
    [
      'a call of MCP in pieces',
      'responses',
      [
        responseEvents[0] as Json,
        ...withOutput([
          said,
          { type: 'mcp_call', id: 'h', name: 'n', server_label: 's', arguments: JSON.stringify({ q: secret }) },
        ]).flatMap((event) =>
          event.type === 'response.output_item.done'
            ? [
                event,
                { type: 'response.output_item.added', output_index: 1, item: { type: 'mcp_call', id: 'h', name: 'n', arguments: '' } },
                ...cut(JSON.stringify({ q: secret })).map((delta) => ({
                  type: 'response.mcp_call_arguments.delta',
                  output_index: 1,
                  item_id: 'h',
                  delta,
                })),
              ]
            : [event],
        ),
      ],
    ],
    [
      'a thought in a message',
      'responses',
      { ...response, output: [{ ...said, content: [part, { type: 'summary_text', text: secret }] }] },
    ],
    [
      'a thought in a message',
      'responses',
      [responseEvents[0] as Json, ...withOutput([{ ...said, content: [part, { type: 'summary_text', text: secret }] }])],
    ],
  ])('%s, %s', async (_name, api, reply) => {
    const isStream = Array.isArray(reply)
    gateway.upstream.enqueue(isStream ? answeringEvents(reply, { done: api === 'chat' }) : answeringBody(reply))
    const { status, body } = await ask(gateway, api, { model: api, stream: isStream })
    expect(status, body).toBe(200)
    expect(body).not.toContain('jane')
    expect(body).not.toContain(String([...Buffer.from('jane')]))
    expect(body).toContain('By [EMAIL]')
    expect(body).toContain('Yes.')
  })
})
