import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { formatEdit } from '../shared/format-edit.ts'
import { type Passes, withoutReferences } from '../shared/references.ts'
import { fitOpenAi, responsesFormat } from '../shared/structured-output.ts'
import type { Wire, WireEvent, WireReply, WireRequest, WireTurns } from '../shared/wire.ts'
import { type ResponseReply, readResponse } from './read-response.ts'
import { inputItems } from './request/input-items.ts'
import { eventReferences, outputReferences } from './response-end.ts'
import { type ResponseEvent, ResponseReader } from './response-reader.ts'
import { chatUsage } from './response-usage.ts'
import { ResponseWriter } from './response-writer.ts'
import { writeResponse } from './write-response.ts'

/** The wire format of OpenAI's Responses API. */
export const responsesWire: Wire = {
  api: 'responses',
  path: '/responses',
  noArguments: '{}',
  readWhole: readResponse,
  readStream: (listener) => new ResponseReader(listener),
  writeStream: (out) => new ResponseWriter(out),
  writeWhole: writeResponse,
  passEvent: passResponseEvent,
  passReply: passResponse,
  ask: askResponses,
  fitSchema: fitOpenAi,
  chatUsage,
}

/** An event without the rejected references; undefined if it is only a reference. */
function passResponseEvent(event: WireEvent, passes: Passes): WireEvent | undefined {
  const { type, fields } = event as ResponseEvent
  const data = withoutReferences(event.data, eventReferences(type, fields), passes)
  if (data === event.data) return event
  return data === undefined ? undefined : ({ ...event, data, fields: JSON.parse(data) as Fields } as ResponseEvent)
}

/** The same for a whole response. */
function passResponse(reply: WireReply, passes: Passes): WireReply {
  const { response, body: given } = reply as ResponseReply
  const body = withoutReferences(given, outputReferences(response.output, ['output']), passes) ?? given
  return body === given ? reply : ({ ...reply, body, response: JSON.parse(body) as Fields } as ResponseReply)
}

/** The JSON of a Responses request with the engine's additions; it still names the stored conversation. */
function askResponses({ source, body }: WireRequest, added: WireTurns): string {
  const edits: JsonEdit[] = []
  for (const name of Object.keys(body)) if (added.withheld?.has(name)) edits.push({ path: [name], json: undefined })
  if (added.model !== undefined && added.model !== body.model) edits.push({ path: ['model'], json: JSON.stringify(added.model) })
  const rules = added.instructions ?? ''
  // Instructions beside those of a stored prompt would replace them.
  const isItem = rules !== '' && !isText(body.instructions) && (body.prompt ?? null) !== null
  if (rules !== '' && !isItem)
    edits.push({ path: ['instructions'], json: JSON.stringify(isText(body.instructions) ? `${body.instructions}\n\n${rules}` : rules) })
  if (added.format !== undefined) edits.push(formatEdit(body, 'text', responsesFormat(added.format)))
  const turns = inputItems(added.turns)
  addItems(edits, body, isItem ? [{ role: 'developer', content: rules }] : [], turns, added.anew)
  return editJson(source, edits)
}

function addItems(edits: JsonEdit[], { input }: Fields, first: readonly Fields[], last: readonly Fields[], anew: string | undefined): void {
  if (!Array.isArray(input)) {
    const said = anew === undefined ? input : isText(input) ? `${anew}\n\n${input}` : anew
    if (first.length + last.length === 0) {
      if (anew !== undefined) edits.push({ path: ['input'], json: JSON.stringify(said) })
      return
    }
    const own = isText(said) ? [{ role: 'user', content: said }] : []
    edits.push({ path: ['input'], json: JSON.stringify([...first, ...own, ...last]) })
    return
  }
  const insert = (at: number, item: unknown): number => edits.push({ path: ['input', at], json: JSON.stringify(item), isNew: true })
  for (const item of first) insert(0, item)
  if (anew !== undefined) sayAnew(edits, input, anew, insert)
  for (const item of last) insert(input.length, item)
}

/** Puts feedback before the last user message. */
function sayAnew(edits: JsonEdit[], input: readonly unknown[], feedback: string, insert: (at: number, item: unknown) => void): void {
  const at = input.findLastIndex((item) => isFields(item) && item.role === 'user')
  if (at < 0) {
    insert(input.length, { role: 'user', content: feedback })
    return
  }
  const { content } = input[at] as Fields
  const before = `${feedback}\n\n`
  if (Array.isArray(content)) {
    const part = { type: 'input_text', text: before }
    if (content.length === 0) edits.push({ path: ['input', at, 'content'], json: JSON.stringify([part]) })
    else edits.push({ path: ['input', at, 'content', 0], json: JSON.stringify(part), isNew: true })
  } else edits.push({ path: ['input', at, 'content'], json: JSON.stringify(isText(content) ? before + content : feedback) })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
