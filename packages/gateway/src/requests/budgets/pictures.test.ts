import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { promptTokensOf } from './prompt-tokens.ts'

const long = 'x'.repeat(900_000)
const said = (...content: unknown[]) => ({ model: 'm', messages: [{ role: 'user', content }] })
const base64 = { type: 'base64', media_type: 'image/png', data: long }
const image = 4096

describe('an image counts as one, whatever its size', () => {
  test.each<[string, unknown]>([
    ['bytes', { type: 'image_url', image_url: { url: `data:image/png;base64,${long}` } }],
    ['an address', { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } }],
    ['a plain address', { type: 'image_url', image_url: 'https://example.com/a.png' }],
    ['of the Responses API', { type: 'input_image', image_url: `data:image/png;base64,${long}` }],
    ['of the Messages API', { type: 'image', source: base64 }],
    ['of the Messages API, by its address', { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    ['in the result of a tool', { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: base64 }] }],
  ])('%s', (_name, part) => {
    const tokens = promptTokensOf(said(part)) - promptTokensOf(said())
    expect(tokens).toBeGreaterThanOrEqual(image)
    expect(tokens).toBeLessThan(image + 100)
    expect(promptTokensOf(said(part, part, part)) - promptTokensOf(said())).toBeGreaterThanOrEqual(3 * image)
  })
})

describe('text counts as text, whatever it looks like', () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['text like a data URL', { messages: [{ role: 'user', content: `data:image/png;base64,${long}` }] }],
    ['a part like a data URL', said({ type: 'text', text: `data:image/png;base64,${long}` })],
    ['text that calls itself an image', said({ type: 'text', media_type: 'image/png', data: long, text: long })],
    ['text beside an image', said({ type: 'image_url', image_url: { url: 'https://example.com/a.png' }, text: long })],
    ['text beside the address', said({ type: 'image_url', image_url: { url: 'https://example.com/a.png', data: long } })],
    ['an image that is an object', said({ type: 'image_url', image_url: { url: { text: long } } })],
    ['a tool with a part of an image', { messages: [], tools: [{ content: [{ type: 'image', source: base64 }] }] }],
    ['a prompt', { prompt: `data:image/png;base64,${long}` }],
    ['content that is nested', said({ type: 'text', content: [{ type: 'image', source: base64 }] })],
  ])('%s', (_name, request) => {
    expect(promptTokensOf(request)).toBeGreaterThanOrEqual(300_000)
  })

  test('no request counts less than its texts outside of images', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('messages', 'tools', 'prompt'), (value, field) => {
        const texts: string[] = []
        JSON.stringify(value, (_key, member) => {
          if (typeof member === 'string') texts.push(member)
          return member
        })
        const tokens = promptTokensOf({ [field]: value })
        expect(tokens).toBeGreaterThanOrEqual(Math.floor(Buffer.byteLength(texts.join('')) / 3))
      }),
    )
  })
})
