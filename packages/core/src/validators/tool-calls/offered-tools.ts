import { type Suggestion, type SuggestionRules, suggestTool } from '../shared/suggest-tool.ts'
import type { CheckedTool } from '../shared/tool-schema.ts'

/** Characters of names that are compared for suggestions in one answer; thousands of long names leave room for a few suggestions. */
const workLimit = 2_000_000

/** The tools that a model was offered. */
export class OfferedTools {
  /** All names, sorted. */
  readonly names: readonly string[]
  readonly #tools: ReadonlyMap<string, CheckedTool>
  readonly #rules: SuggestionRules
  readonly #suggestions = new Map<string, Suggestion | undefined>()
  #work = 0

  constructor(tools: readonly CheckedTool[], rules: SuggestionRules = {}) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.names = [...this.#tools.keys()].sort()
    this.#rules = rules
  }

  /** The tool with a name; none for the empty name, which means a call that cannot be recognised. */
  get(name: string): CheckedTool | undefined {
    return name === '' ? undefined : this.#tools.get(name)
  }

  /** The tool that was probably meant, and how that is known. */
  suggest(name: string): Suggestion | undefined {
    if (this.#suggestions.has(name)) return this.#suggestions.get(name)
    const found = this.#work > workLimit ? undefined : suggestTool(name, this.names, this.#rules)
    this.#work += this.names.reduce((sum, one) => sum + one.length, 0)
    this.#suggestions.set(name, found)
    return found
  }
}
