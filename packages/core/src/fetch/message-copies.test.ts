import { describe, expect, it } from 'vitest'
import { contract } from '../catalogue.ts'
import { enforcedFetch } from './enforced-fetch.ts'

const mail = contract({ checks: [{ sensitive: { kinds: ['email'], redact: true } }], retries: 0 })
const plain = contract({ checks: [{ contains: { none: ['BADWORD'] } }], retries: 0 })
const url = 'https://api.openai.com/v1/chat/completions'

async function ask(by: typeof mail, reply: string, type: string, more: object = {}): Promise<string> {
  const send = enforcedFetch(by, { fetch: async () => new Response(reply, { headers: { 'content-type': type } }) })
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more })
  return (await send(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
}

const choice = (message: object, index = 0) => ({ index, message: { role: 'assistant', ...message }, finish_reason: 'stop' })
const whole = async (by: typeof mail, ...messages: readonly object[]) => {
  const choices = messages.map((message, index) => choice(message, index))
  const reply = JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices })
  return JSON.parse(await ask(by, reply, 'application/json')).choices[0].message as Record<string, unknown>
}
const streamed = (by: typeof mail, ...deltas: readonly object[]) => {
  const chunks = [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: 'stop' }]
  const frames = chunks.map(
    (one) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...one }] })}\n\n`,
  )
  return ask(by, `${frames.join('')}data: [DONE]\n\n`, 'text/event-stream', { stream: true })
}
const text = 'to a@b.de'
const thought = { type: 'thinking', thinking: 'hm', signature: 's' }

describe('a copy of the content of a message', () => {
  it.each<readonly [string, (text: string) => object]>([
    ['blocks', (said) => ({ content_blocks: [thought, { type: 'text', text: said }] })],
    ['fields of a provider', (said) => ({ provider_specific_fields: { text: said, stop: 'x' } })],
    ['blocks in these', (said) => ({ provider_specific_fields: { content: [{ type: 'text', text: said }] } })],
    ['a list', (said) => ({ provider_specific_fields: { content: [said] } })],
    ['a text', (said) => ({ text: said })],
    ['an output text', (said) => ({ output_text: said })],
    ['parts', (said) => ({ parts: [{ text: 'hm', thought: true }, { text: said }, { inlineData: { mimeType: 'image/png', data: 'x' } }] })],
    ['a text for blocks', (said) => ({ content_blocks: said })],
    ['a list of texts', (said) => ({ content_blocks: [said] })],
    ['a value', (said) => ({ content_blocks: [{ type: 'text', value: said, at: { value: 'x' } }] })],
    ['the value of a text', (said) => ({ content_blocks: [{ type: 'text', text: { value: said, citations: ['x'] } }] })],
    ['a text for fields', (said) => ({ provider_specific_fields: said })],
  ])('is changed with it: %s', async (_name, copy) => {
    expect(await whole(mail, { content: text, ...copy(text) })).toEqual({ role: 'assistant', content: 'to [EMAIL]', ...copy('to [EMAIL]') })
    expect(await whole(mail, { content: 'ok', ...copy('ok') })).toEqual({ role: 'assistant', content: 'ok', ...copy('ok') })
    expect(await whole(plain, { content: 'ok', ...copy('BADWORD') })).toEqual({ role: 'assistant', content: 'ok' })
    const stream = await streamed(mail, ...['to a@', 'b.de'].map((said) => ({ content: said, ...copy(said) })))
    expect(stream).toContain('[EMAIL]')
    expect(stream).not.toMatch(/a@|b\.de/)
    expect(await streamed(plain, { content: 'ok', ...copy('BADWORD') }, copy('BADWORD'))).not.toContain('BADWORD')
  })

  it('in several blocks is changed as a whole', async () => {
    const blocks = ['to a@', 'b.de'].map((said) => ({ type: 'text', text: said }))
    const { content, content_blocks: changed } = await whole(mail, { content: text, content_blocks: blocks })
    expect([content, (changed as { text: string }[]).map((block) => block.text).join('')]).toEqual(['to [EMAIL]', 'to [EMAIL]'])
    const parts = await whole(mail, { content: blocks, content_blocks: [{ type: 'text', text }] })
    expect(JSON.stringify(parts)).not.toMatch(/a@|b\.de/)
  })

  it.each<readonly [string, object]>([
    ['another text', { content_blocks: [{ type: 'text', text: 'BADWORD' }] }],
    [
      'more text',
      {
        content_blocks: [
          { type: 'text', text: 'ok' },
          { type: 'text', text: ' BADWORD' },
        ],
      },
    ],
    ['a text in fields', { provider_specific_fields: { text: 'BADWORD', other: 1 } }],
    ['a refusal in fields', { provider_specific_fields: { refusal: 'BADWORD' } }],
    ['a call', { content_blocks: [{ type: 'tool_use', id: 'a', name: 'rm', input: { a: 'BADWORD' } }] }],
    ['calls in fields', { provider_specific_fields: { tool_calls: [{ function: { name: 'BADWORD', arguments: '{}' } }] } }],
    ['a call in parts', { parts: [{ functionCall: { name: 'rm', args: { a: 'BADWORD' } } }] }],
    ['depth', { content_blocks: JSON.parse(`${'['.repeat(60)}{"text":"BADWORD"}${']'.repeat(60)}`) }],
  ])('that has %s is withheld', async (_name, copy) => {
    expect(await whole(plain, { content: 'ok', ...copy })).toEqual({ role: 'assistant', content: 'ok' })
    const stream = await streamed(plain, { role: 'assistant', content: 'ok', ...copy })
    expect(stream).toContain('"ok"')
    expect(stream).not.toContain('BADWORD')
  })

  it('of a choice that nobody asked for goes with it', async () => {
    const other = { content_blocks: [{ type: 'text', text: 'BADWORD' }] }
    expect(await whole(plain, { content: 'ok', ...other }, { content: 'ok', ...other })).toEqual({ role: 'assistant', content: 'ok' })
  })

  it('is changed in a stream too', async () => {
    const pieces = ['to a@', 'b.de', ' or x@y', '.org, ', 'please.']
    const stream = await streamed(mail, ...pieces.map((said) => ({ content: said, content_blocks: [{ index: 0, delta: { text: said } }] })))
    type Chunk = { choices?: { delta: { content?: string; content_blocks?: { delta: { text: string } }[] } }[] }
    const deltas = stream.split('\n').flatMap((line) => {
      const chunk = line.startsWith('data: {') ? (JSON.parse(line.slice(6)) as Chunk) : {}
      return chunk.choices?.map(({ delta }) => delta) ?? []
    })
    expect(deltas.map(({ content = '' }) => content).join('')).toBe('to [EMAIL] or [EMAIL], please.')
    for (const { content = '', content_blocks: blocks = [] } of deltas)
      expect(['', content]).toContain(blocks.map(({ delta }) => delta.text).join(''))
    expect(stream).not.toMatch(/a@|b\.de|x@y/)
  })

  it('loses secrets beside the content', async () => {
    const given = { content: 'ok', provider_specific_fields: { note: 'a@b.de', thinking: 'a@b.de' }, parts: [{ note: 'a@b.de' }] }
    expect(JSON.stringify(await whole(mail, given))).not.toContain('a@b.de')
  })
})
