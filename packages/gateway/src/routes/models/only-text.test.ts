import { chat, messages, responses } from '@stickler/core/internal/apis'
import { expect, test } from 'vitest'
import { refuseOtherParts } from './model-route.ts'

const image = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } }
const said = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const result = (content: unknown) => said([{ type: 'tool_result', tool_use_id: 'a', content }])

/** What a model that reads only text would not see, in the words of each API; blocks of another API are not seen either. */
test.each([
  [chat, said('plain'), undefined],
  [chat, said([{ type: 'text', text: 'a' }]), undefined],
  [chat, said([{ type: 'text', text: 'a' }, image]), 'messages[0].content[1]'],
  [chat, said([{ type: 'tool_use', id: 'a', name: 'f', input: {} }]), 'messages[0].content[0]'],
  [messages, said([{ type: 'tool_use', id: 'a', name: 'f', input: {} }]), undefined],
  [messages, said([{ type: 'document', source: {} }]), 'messages[0].content[0]'],
  [messages, result([{ type: 'text', text: 'a' }]), undefined],
  [messages, result([{ type: 'image', source: {} }]), 'messages[0].content[0].content[0]'],
  [responses, { input: 'plain' }, undefined],
  [responses, { input: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }] }, undefined],
  [responses, { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0]'],
  [responses, { input: [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_file' }] }] }, 'input[0].output[0]'],
  [{}, said([image]), undefined],
])('$name: %j', (api, body, param) => {
  const refuse = () => refuseOtherParts(body, 'm', api)
  if (param === undefined) expect(refuse).not.toThrow()
  else
    expect(refuse).toThrow(
      expect.objectContaining({ status: 400, details: expect.objectContaining({ param, code: 'unsupported_content' }) }),
    )
})
