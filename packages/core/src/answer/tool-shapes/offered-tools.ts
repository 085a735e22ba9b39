import { choosesOneCall, forcesCall, readChoice } from './tool-choice.ts'
import { readTools, type ToolDefinition } from './tool-definition.ts'

/** The tools of a request as a check sees them, in the shapes in which they were sent to the model. */
export interface ToolOffer {
  /** The tools; `null` and an empty list offer none. */
  readonly tools?: unknown
  /** The deprecated way to offer tools; both count. */
  readonly functions?: unknown
  /** The choice among them: `none`, one tool by name, or some of them. */
  readonly toolChoice?: unknown
  /** The deprecated `function_call` of a request that has both: what either excludes is excluded. */
  readonly functionCall?: unknown
  /** `false` when the answer may hold one call at most. */
  readonly parallelToolCalls?: unknown
}

/** The tools that an answer may call: those offered, as far as the tool choice allows them; undefined when unknown. */
export function offeredTools({ toolChoice, functionCall, ...offer }: ToolOffer): readonly ToolDefinition[] | undefined {
  let offered = knownTools(offer)
  const names = new Set(offered?.map(({ name }) => name))
  const chosen = [toolChoice, functionCall].map((choice) => readChoice(choice, (name) => names.has(name)))
  // What excludes every tool holds, whatever else is not known.
  if (offered?.length === 0 || chosen.some((one) => one.length === 0)) return []
  for (const one of chosen) {
    if (one === 'unknown') return undefined
    if (one !== 'all') offered = offered?.filter(({ name }) => one.includes(name))
  }
  return offered
}

/** The only tool that an answer may call, and must: one that is named, or that is alone. Undefined where the provider itself may run another one. */
export function forcedTool(offer: ToolOffer): ToolDefinition | undefined {
  const { tools, functions, toolChoice } = offer
  const all = [tools, functions].flatMap((some) => (Array.isArray(some) ? some : Object.values(some ?? {})))
  const isNamed = typeof readChoice(toolChoice, () => true) !== 'string'
  const [only, other] = forcesCall(toolChoice) && (isNamed || all.length === 1) ? (offeredTools(offer) ?? []) : []
  return other === undefined && only?.kind === undefined ? only : undefined
}

/** The tools of a request, regardless of the tool choice; undefined when unknown. */
export function knownTools({ tools, functions }: Pick<ToolOffer, 'tools' | 'functions'>): readonly ToolDefinition[] | undefined {
  if (Array.isArray(functions)) return [...(readTools(tools) ?? []), ...(readTools(functions) ?? [])]
  return tools === null ? [] : readTools(tools)
}

/** Whether an answer with several calls has more than it was asked for. */
export function allowsOneCall({ toolChoice, parallelToolCalls }: ToolOffer): boolean {
  return parallelToolCalls === false || choosesOneCall(toolChoice)
}
