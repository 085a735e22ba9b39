import { enforced, middleware, progressTo, repairToolCall, type SticklerDataParts } from '@stickler/ai-sdk'
import { contract } from '@stickler/core'
import {
  createUIMessageStream,
  generateText,
  type LanguageModel,
  type LanguageModelMiddleware,
  Output,
  streamText,
  ToolLoopAgent,
  tool,
  type UIMessage,
  wrapLanguageModel,
  wrapProvider,
} from 'ai-7'
import { openai } from 'ai-7-openai'
import { expectTypeOf } from 'vitest'
import * as z from 'zod'

const rules = contract({ checks: ['tool_calls'] })
const given = openai('gpt-5.4')
const model = enforced(given, rules, { context: { sources: 3 } })
expectTypeOf(model).toEqualTypeOf(given)
expectTypeOf(model).toExtend<LanguageModel>()
expectTypeOf(middleware(rules)).toExtend<LanguageModelMiddleware>()

const Plan = z.object({ city: z.string() })
const tools = { plan: tool({ inputSchema: Plan, execute: ({ city }) => city }) }
const { output } = await generateText({
  model,
  tools,
  output: Output.object({ schema: Plan }),
  prompt: '',
  repairToolCall: repairToolCall(),
})
expectTypeOf(output).toEqualTypeOf<{ city: string }>()
streamText({ model, tools, prompt: '', repairToolCall: repairToolCall(rules) })
new ToolLoopAgent({ model, tools, repairToolCall: repairToolCall({ allow: ['lossless'] }) })
wrapLanguageModel({ model, middleware: [middleware(rules)] })
wrapProvider({ provider: openai, languageModelMiddleware: middleware(rules) })

type Chat = UIMessage<never, SticklerDataParts>
createUIMessageStream<Chat>({ execute: ({ writer }) => void enforced(given, rules, { onEvent: progressTo(writer) }) })
declare const message: Chat
for (const part of message.parts) if (part.type === 'data-stickler') expectTypeOf(part.data.attempt).toEqualTypeOf<number>()

// @ts-expect-error: a name is no model
enforced('openai/gpt-5.4', rules)
// @ts-expect-error: there is no such option
enforced(given, rules, { contxt: {} })
