import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Message } from '../../engine/runner.ts'
import { parseJson } from '../../json/parse-json.ts'

/** Added turns of chat completions as messages of the AI SDK; `parts` are those that the model sent, with what its provider needs back. */
export function sdkTurns(turns: readonly Message[], parts: readonly Fields[] = []): readonly Message[] {
  const names = new Map<unknown, unknown>()
  const written: Message[] = []
  let results: Fields[] | undefined
  for (const { role, content, tool_calls: calls, tool_call_id: id } of turns) {
    if (role === 'tool') {
      if (results === undefined) {
        results = []
        written.push({ role, content: results })
      }
      results.push({ type: 'tool-result', toolCallId: id, toolName: names.get(id), output: { type: 'error-text', value: content } })
      continue
    }
    results = undefined
    const said = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    const made = (Array.isArray(calls) ? calls : []).filter(isFields).map((call) => callPart(call, parts))
    for (const { toolCallId, toolName } of made) names.set(toolCallId, toolName)
    const thoughts =
      made.length === 0
        ? []
        : parts.filter(({ type }) => type === 'reasoning').map(({ text, ...part }) => asSent({ type: 'reasoning', text }, part))
    written.push({ role, content: [...thoughts, ...said, ...made] })
  }
  return written
}

function callPart({ id, function: called, custom }: Fields, parts: readonly Fields[]): Fields {
  const { name, arguments: given, input } = isFields(custom) ? custom : isFields(called) ? called : {}
  const part = parts.find(({ type, toolCallId }) => type === 'tool-call' && toolCallId === id)
  return asSent({ type: 'tool-call', toolCallId: id, toolName: name, input: input ?? parseJson(String(given)) }, part)
}

/** A part with the metadata of the one that the provider sent, such as signatures. */
function asSent(part: Fields, sent: Fields | undefined): Fields {
  return sent?.providerMetadata === undefined ? part : { ...part, providerOptions: sent.providerMetadata }
}
