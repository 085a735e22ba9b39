import { describe, expect, it } from 'vitest'
import { RunnerFailure } from '../../../engine/runner-failure.ts'
import { anthropicRequest, type ChatFields } from './anthropic-request.ts'

const user = { role: 'user', content: 'hi' }
const ask = (further: object = {}): ChatFields => ({ model: 'm', messages: [user], ...further })
const says = (...messages: object[]): ChatFields => ask({ messages })
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }

/** What becomes of a request: its translation, or the field that it is refused for. */
function translated(request: ChatFields): unknown {
  try {
    return anthropicRequest(request, 9)
  } catch (error) {
    if (!(error instanceof RunnerFailure)) throw error
    return JSON.parse(error.details.body ?? '').error
  }
}

describe('a request of chat completions for the Messages API', () => {
  it.each<[string, object, object]>([
    [
      'a schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: { type: 'object' } } } },
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
    [
      'limits of a schema, which the API refuses',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: { type: 'object', properties: { days: { type: 'integer', minimum: 1 } }, required: ['days'] } },
        },
      },
      {
        output_config: {
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              properties: { days: { type: 'integer', description: expect.stringContaining('minimum') } },
              required: ['days'],
              additionalProperties: false,
            },
          },
        },
      },
    ],
    ['an effort', { reasoning_effort: 'minimal' }, { output_config: { effort: 'low' } }],
    ['most effort', { reasoning_effort: 'xhigh' }, { output_config: { effort: 'max' } }],
    ['no effort', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['its own thinking', { thinking: { type: 'adaptive' }, reasoning_effort: 'none' }, { thinking: { type: 'adaptive' } }],
    ['a tier', { service_tier: 'default' }, { service_tier: 'standard_only' }],
    [
      'strict tools',
      { tools: [{ ...tool, function: { ...tool.function, strict: true } }] },
      { tools: [{ name: 'f', input_schema: { type: 'object' }, strict: true }] },
    ],
    ['stops', { stop: ['a', ''] }, { stop_sequences: ['a'] }],
    [
      'values that ask for nothing',
      { n: 1, logprobs: false, top_logprobs: 0, logit_bias: {}, modalities: ['text'], response_format: { type: 'text' } },
      {},
    ],
  ])('carries %s', (_name, further, expected) => {
    expect(translated(ask(further))).toMatchObject({ body: { model: 'm', max_tokens: 9, messages: [user], ...expected } })
  })

  it('carries an error of a tool, a title of a file and what a refusal said', () => {
    const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } }
    const request = says(
      { role: 'user', content: [file] },
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'tool', tool_call_id: 't', content: 'x', is_error: true },
    )
    expect(translated(request)).toEqual({
      body: {
        model: 'm',
        max_tokens: 9,
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 'a.pdf' }],
          },
          { role: 'assistant', content: 'No.' },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x', is_error: true }] },
        ],
      },
      dropped: [],
    })
  })

  it.each<[string, ChatFields]>([
    ['response_format.type', ask({ response_format: { type: 'json_object' } })],
    ['response_format.json_schema.schema', ask({ response_format: { type: 'json_schema', json_schema: {} } })],
    ['logprobs', ask({ logprobs: true })],
    ['top_logprobs', ask({ top_logprobs: 2 })],
    ['logit_bias', ask({ logit_bias: { 1: 100 } })],
    ['modalities', ask({ modalities: ['text', 'audio'] })],
    ['audio', ask({ audio: { voice: 'a' } })],
    ['web_search_options', ask({ web_search_options: {} })],
    ['functions', ask({ functions: [{ name: 'f' }] })],
    ['tools[1].type', ask({ tools: [tool, { type: 'custom', custom: { name: 'c' } }] })],
    ['tool_choice.type', ask({ tools: [tool], tool_choice: { type: 'allowed_tools' } })],
    ['messages[0].role', says({ role: 'function', name: 'f', content: 'x' })],
    ['messages[1].function_call', says(user, { role: 'assistant', function_call: { name: 'f', arguments: '{}' } })],
    [
      'messages[0].tool_calls[0].function',
      says({ role: 'assistant', tool_calls: [{ type: 'custom', custom: { name: 'c', input: 'x' } }] }),
    ],
    ['messages[0].content[0].type', says({ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] })],
    ['messages[0].content[0].image_url.url', says({ role: 'user', content: [{ type: 'image_url', image_url: {} }] })],
    ['messages[0].content[0].file.file_data', says({ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] })],
  ])('refuses %s', (param, request) => {
    expect(translated(request)).toMatchObject({
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      param,
      message: expect.stringContaining(param),
    })
  })

  it.each<[string, ChatFields]>([
    ['seed', ask({ seed: 1 })],
    ['frequency_penalty', ask({ frequency_penalty: 1 })],
    ['verbosity', ask({ verbosity: 'low' })],
    ['service_tier', ask({ service_tier: 'flex' })],
    ['temperature', ask({ temperature: 1.5 })],
    ['tool_choice', ask({ tool_choice: 'auto' })],
    ['metadata.run', ask({ metadata: { run: 1 } })],
    ['messages[].name', says({ ...user, name: 'Ann' })],
    [
      'messages[].content[].image_url.detail',
      says({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x', detail: 'low' } }] }),
    ],
    ['tools[].function.examples', ask({ tools: [{ ...tool, function: { ...tool.function, examples: [] } }] })],
    ['mcp_servers', ask({ mcp_servers: [{ url: 'https://evil.example' }] })],
  ])('lists %s as left out', (name, request) => {
    expect(translated(request)).toMatchObject({ dropped: [name] })
  })
})
