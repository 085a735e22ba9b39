import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { hasEnded } from '../../answer/finish-reason.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import { isFields } from '../../answer/tool-shapes/fields.ts'
import { allowsOneCall, offeredTools } from '../../answer/tool-shapes/offered-tools.ts'
import { shownName, type ToolDefinition, ToolIndex } from '../../answer/tool-shapes/tool-definition.ts'
import { type Finding, issue } from '../../contract/issue.ts'
import { quote } from '../../contract/quote.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { type CodeEntry, defineValidator, type PreparedValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { findDuplicateKeys } from '../../json/duplicate-keys.ts'
import { infiniteNumber } from '../../json/infinite-number.ts'
import { createSchemaCache } from '../../schema/cache.ts'
import { releaseAll } from '../shared/release-all.ts'
import { withSchemas } from '../shared/tool-schema.ts'
import { dialectNames } from './dialects/table.ts'
import { CallBudget, IssueLimit, inspectCall } from './inspect.ts'
import { toolCallMessages } from './messages.ts'
import { OfferedTools } from './offered-tools.ts'
import { repairToolCalls } from './repair.ts'
import { watchTextCalls } from './stream/index.ts'
import { callsInText, type TextCallRules, turnTextIntoCalls } from './text-calls/convert.ts'

/** No task needs as many calls at once; what is done with each of them adds up. */
const mostCalls = 1000

/** Makes sure that an answer does not call more tools at once than are looked at. */
function rejectManyCalls(calls: readonly unknown[]): void {
  if (calls.length > mostCalls)
    throw new TooComplex({ en: `it has more than ${mostCalls} tool calls`, de: `sie hat mehr als ${mostCalls} Tool-Aufrufe` })
}

type SoundCode = 'UNKNOWN_TOOL' | 'PARALLEL_CALLS' | 'INVALID_ARGUMENTS_JSON' | 'DUPLICATE_KEY'

/** The least that calls must be, whatever the contract is about: readable, and offered. */
const soundCalls: PreparedValidator<SoundCode> = {
  *check({ toolCalls }, { context, locale }) {
    if (toolCalls.length === 0) return
    rejectManyCalls(toolCalls)
    const say = toolCallMessages[locale]
    const offered = offeredTools(context)
    // Without tools there was no request; with them, the choice cannot be understood.
    if (offered === undefined && context.tools !== undefined)
      throw new ValidatorUnavailable('the answer calls tools, but the format of the tool choice is unknown')
    if (toolCalls.length > 1 && allowsOneCall(context)) yield issue('PARALLEL_CALLS', say.parallel(toolCalls.length))
    const tools = offered && new ToolIndex(offered)
    for (const call of toolCalls) {
      const { name, arguments: given } = call
      if (tools !== undefined && tools.find(call) === undefined)
        yield issue('UNKNOWN_TOOL', say.unknownTool(shownName(call), offered?.map(shownName) ?? []))
      if (!isObject(given)) yield issue('INVALID_ARGUMENTS_JSON', say.oneObject(name))
      for (const { key } of findDuplicateKeys(given)) yield issue('DUPLICATE_KEY', say.duplicate(name, [key]))
    }
  },
  // Calls are not part of the text, so all of it may be shown.
  incremental: releaseAll,
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isFields(value) && infiniteNumber(value) === undefined
  } catch {
    return false
  }
}

/** Compiled schemas of tools that are kept. */
const mostSchemas = 200

const codes = {
  UNKNOWN_TOOL: {
    severity: 'error',
    when: 'A call names a tool that was not offered or that `tool_choice` excludes, or cannot be recognised as a call.',
    fix: 'Use one of the tools that the message lists; use `aliases` for names that a model keeps getting wrong.',
  },
  PARALLEL_CALLS: {
    severity: 'error',
    when: 'The answer has several calls, but the request forbids parallel calls.',
    fix: 'Make one call, and wait for its result.',
    repaired: false,
  },
  INVALID_ARGUMENTS_JSON: {
    severity: 'error',
    when: 'The arguments of a call are not valid JSON, or have a number out of range, such as 1e400; the message has the position.',
    fix: 'Write them as one JSON object, with nothing around it.',
  },
  ARGUMENTS_NOT_OBJECT: {
    severity: 'error',
    when: 'The arguments of a call are a JSON array, string, number, boolean or `null`, not an object.',
    fix: 'Name each argument in one object.',
  },
  DUPLICATE_KEY: {
    severity: 'error',
    when: 'An object in the arguments has a duplicate key with different values: whatever runs the call may use the other one.',
    fix: 'Write the key once; equal values are accepted.',
  },
  MISSING_ARGUMENT: {
    severity: 'error',
    when: 'A required argument, or a required property inside one, is missing.',
    fix: 'Give the argument; it is never invented.',
  },
  INVALID_ENUM: {
    severity: 'error',
    when: 'A value is not among those that the schema lists.',
    fix: 'Use one of the values that the message lists.',
  },
  WRONG_TYPE: {
    severity: 'warning',
    when: 'A value does not have the type of the schema; `true` is not a number, 1.0 is an integer, 1.5 is not.',
    fix: 'Give the value in the type that the message names; with `strict` this is an error.',
  },
  UNKNOWN_ARGUMENT: {
    severity: 'warning',
    when: 'The tool, or an object inside its arguments, has no property of that name.',
    fix: 'Leave it out, or use the name in the hint; with `strict` this is an error.',
  },
  INVALID_ARGUMENT: {
    severity: 'error',
    when: 'A value violates another rule of the schema: a limit, a length, a pattern, a condition.',
    fix: 'Give a value within the limit that the message names.',
  },
  TRUNCATED: {
    severity: 'error',
    when: 'The arguments of a call end inside a value, or lack their closing brackets when the finish reason says that the answer was cut off, or there is none; or a call that is written as text is cut off.',
    fix: 'Ask again with a higher limit; truncated arguments are never completed by a repair.',
    repaired: false,
  },
  TOOL_CALL_IN_TEXT: {
    severity: 'error',
    when: 'The answer is a valid call of an offered tool, written as text, or has marks of a call, such as `<tool_call>`, that are not quoted.',
    fix: 'Call the tool; if a guess is allowed, a repair turns the text into the call if every part of it is valid.',
  },
  EMPTY_CONTENT: {
    severity: 'warning',
    when: 'The answer has neither text nor a tool call; reasoning does not count as text.',
    fix: 'Ask again; with `strict` this is an error.',
    repaired: false,
  },
} as const satisfies Record<string, CodeEntry>

/** Fails when a tool call names no tool that was offered, or its arguments do not fit the tool. */
export const toolCalls = defineValidator({
  name: 'tool_calls',
  summary: 'Tool calls name offered tools (`context.tools`), and their arguments match the schemas of those tools.',
  judges: 'calls',
  get options() {
    return z.strictObject({
      strict: z.boolean().default(false).describe('Wrong types, unknown arguments and empty answers are errors, not warnings.'),
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
  codes,
  instruct: (_options, locale) => toolCallMessages[locale].instruct,
  prepare: ({ strict, aliases, cutoff, textCalls, dialects, soundOnly }) => {
    if (soundOnly) return soundCalls
    const schemas = createSchemaCache(mostSchemas, quote)
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
        changesOf: (call) => repairToolCalls([call], { tools, schemas, aliases: argumentAliases, isWhole: true }),
      }
    }
    return {
      // For calls in the text alone, see the repair.
      lastResort: textCalls === 'convert' ? ['guess'] : [],
      *check(answer, { locale, context }): Generator<Finding<keyof typeof codes>> {
        rejectManyCalls(answer.toolCalls)
        const calls = answer.toolCalls.map(asCall)
        const severity = strict ? { severity: 'error' as const } : {}
        const offered = offeredTools(context)
        if (calls.length === 0) {
          if (!answer.visible) yield issue('EMPTY_CONTENT', toolCallMessages[locale].empty, severity)
          for (const { span, isCut } of callsInText(answer, textRules(offered ?? [], answer)))
            yield isCut
              ? issue('TRUNCATED', toolCallMessages[locale].cutInText, { span, hint: toolCallMessages[locale].cutHint })
              : issue('TOOL_CALL_IN_TEXT', toolCallMessages[locale].inText, { span })
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
      incremental: ({ context }) => watchTextCalls(offeredTools(context) ?? [], { needsText: strict, aliases }),
      *repair(answer, _issues, { context }, { usual }) {
        const offered = withSchemas(offeredTools(context) ?? [])
        if (answer.toolCalls.length > 0) {
          // The last resort is not for real calls: a name that is only similar stays a fault.
          const isWhole = hasEnded(answer.finishReason)
          for (const change of repairToolCalls(answer.toolCalls, { tools: offer(offered), schemas, aliases: argumentAliases, isWhole }))
            if (usual.includes(change.class)) yield change
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
