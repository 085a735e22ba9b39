import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { chatFormat } from '../shared/structured-output.ts'
import type { WireRequest, WireTurns } from '../shared/wire.ts'

/** The JSON of a request of chat completions with what the engine adds to it. */
export function askChat({ source, body }: WireRequest, added: WireTurns): string {
  const edits: JsonEdit[] = []
  for (const name of Object.keys(body)) {
    if (added.withheld?.has(name) || (added.single && (name === 'n' || name === 'best_of'))) edits.push({ path: [name], json: undefined })
  }
  if (added.model !== undefined && added.model !== body.model) edits.push({ path: ['model'], json: JSON.stringify(added.model) })
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : []
  if (added.instructions) {
    const at = messages.findIndex((message) => !isSystem(message))
    insert(edits, at < 0 ? messages.length : at, { role: 'system', content: added.instructions })
  }
  if (added.anew !== undefined) anew(edits, messages, added.anew)
  for (const turn of added.turns) insert(edits, messages.length, turn)
  if (added.format !== undefined) edits.push({ path: ['response_format'], json: JSON.stringify(chatFormat(added.format)) })
  if (added.usage && body.stream === true) {
    if (isFields(body.stream_options)) edits.push({ path: ['stream_options', 'include_usage'], json: 'true' })
    else edits.push({ path: ['stream_options'], json: '{"include_usage":true}' })
  }
  return editJson(source, edits)
}

function insert(edits: JsonEdit[], at: number, message: unknown): void {
  edits.push({ path: ['messages', at], json: JSON.stringify(message), isNew: true })
}

/** Puts feedback before what the user said last. */
function anew(edits: JsonEdit[], messages: readonly unknown[], feedback: string): void {
  const at = messages.findLastIndex((message) => isFields(message) && message.role === 'user')
  if (at < 0) {
    insert(edits, messages.length, { role: 'user', content: feedback })
    return
  }
  const { content } = messages[at] as Fields
  const before = `${feedback}\n\n`
  if (Array.isArray(content)) {
    edits.push({ path: ['messages', at, 'content', 0], json: JSON.stringify({ type: 'text', text: before }), isNew: true })
  } else edits.push({ path: ['messages', at, 'content'], json: JSON.stringify(content ? before + String(content) : feedback) })
}

function isSystem(message: unknown): boolean {
  return isFields(message) && (message.role === 'system' || message.role === 'developer')
}
