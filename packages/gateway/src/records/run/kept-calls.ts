import type { ToolCall } from '@stickler/core'
import { wholeEnd } from '@stickler/core/internal'

/** A tool call as it is stored. */
export interface KeptCall {
  readonly name: string
  readonly arguments: string
  /** Of a tool that takes free text, which is the argument `input`. */
  readonly kind?: 'custom'
  /** The group of tools that it names. */
  readonly namespace?: string
  /** Length of the arguments when not all of them are kept. */
  readonly cut?: number
  /** How many calls after it are not kept. */
  readonly more?: number
}

const most = { calls: 50, name: 256, one: 16_000, all: 64_000 } as const

/** The beginning of tool calls: a model may write any number of them, of any size. */
export function keptCalls(calls: readonly ToolCall[]): readonly KeptCall[] {
  let left: number = most.all
  const kept: KeptCall[] = []
  for (const call of calls.slice(0, most.calls)) {
    const given = firstOf(call.arguments, Math.min(most.one, left))
    left -= given.length
    const {
      kind,
      namespace,
      arguments: { length },
    } = call
    kept.push({
      name: firstOf(call.name, most.name),
      arguments: given,
      ...(kind === undefined ? {} : { kind }),
      ...(namespace === undefined ? {} : { namespace: firstOf(namespace, most.name) }),
      ...(given.length < length ? { cut: length } : {}),
    })
  }
  const last = kept.at(-1)
  return last !== undefined && calls.length > kept.length ? [...kept.slice(0, -1), { ...last, more: calls.length - kept.length }] : kept
}

/** The beginning of a text, without half of a character. */
function firstOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, wholeEnd(text, length))
}
