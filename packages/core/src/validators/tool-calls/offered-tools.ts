import type { ToolCall } from '../../answer/tool-calls.ts'
import { shownName, ToolIndex } from '../../answer/tool-shapes/tool-definition.ts'
import { type Suggestion, type SuggestionRules, suggestTool } from '../shared/suggest-tool.ts'
import type { CheckedTool } from '../shared/tool-schema.ts'

/** Characters of names that are compared for suggestions in one answer; thousands of long names leave room for a few suggestions. */
const workLimit = 2_000_000

/** The tools that a model was offered. */
export class OfferedTools {
  /** All names, sorted. */
  readonly names: readonly string[]
  /** The same as messages show them. */
  readonly shown: readonly string[]
  readonly #tools: ToolIndex<CheckedTool>
  readonly #rules: SuggestionRules
  readonly #suggestions = new Map<string, Suggestion | undefined>()
  #work = 0

  constructor(tools: readonly CheckedTool[], rules: SuggestionRules = {}) {
    this.#tools = new ToolIndex(tools)
    this.names = [...new Set(tools.map(({ name }) => name))].sort()
    this.shown = tools.map(shownName).sort()
    this.#rules = rules
  }

  /** The tool that a call means. */
  get(call: Pick<ToolCall, 'name' | 'kind' | 'namespace'>): CheckedTool | undefined {
    return this.#tools.find(call)
  }

  /** The tool that was probably meant, and how that is known. */
  suggest(name: string): Suggestion | undefined {
    if (this.#suggestions.has(name)) return this.#suggestions.get(name)
    const similar = this.#work > workLimit ? undefined : suggestTool(name, this.names, this.#rules)
    // The name is right where the kind or the namespace is wrong.
    const found = similar?.name === name ? undefined : similar
    this.#work += this.names.reduce((sum, one) => sum + one.length, 0)
    this.#suggestions.set(name, found)
    return found
  }
}
