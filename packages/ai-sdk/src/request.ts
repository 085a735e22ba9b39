import { ConfigurationError, type Contract, contract, type EnforceOptions } from '@stickler/core'
import { contentText, type Fields, type Terms, wantsValue } from '@stickler/core/internal'
import { json } from '@stickler/core/validators'
import type { Params, ToolLike } from './model.ts'

/** What a run is given of a request; the prompt itself is never looked into. */
export function readRequest(params: Params, { contract: given, options }: Terms): Omit<EnforceOptions, 'runner'> {
  const { prompt, responseFormat, abortSignal: signal } = params
  const { echoLimit: _, context, ...others } = options
  const free = responseFormat?.type === 'json' && !given.validators.some(({ definition }) => definition === json.definition)
  return {
    ...others,
    contract: free ? withFormat(given, responseFormat.schema) : given,
    prompt,
    context: { ...contextOf(params), ...context },
    ...(signal && { signal }),
  }
}

/** Facts of the request that validators read. */
function contextOf({ prompt, tools = [], toolChoice, responseFormat }: Params): Fields {
  const offered = tools.flatMap(offeredAs)
  const asked = {
    tools: offered,
    tool_choice: toolChoice,
    response_format: responseFormat?.type === 'json' ? { type: 'json_object' } : undefined,
  }
  return {
    question: contentText(prompt.findLast(({ role }) => role === 'user')?.content),
    tools: offered,
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(wantsValue(asked) ? { deliver: 'value' } : {}),
  }
}

/** What the provider defines has no schema here, and may take an object or free text. */
function offeredAs(tool: ToolLike): readonly object[] {
  if (tool.type === 'function') return [tool]
  return ['function', 'custom'].map((type) => ({ type, name: tool.name }))
}

const formats = new WeakMap<Contract, WeakMap<object, Contract>>()
/** Stands for a format without a schema. */
const anyJson = {}

/** Adds the format that the request asks for as a check; the same contract for the same schema. */
function withFormat(given: Contract, schema: object = anyJson): Contract {
  const known = formats.get(given) ?? new WeakMap<object, Contract>()
  formats.set(given, known)
  const made = known.get(schema) ?? { ...given, validators: [...given.validators, ...formatCheck(schema, given).validators] }
  known.set(schema, made)
  return made
}

function formatCheck(schema: object, { policy: { locale } }: Contract): Contract {
  try {
    return contract({ checks: [json(schema === anyJson ? {} : { schema })], locale })
  } catch (error) {
    // The SDK itself compares the value with a schema that is not supported here.
    if (error instanceof ConfigurationError && schema !== anyJson) return contract({ checks: [json({})], locale })
    throw error
  }
}
