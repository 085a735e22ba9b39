import type { ToolCall } from '@stickler/core'
import { defined } from '@stickler/core/internal'
import type { ScriptedTurn } from '@stickler/core/testing'
import * as z from 'zod'
import { sharedKeys } from '../settings/written-upstream.ts'
import type { ScriptedAnswer, ScriptedUpstreamSettings } from './scripted-upstream.ts'
import { defineKind, type Resilience } from './upstream-kind.ts'

const failureKinds = ['timeout', 'connection', 'http', 'protocol', 'exit', 'empty', 'crash'] as const

const callSchema = z.strictObject({
  id: z.string().optional().describe('Its id; the gateway makes one up by default.'),
  name: z.string().describe('The tool that is called.'),
  arguments: z
    .union([z.string(), z.record(z.string(), z.json())])
    .default({})
    .describe('Its arguments: an object, or their text as the model writes it, which may be broken.'),
})

const answerSchema = z
  .strictObject({
    text: z.string().optional().describe('The answer; may be left out beside tool calls.'),
    toolCalls: z.array(callSchema).min(1).optional().describe('The tool calls of the answer.'),
    chunkSize: z.int().positive().optional().describe('Splits the text into chunks of this many characters.'),
    delayMs: z.int().nonnegative().max(60_000).optional().describe('Milliseconds before each chunk.'),
    finishReason: z.string().optional().describe('Why the answer ends; by default stop, or tool_calls with tool calls.'),
    usage: z
      .strictObject({
        promptTokens: z.int().nonnegative().describe('Tokens of the prompt.'),
        completionTokens: z.int().nonnegative().describe('Tokens of the answer.'),
      })
      .optional()
      .describe('The tokens that the model reports; none by default.'),
    failure: z
      .strictObject({
        kind: z.enum(failureKinds).describe('How the call fails, instead of an answer.'),
        message: z.string().optional().describe('Message of the failure.'),
        status: z.int().optional().describe('Its HTTP status; 503 by default for http, and none for the others.'),
      })
      .optional(),
    asked: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Only for requests with this text in a message; the latest such message counts. Other requests get the answers without this key.',
      ),
  })
  .refine(({ text, toolCalls, failure }) => (text !== undefined || toolCalls !== undefined) === (failure === undefined), {
    error: 'needs text or toolCalls, or only failure',
  })

const { name, provider, capabilities, price } = sharedKeys

const schema = z.strictObject({
  name,
  kind: z.literal('scripted').describe('scripted: replays the answers given here.'),
  answers: z
    .array(z.union([z.string(), answerSchema]).describe('A text, or the keys below.'))
    .describe('The answers, one per call; after the last, the first follows again.'),
  provider,
  capabilities,
  price,
})

/** A script in place of a model. */
export const scriptedKind = defineKind<
  z.output<typeof schema>,
  ScriptedUpstreamSettings & Resilience & { readonly answers: readonly ScriptedAnswer[] }
>({
  name: 'scripted',
  schema,
  provider: 'scripted',
  traits: {},
  advice: '',
  read: ({ answers }, { name, kind, price }) => ({
    settings: { kind, name, answers: answers.map(readAnswer), ...defined({ price }), retry: { retries: 0 }, breaker: false },
  }),
  async load() {
    const [{ scripted }, { scriptedRunner, scriptedUpstream }] = await Promise.all([
      import('@stickler/core/testing'),
      import('./scripted-upstream.ts'),
    ])
    const depends = ({ asked }: ScriptedAnswer): boolean => asked !== undefined
    return {
      create: scriptedUpstream,
      runner: (settings) => (settings.answers.some(depends) ? scriptedRunner(settings) : scripted(settings.answers.map(turnOf))),
    }
  },
})

function readAnswer(answer: z.output<typeof schema>['answers'][number]): ScriptedAnswer {
  if (typeof answer === 'string') return { text: answer }
  const { toolCalls, failure, ...turn } = answer
  if (failure === undefined) return defined({ ...turn, toolCalls: toolCalls?.map(callOf) })
  const { asked } = turn
  return defined({ asked, failure: defined(failure), status: failure.status ?? (failure.kind === 'http' ? 503 : undefined) })
}

function callOf({ arguments: given, ...call }: z.output<typeof callSchema>): ToolCall {
  return { ...defined(call), arguments: typeof given === 'string' ? given : JSON.stringify(given) }
}

function turnOf({ failure, status: _status, ...turn }: ScriptedAnswer): ScriptedTurn {
  return failure === undefined ? turn : { failure }
}
