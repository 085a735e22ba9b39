import { isFields } from '@stickler/core/internal'

/** What is known of the calls of a model beside their contract. */
export interface Scope {
  /** The tools that were bound to it. */
  readonly tools: readonly unknown[]
  /** The tools of an agent; others that are bound to its model stand for a format of the answer. */
  readonly agentTools?: readonly unknown[]
  readonly toolChoice?: unknown
  /** Hears of every message that keeps the contract. */
  readonly onJudged?: (message: unknown) => void
}

/** The tools that a call offers: those that were bound, else those among its own options; with those of before there were tools. */
export function offeredIn({ tools }: Scope, options: unknown): readonly unknown[] {
  const { tools: given, functions } = isFields(options) ? options : { tools: undefined, functions: undefined }
  const offered = tools.length > 0 || !Array.isArray(given) ? tools : given
  return Array.isArray(functions) ? [...offered, ...functions] : offered
}

/** Names of the tools that stand for a format of the answer. */
export function formatsIn({ tools, agentTools }: Scope): ReadonlySet<string> | undefined {
  if (agentTools === undefined) return undefined
  const own = new Set(agentTools.map(nameOf))
  return new Set(tools.map(nameOf).filter((name) => name !== '' && !own.has(name)))
}

function nameOf(tool: unknown): string {
  const { name } = isFields(tool) ? (isFields(tool.function) ? tool.function : tool) : {}
  return typeof name === 'string' ? name : ''
}
