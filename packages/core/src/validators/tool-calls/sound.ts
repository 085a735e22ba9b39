import { isFields } from '../../answer/tool-shapes/fields.ts'
import { allowsOneCall, offeredTools } from '../../answer/tool-shapes/offered-tools.ts'
import { shownName, ToolIndex } from '../../answer/tool-shapes/tool-definition.ts'
import { issue } from '../../contract/issue.ts'
import type { PreparedValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { findDuplicateKeys } from '../../schema/values/duplicate-keys.ts'
import { releaseAll } from '../shared/release-all.ts'
import { toolCallMessages } from './messages.ts'
import { rejectManyCalls } from './most-calls.ts'

type SoundCode = 'UNKNOWN_TOOL' | 'PARALLEL_CALLS' | 'INVALID_ARGUMENTS_JSON' | 'DUPLICATE_KEY'

/** The least that calls must be, whatever the contract is about: readable, and offered. */
export const soundCalls: PreparedValidator<SoundCode> = {
  *check({ toolCalls }, { context, locale }) {
    if (toolCalls.length === 0) return
    rejectManyCalls(toolCalls)
    const say = toolCallMessages[locale]
    const offered = offeredTools(context)
    // Without tools there was no request; with them, the choice cannot be understood.
    if (offered === undefined && context.tools !== undefined)
      throw new ValidatorUnavailable('the answer calls tools, but the format of the tool choice is unknown')
    if (toolCalls.length > 1 && allowsOneCall(context)) yield issue('PARALLEL_CALLS', say.parallel(toolCalls.length))
    const tools = offered && new ToolIndex(offered)
    for (const call of toolCalls) {
      const { name, arguments: given } = call
      if (tools !== undefined && tools.find(call) === undefined)
        yield issue('UNKNOWN_TOOL', say.unknownTool(shownName(call), offered?.map(shownName) ?? []))
      if (!isObject(given)) yield issue('INVALID_ARGUMENTS_JSON', say.oneObject(name))
      for (const { key } of findDuplicateKeys(given)) yield issue('DUPLICATE_KEY', say.duplicate(name, [key]))
    }
  },
  // Calls are not part of the text, so all of it may be shown.
  incremental: releaseAll,
}

function isObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text === '' ? '{}' : text))
  } catch {
    return false
  }
}
