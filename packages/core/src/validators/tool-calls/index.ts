import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { hasEnded, isCutShort } from '../../answer/finish-reason.ts'
import { LineNumbers } from '../../answer/span.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import { allowsOneCall, offeredTools } from '../../answer/tool-shapes/offered-tools.ts'
import type { ToolDefinition } from '../../answer/tool-shapes/tool-definition.ts'
import { type Finding, issue } from '../../contract/issue.ts'
import { quote } from '../../contract/quote.ts'
import { defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { createSchemaCache } from '../../schema/cache.ts'
import { withSchemas } from '../shared/tool-schema.ts'
import { toolCallCodes as codes } from './codes.ts'
import { dialectNames } from './dialects/table.ts'
import { CallBudget, IssueLimit, inspectCall } from './inspect.ts'
import { toolCallMessages } from './messages.ts'
import { OfferedTools } from './offered-tools.ts'
import { repairToolCalls } from './repair.ts'
import { rejectManyCalls, soundCalls } from './sound-calls.ts'
import { watchTextCalls } from './stream/index.ts'
import { callsInText, type TextCallRules, turnTextIntoCalls } from './text-calls/convert.ts'

/** Compiled schemas of tools that are kept. */
const mostSchemas = 200

/** Fails when a tool call names no tool that was offered, or its arguments do not fit the tool. */
export const toolCalls = defineValidator({
  name: 'tool_calls',
  summary: 'Tool calls name offered tools (`context.tools`), and their arguments match the schemas of those tools.',
  judges: 'calls',
  get options() {
    return z.strictObject({
      strict: z
        .boolean()
        .default(false)
        .describe('Wrong types, unknown arguments and empty answers are errors, not warnings, and `format` is a rule.'),
      aliases: z
        .record(z.string(), z.string('must be a name: list wrong names of tools and arguments together, as `wrong: right`'))
        .optional()
        .describe(
          'Correct names of tools and arguments, by the wrong name that a model uses. An empty record disables renaming, including that of case and punctuation; similar names are then only suggested.',
        ),
      cutoff: z.number().min(0).max(1).default(0.6).describe('Minimum similarity, between 0 and 1, of a suggested name.'),
      textCalls: z
        .enum(['convert', 'report'])
        .default('convert')
        .describe('What happens to calls written as text: a repair turns them into real calls, as a `guess`, or they are only reported.'),
      dialects: z
        .union([z.literal('any'), z.array(z.enum(dialectNames))])
        .default([])
        .describe(
          'Dialects in which the model writes calls as text, or `any`: turning such text into calls is `lossless` then, not a `guess`.',
        ),
      soundOnly: z
        .boolean()
        .default(false)
        .describe(
          'Check only that calls were offered and that their arguments are one JSON object: no schemas, no calls in text, no repairs.',
        ),
    })
  },
  repairs: true,
  codes,
  instruct: (_options, locale) => toolCallMessages[locale].instruct,
  prepare: ({ strict, aliases, cutoff, textCalls, dialects, soundOnly }) => {
    if (soundOnly) return soundCalls
    const schemas = createSchemaCache(mostSchemas, quote, strict ? 'assert' : 'annotate')
    const argumentAliases = aliases && new Map(Object.entries(aliases))
    const offer = (offered: readonly ToolDefinition[]): OfferedTools => new OfferedTools(withSchemas(offered), { aliases, cutoff })
    const textRules = (offered: readonly ToolDefinition[], { text }: Answer): TextCallRules => {
      const tools = offer(offered)
      const budget = new CallBudget(text.length)
      return {
        offered,
        aliases,
        trusts: (dialect) => dialects === 'any' || dialects.includes(dialect as (typeof dialects)[number]),
        faultsOf: (call) => {
          const limit = new IssueLimit<keyof typeof codes>((code) => strict || codes[code].severity === 'error')
          return [...inspectCall(call, 0, false, { tools, locale: 'en', limit, schemas, aliases, cutoff, budget })]
        },
        isError: (code) => strict || codes[code as keyof typeof codes].severity === 'error',
        isStrict: strict,
        changesOf: (call) => repairToolCalls([call], { tools, schemas, aliases: argumentAliases, end: 'whole' }),
      }
    }
    return {
      // For calls in the text, and for braces: see the repair.
      lastResort: textCalls === 'convert' ? ['guess'] : [],
      *check(answer, { locale, context }): Generator<Finding<keyof typeof codes>> {
        rejectManyCalls(answer.toolCalls)
        const calls = answer.toolCalls.map(asCall)
        const severity = strict ? { severity: 'error' as const } : {}
        const offered = offeredTools(context)
        if (calls.length === 0) {
          if (!answer.visible) yield issue('EMPTY_CONTENT', toolCallMessages[locale].empty, severity)
          const lines = new LineNumbers()
          for (const { span, isCut, names } of callsInText(answer, textRules(offered ?? [], answer))) {
            const line = lines.lineAt(answer.text, span.start)
            yield isCut
              ? issue('TRUNCATED', toolCallMessages[locale].cutInText, { span, hint: toolCallMessages[locale].cutHint })
              : issue('TOOL_CALL_IN_TEXT', toolCallMessages[locale].inText(names, line), { span })
          }
          return
        }
        if (offered === undefined)
          throw new ValidatorUnavailable(
            'the answer calls tools, but `context.tools` and `context.toolChoice` do not say which were offered',
          )
        const limit = new IssueLimit<keyof typeof codes>((code) => strict || codes[code].severity === 'error')
        const budget = new CallBudget(calls.reduce((sum, call) => sum + call.arguments.length, 0))
        const rules = { tools: offer(offered), locale, limit, schemas, aliases, cutoff, budget }
        if (calls.length > 1 && allowsOneCall(context) && limit.admits('PARALLEL_CALLS'))
          yield issue('PARALLEL_CALLS', toolCallMessages[locale].parallel(calls.length), { path: ['tool_calls', 1] })
        const cutAt = hasEnded(answer.finishReason) ? undefined : calls.length - 1
        try {
          for (const [index, call] of calls.entries()) {
            for (const found of inspectCall(call, index, index === cutAt, rules)) yield { ...found, ...severity }
            if (limit.reached) return
          }
        } catch (error) {
          // What could not be checked does not take back an error that was found.
          if (!limit.failed) throw error
        }
      },
      incremental: ({ context }) => watchTextCalls(offeredTools(context) ?? [], { isStrict: strict, aliases }),
      *repair(answer, _issues, { context }, { usual, now }) {
        const offered = withSchemas(offeredTools(context) ?? [])
        if (answer.toolCalls.length > 0) {
          // Of real calls the last resort changes only braces: a name that is only similar stays a fault.
          const end = hasEnded(answer.finishReason) ? 'whole' : isCutShort(answer.finishReason) ? 'cut' : 'unknown'
          for (const change of repairToolCalls(answer.toolCalls, { tools: offer(offered), schemas, aliases: argumentAliases, end }))
            if ((change.rule === 'wrap-pairs' && end === 'whole' ? now : usual).includes(change.class)) yield change
        } else if (textCalls === 'convert') yield* turnTextIntoCalls(answer, textRules(offered, answer))
      },
    }
  },
})

/** A call as its type promises: callers in JavaScript need not keep to it. */
function asCall(call: ToolCall): ToolCall {
  const { name, arguments: given } = call as { name: unknown; arguments: unknown }
  if (typeof name === 'string' && typeof given === 'string') return call
  return { ...call, name: typeof name === 'string' ? name : '', arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }
}
