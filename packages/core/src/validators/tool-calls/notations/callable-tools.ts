import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { foldName, renamedTool, type SuggestionRules } from '../../shared/suggest-tool.ts'

/** The tools that text may call: by their names, by aliases, and by names that differ in case and punctuation only. */
export class CallableTools {
  readonly #tools: ReadonlyMap<string, ToolDefinition>
  readonly #aliases: SuggestionRules['aliases']
  readonly #found = new Map<string, ToolDefinition | undefined>()
  #beginnings: readonly string[] | undefined
  #tagNames: readonly string[] | undefined

  /** A tool without a name cannot be called. */
  constructor(tools: readonly ToolDefinition[], aliases?: SuggestionRules['aliases']) {
    this.#tools = new Map(tools.filter(({ name }) => name !== '').map((tool) => [tool.name, tool]))
    this.#aliases = aliases
  }

  /** Their names. */
  get names(): readonly string[] {
    return [...this.#tools.keys()]
  }

  /** Those that no element of HTML has: a tag with such a name is a call. */
  get tagNames(): readonly string[] {
    this.#tagNames ??= this.names.filter((name) => /^\w{1,64}$/.test(name) && /_|[a-z][A-Z]/.test(name))
    return this.#tagNames
  }

  /** The tool that a name means; one that is only similar means none. */
  find(name: string): ToolDefinition | undefined {
    const exact = this.#tools.get(name)
    if (exact !== undefined || this.#found.has(name)) return exact ?? this.#found.get(name)
    const found = this.#tools.get(renamedTool(name, this.names, this.#aliases)?.name ?? '')
    this.#found.set(name, found)
    return found
  }

  /** Whether a name that is found may begin so. */
  mayBegin(beginning: string): boolean {
    this.#beginnings ??= [...this.#tools.keys(), ...Object.keys(this.#aliases ?? {})].map(foldBeginning)
    const folded = foldBeginning(beginning)
    return this.#beginnings.some((one) => one.startsWith(folded))
  }
}

/** The last letter of a word must not depend on what follows. */
function foldBeginning(name: string): string {
  return foldName(name).replaceAll('ς', 'σ')
}
