import { type Fields, isFields, ownFormat, ownSchema } from '@stickler/core/internal'

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

/** The tools of a call in the words of the engine, and which of them stand for its answer. */
interface Offered {
  readonly tools: readonly unknown[]
  readonly toolChoice: unknown
  readonly formats: ReadonlySet<string> | undefined
  readonly readsFormats: boolean
  /** The same and the format of the answer, in the words of chat completions. */
  readonly asked: Fields
  /** The schema that the request has for its answer. */
  readonly ownSchema: Fields | undefined
}

/** What a call offers: the tools that were bound, else those among its options or those of its model, with those of before there were tools; and which it chooses. */
export function offeredIn(scope: Scope, model: unknown, options: unknown): Offered {
  const { tools, agentTools, toolChoice } = scope
  const all: Fields = { ...configured(model), ...(isFields(options) && options) }
  const { tools: given, functions, tool_choice: choice, ls_structured_output_format: structured } = all
  const bound = new Set(tools.map(nameOf))
  // Beside tools that were bound, options have the same in the form of the provider, unless they replace them.
  const isOther = Array.isArray(given) && given.every((tool) => nameOf(tool) !== '' && !bound.has(nameOf(tool)))
  const offered = Array.isArray(given) && (tools.length === 0 || isOther) ? (given as readonly unknown[]) : tools
  const everything = Array.isArray(functions) ? [...offered, ...functions] : offered
  // An agent forces its model to call a tool when one of them stands for a format.
  const chosen = agentTools === undefined ? choice : toolChoice
  return {
    tools: everything,
    toolChoice: chosen,
    asked: { tools: everything, tool_choice: chosen, response_format: formatIn(all) },
    // So `withStructuredOutput` tells that its tool stands for the answer.
    formats: agentTools ? formatsIn(scope) : structured === undefined ? undefined : new Set(offered.map(nameOf)),
    readsFormats: agentTools !== undefined,
    ownSchema: isFields(structured) && isFields(structured.schema) ? structured.schema : ownSchema(all),
  }
}

/** The format of the answer: that of the provider, or the schema that `withStructuredOutput` notes beside it. */
function formatIn(options: Fields): unknown {
  const { outputConfig: output_config, outputFormat: output_format, ls_structured_output_format: noted } = options
  const { kwargs, schema } = isFields(noted) ? noted : {}
  const isText = isFields(kwargs) && /json/i.test(String(kwargs.method))
  return isText ? { type: 'json_schema', schema } : ownFormat({ output_config, output_format, ...options })
}

/** The options that a model brings along: `ChatOpenAI` keeps them itself, others are in a binding; in a chain the last step answers. */
function configured(model: unknown): Fields {
  if (!isFields(model)) return {}
  const inner = [model.last, model.bound].map(configured)
  return Object.assign({}, ...inner, ...[model.config, model.kwargs, model.defaultOptions].filter(isFields)) as Fields
}

/** Names of the tools that stand for a format of the answer, which an agent itself reads. */
function formatsIn({ tools, agentTools = [] }: Scope): ReadonlySet<string> {
  const own = new Set(agentTools.map(nameOf))
  return new Set(tools.map(nameOf).filter((name) => name !== '' && !own.has(name)))
}

function nameOf(tool: unknown): string {
  const { name } = isFields(tool) ? (isFields(tool.function) ? tool.function : tool) : {}
  return typeof name === 'string' ? name : ''
}
