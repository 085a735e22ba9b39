import type Anthropic from '@anthropic-ai/sdk'
import { generateText, type LanguageModel, type ModelMessage, streamText } from 'ai'
import type OpenAI from 'openai'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../catalogue.ts'
import { enforce } from '../engine/enforce.ts'
import { extract } from '../extract.ts'
import { fromFunction } from './from-function.ts'

declare const openai: OpenAI
declare const anthropic: Anthropic
declare const languageModel: LanguageModel
const model = 'm'

test('the messages of a function fit the parameters of SDKs, and their responses what it returns', () => {
  fromFunction((messages, { signal }) => openai.chat.completions.create({ model, messages }, { signal }))
  fromFunction((messages, { signal }) => openai.chat.completions.create({ model, messages, stream: true }, { signal }))
  fromFunction((messages) => openai.responses.create({ model, input: messages }))
  fromFunction((messages) => anthropic.messages.create({ model, max_tokens: 9, messages }))
  fromFunction((messages) => anthropic.messages.create({ model, max_tokens: 9, messages, stream: true }))
  fromFunction((messages) => generateText({ model: languageModel, messages }))
  fromFunction((messages) => streamText({ model: languageModel, messages }).textStream)
  fromFunction((messages: ModelMessage[]) => generateText({ model: languageModel, messages }))
  fromFunction((messages: OpenAI.ChatCompletionMessageParam[]) => openai.chat.completions.create({ model, messages }))
})

test('a conversation of an SDK is a prompt', () => {
  const runner = fromFunction(() => '')
  const rules = contract({ checks: [] })
  const run = (prompt: OpenAI.ChatCompletionMessageParam[] | Anthropic.MessageParam[] | ModelMessage[]) =>
    enforce({ contract: rules, runner, prompt })
  expectTypeOf(run).parameter(0).not.toBeAny()
  void enforce({ contract: rules, runner, prompt: [{ role: 'tool', content: 'x', tool_call_id: '1' }] })
})

test('an extracted value has the type of its schema', () => {
  const asked = { runner: fromFunction(() => ''), prompt: '' }
  expectTypeOf(extract({ schema: z.object({ a: z.string() }), ...asked })).resolves.toEqualTypeOf<{ a: string }>()
  expectTypeOf(extract({ schema: { type: 'object' }, ...asked })).resolves.toEqualTypeOf<unknown>()
  // @ts-expect-error nobody is asked
  void extract({ schema: {}, prompt: '' })
  // @ts-expect-error two are asked
  void extract({ schema: {}, ...asked, model: () => '' })
})
