import { contract } from '@stickler/core'
import { json } from '@stickler/core/validators'
import { describe, expect, it } from 'vitest'
import { enforced } from './index.ts'
import { ask, brief, failureOf, joined, ofType, prompt } from './testing/ask.ts'
import { scriptedModel } from './testing/scripted-model.ts'

const Plan = { type: 'object' }

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
