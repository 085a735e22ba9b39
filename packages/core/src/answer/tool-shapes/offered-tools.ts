import { choosesOneCall, readChoice } from './tool-choice.ts'
import { readTools, type ToolDefinition } from './tool-definition.ts'

/** What a check is told about the tools of a request, in the shapes in which they were sent to the model. */
export interface ToolOffer {
  /** The tools; `null` and an empty list offer none. */
  readonly tools?: unknown
  /** The choice among them: `none`, one tool by name, or some of them. */
  readonly toolChoice?: unknown
  /** The deprecated `function_call` of a request that has both: what either excludes is excluded. */
  readonly functionCall?: unknown
  /** `false` when the answer may hold one call at most. */
  readonly parallelToolCalls?: unknown
}

/** The tools that an answer may call: those that were offered, as far as the choice allows them; undefined when nobody says, or in no known way. */
export function offeredTools({ tools, toolChoice, functionCall }: ToolOffer): readonly ToolDefinition[] | undefined {
  if (tools === null) return []
  let offered: readonly ToolDefinition[] | undefined = readTools(tools)
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

/** Whether an answer with several calls has more than it was asked for. */
export function allowsOneCall({ toolChoice, parallelToolCalls }: ToolOffer): boolean {
  return parallelToolCalls === false || choosesOneCall(toolChoice)
}
