import fc from 'fast-check'
import type { Fields } from '../../../answer/tool-shapes/fields.ts'

/** A block of a message with its events in a stream, and its checked parts. */
interface AnyBlock {
  /** Its JSON as a whole. */
  readonly json: string
  /** JSON of its beginning in a stream, and of each delta. */
  readonly start: string
  readonly deltas: readonly string[]
  readonly text: string
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: string }
}

/** Numbers and texts that change when they are parsed and written again. */
const odd = fc.constantFrom('12345678901234567890', '1.0', '-0', '1e2', '"\\u0061\\/"', '{ "b" :1,"a":2, "b":3}', '[ ]', 'null')
const oddMember = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('x_new', 'citations_2', 'caller'), odd).map(([name, value]) => `,"${name}": ${value}`),
)
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a "quoted" \\ text', '\n\r\u2028', '😀é', '```js\n1\n```'),
)

const text = fc.tuple(fc.array(anyText, { maxLength: 4 }), oddMember, fc.boolean()).map(([pieces, more, cites]): AnyBlock => {
  const whole = pieces.join('')
  const citation = '{"type":"char_location","cited_text":"x","document_index":0,"start_char_index":12345678901234567890}'
  return {
    json: `{"type":"text","text":${JSON.stringify(whole)}${cites ? `,"citations":[${citation}]` : ''}${more}}`,
    start: `{"type":"text","text":""${more}}`,
    deltas: [
      ...pieces.map((piece) => `{"type":"text_delta","text":${JSON.stringify(piece)}}`),
      ...(cites ? [`{"type":"citations_delta","citation":${citation}}`] : []),
    ],
    text: whole,
  }
})

const thinking = fc.tuple(fc.array(anyText, { maxLength: 2 }), fc.string({ maxLength: 8 })).map(
  ([pieces, signature]): AnyBlock => ({
    json: JSON.stringify({ type: 'thinking', thinking: pieces.join(''), signature }),
    start: '{"type":"thinking","thinking":"","signature":""}',
    deltas: [
      ...pieces.map((piece) => JSON.stringify({ type: 'thinking_delta', thinking: piece })),
      JSON.stringify({ type: 'signature_delta', signature }),
    ],
    text: '',
  }),
)

const call = fc
  .tuple(fc.uuid(), fc.constantFrom('f', 'look up', 'é'), fc.array(odd, { maxLength: 3 }), oddMember)
  .map(([id, name, values, more]): AnyBlock => {
    const input = `{${values.map((value, at) => ` "k${at}": ${value}`).join(',')}}`
    const head = `{"type":"tool_use","id":"${id}","name":${JSON.stringify(name)},"input":`
    const pieces = values.length === 0 ? [] : [input.slice(0, 3), input.slice(3)]
    return {
      json: `${head}${input}${more}}`,
      start: `${head}{}${more}}`,
      deltas: ['', ...pieces].map((piece) => JSON.stringify({ type: 'input_json_delta', partial_json: piece })),
      text: '',
      call: { id, name, arguments: input },
    }
  })

const other = fc
  .constantFrom(
    '{"type":"redacted_thinking","data":"EmwK"}',
    '{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}}',
    '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://x.example","title":"t","encrypted_content":"e","page_age":null}]}',
    '{"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"s","input":{"a":1.0}}',
    '{"type":"compaction","content":"summary text"}',
    '{"type":"brand_new","text":"not judged","n":12345678901234567890}',
  )
  .map((json): AnyBlock => ({ json, start: json, deltas: [], text: '' }))

const stop = fc.constantFrom(
  'end_turn',
  'stop_sequence',
  'max_tokens',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'brand_new',
)

/** A message of the Messages API, whole and as a stream. */
export interface AnyMessage {
  readonly blocks: readonly AnyBlock[]
  readonly body: string
  /** Name and data of each event. */
  readonly events: readonly (readonly [name: string, data: string])[]
  readonly stopReason: string
  readonly usage: Fields
}

const usage =
  '{"input_tokens":3,"cache_creation_input_tokens":5,"cache_read_input_tokens":7,"cache_creation":{"ephemeral_5m_input_tokens":5},"output_tokens":11,"service_tier":"standard","inference_geo":"eu"}'

/** Any message, with everything that providers are known to send, and unknown types. */
export const anyMessage: fc.Arbitrary<AnyMessage> = fc
  .tuple(fc.array(fc.oneof(text, text, thinking, call, other), { maxLength: 5 }), stop, fc.integer({ min: 0, max: 2 }))
  .map(([blocks, stopReason, noise]) => {
    const head = '"id":"msg_1","type":"message","role":"assistant","model":"claude-x"'
    const sequence = stopReason === 'stop_sequence' ? '"###"' : 'null'
    const ends = `"stop_reason":"${stopReason}","stop_sequence":${sequence}`
    const ping: readonly (readonly [string, string])[] = noise > 0 ? [['ping', '{"type": "ping"}']] : []
    const news: readonly (readonly [string, string])[] = noise > 1 ? [['brand_new', '{"type":"brand_new","n":12345678901234567890}']] : []
    return {
      blocks,
      stopReason,
      usage: JSON.parse(usage) as Fields,
      body: `{ ${head}, "content":[${blocks.map(({ json }) => json).join(' , ')}],${ends},"container":null,"usage":${usage}}\n`,
      events: [
        [
          'message_start',
          `{"type":"message_start","message":{${head},"content":[],"stop_reason":null,"stop_sequence":null,"usage":${usage}}}`,
        ],
        ...ping,
        ...blocks.flatMap(({ start, deltas }, index): (readonly [string, string])[] => [
          ['content_block_start', `{"type":"content_block_start","index":${index},"content_block":${start}}`],
          ...deltas.map((delta): [string, string] => [
            'content_block_delta',
            `{"type":"content_block_delta","index":${index},"delta":${delta} }`,
          ]),
          ...news,
          ['content_block_stop', `{"type":"content_block_stop","index":${index}}`],
        ]),
        ['message_delta', `{"type":"message_delta","delta":{${ends}},"usage":${usage}}`],
        ['message_stop', '{"type":"message_stop"}'],
      ],
    }
  })
