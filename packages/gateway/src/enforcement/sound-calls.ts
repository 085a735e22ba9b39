import { allowsOneCall, type Contract, contract, defineValidator, issue, offeredTools, quote, ValidatorUnavailable } from '@stickler/core'
import { findDuplicateKeys, rejectManyCalls } from '@stickler/core/runners'
import * as z from 'zod'

/** What every enforced answer's tool calls must be, also where the contract does not speak of them: readable, and offered. */
export const soundCalls = defineValidator({
  name: 'sound_calls',
  summary: 'Tool calls have arguments that are JSON, and name tools that were offered.',
  options: z.strictObject({}),
  codes: {
    INVALID_ARGUMENTS_JSON: {
      severity: 'error',
      when: 'The arguments of a tool call are not a JSON object.',
      fix: 'Send the arguments as one JSON object.',
    },
    DUPLICATE_KEY: {
      severity: 'error',
      when: 'An object in the arguments of a tool call has a key twice, with different values.',
      fix: 'Write the key once.',
    },
    UNKNOWN_TOOL: {
      severity: 'error',
      when: 'A call names a tool that was not offered, or that the choice of tools excludes.',
      fix: 'Call one of the tools that were offered.',
    },
    PARALLEL_CALLS: {
      severity: 'error',
      when: 'The answer has several calls, though the request forbids parallel ones.',
      fix: 'Make one call, and wait for its result.',
    },
  },
  instruct: () => 'Call only tools that were offered, with one JSON object as arguments.',
  prepare: () => ({
    *check({ toolCalls }, { context }) {
      if (toolCalls.length === 0) return
      rejectManyCalls(toolCalls)
      const offered = offeredTools(context)
      // Without tools nobody asked; with them, the choice cannot be understood.
      if (offered === undefined && context.tools !== undefined)
        throw new ValidatorUnavailable('the answer calls tools, but the choice among them is written in no known way')
      if (toolCalls.length > 1 && allowsOneCall(context))
        yield issue('PARALLEL_CALLS', `Make one tool call at a time; the answer has ${toolCalls.length}.`)
      const names = offered && new Set(offered.map(({ name }) => name))
      for (const { name, arguments: given } of toolCalls) {
        if (names !== undefined && !names.has(name)) yield issue('UNKNOWN_TOOL', unknownTool(name, names))
        if (!isObject(given)) yield issue('INVALID_ARGUMENTS_JSON', `Send the arguments of ${quote(name)} as one JSON object.`)
        for (const { key } of findDuplicateKeys(given))
          yield issue('DUPLICATE_KEY', `Send ${quote(key)} once in the arguments of ${quote(name)}; it has two different values.`)
      }
    },
    // Calls do not stand in the text, so all of it may be shown.
    incremental: () => ({ push: () => ({ safe: Number.POSITIVE_INFINITY }) }),
  }),
})

/** Adds the check of tool calls to a contract that has none of its own. */
export function withSoundCalls(given: Contract): Contract {
  if (given.validators.some(({ name }) => name === 'tool_calls')) return given
  return { ...given, validators: [...given.validators, ...contract({ checks: [soundCalls({})] }).validators] }
}

function unknownTool(name: string, offered: ReadonlySet<string>): string {
  return offered.size === 0
    ? `Call no tool; none was offered, and so not ${quote(name)}.`
    : `Call a tool that was offered; ${quote(name)} was not.`
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
