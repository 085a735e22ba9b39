import { type Fields, isFields } from '@stickler/core/internal'
import { type Judge, Unreadable, type Verdict } from './guardrail.ts'
import { objectsIn } from './texts.ts'

/** Gives what replaces a text. */
export type Change = (text: string) => string

/** Judges each text that `map` visits; `after` is what it makes of the repaired ones, absent when none was changed. */
export async function judgeTexts<Whole>(
  map: (change: Change) => Whole,
  judge: Judge,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly after?: Whole }> {
  const texts: string[] = []
  map((text) => {
    texts.push(text)
    return text
  })
  const verdicts = await judge.checkTexts(texts)
  if (verdicts.every(({ given: { text }, settled }) => settled.text === text)) return { verdicts }
  let at = 0
  return { verdicts, after: map((text) => verdicts[at++]?.settled.text ?? text) }
}

/** Visits all texts of a message, also those of calls and their results; throws for content that it cannot read. */
export function mapMessage(message: Fields, change: Change): Fields {
  return mapFields(message, messageFields, change)
}

/** Visits all texts of the messages of a prompt. */
export function mapMessages(messages: unknown, change: Change): unknown {
  return objectsIn({ messages }, 'messages').map((message) => mapMessage(message, change))
}

/** Visits the texts of a content: a text, or a list of parts. */
export function mapContent(content: unknown, change: Change): unknown {
  if (content === undefined || content === null) return content
  if (typeof content === 'string') return change(content)
  if (!Array.isArray(content)) throw new Unreadable('A content must be a text or a list of parts.')
  return content.map((part: unknown) => mapPart(part, change))
}

/** Changes what it visits. */
type Visit = (value: unknown, change: Change) => unknown
/** Which members are visited, and how. */
export type Visits = Readonly<Record<string, Visit>>

/** Visits those fields that are there. */
export function mapFields(fields: Fields, visits: Visits, change: Change): Fields {
  const visited = Object.entries(visits).filter(([name]) => (fields[name] ?? undefined) !== undefined)
  return { ...fields, ...Object.fromEntries(visited.map(([name, visit]) => [name, visit(fields[name], change)])) }
}

/** Visits a text. */
export const mapText: Visit = (text, change) => {
  if (typeof text !== 'string') throw new Unreadable('A text must be a string.')
  return change(text)
}

/** What a model has signed can be read, and not changed. */
export const readOnly: Visit = (text, change) => {
  if (mapText(text, change) !== text) throw new Unreadable('The repaired text has no place in the message.')
  return text
}

/** JSON, as a text or as a value. */
export const mapJson: Visit = (value, change) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const changed = change(text)
  if (changed === text) return value
  try {
    const parsed: unknown = JSON.parse(changed)
    return typeof value === 'string' ? changed : parsed
  } catch {
    throw new Unreadable('The repaired arguments are not JSON.')
  }
}

/** Visits a list of objects. */
export const mapList =
  (mapItem: (item: Fields, change: Change) => Fields): Visit =>
  (list, change) => {
    if (!Array.isArray(list) || !list.every(isFields)) throw new Unreadable('The calls and items of a message must be lists of objects.')
    return list.map((item) => mapItem(item, change))
  }

const mapFunction: Visit = (called, change) => {
  if (!isFields(called)) throw new Unreadable('A function call must be an object.')
  return mapFields(called, { arguments: mapJson, input: mapText }, change)
}

const messageFields: Visits = {
  content: mapContent,
  refusal: mapText,
  tool_calls: mapList((call, change) => mapFields(call, { function: mapFunction, custom: mapFunction, arguments: mapJson }, change)),
  function_call: mapFunction,
  // Open WebUI keeps the answer of a model here once more, among the steps to it.
  output: mapList((item, change) => {
    if (item.type === 'message') return mapFields(item, { content: mapContent }, change)
    if (isStep(item.type)) return item
    throw new Unreadable(`An item of the type ${JSON.stringify(item.type)} cannot be read.`)
  }),
}

const steps: ReadonlySet<unknown> = new Set([
  ...['reasoning', 'function_call', 'function_call_output', 'open_webui:code_interpreter'],
  ...['web_search_call', 'file_search_call', 'computer_call'],
])

/** Whether an item is a step to an answer, which is searched for secrets and not judged. */
export function isStep(type: unknown): boolean {
  return steps.has(type)
}

const text: Visits = { text: mapText }
const result: Visits = { content: mapContent }
const call: Visits = { input: mapJson }
const attachment: Visits = {}

/** Where the parts of a content have their texts; attachments have none that could be judged. */
const partFields: ReadonlyMap<unknown, Visits> = new Map<unknown, Visits>([
  [undefined, text],
  ['text', text],
  ['input_text', text],
  ['output_text', text],
  ['refusal', { refusal: mapText }],
  ['tool_result', result],
  ['tool_use', call],
  ['server_tool_use', call],
  ['thinking', { thinking: readOnly }],
  ['document', { source: mapSource, title: mapText, context: mapText }],
  ...['redacted_thinking', 'image', 'image_url', 'input_image', 'input_audio', 'audio', 'video_url', 'file', 'input_file'].map(
    (type) => [type, attachment] as const,
  ),
])

/** Visits the texts of a part of a content. */
export function mapPart(part: unknown, change: Change): unknown {
  if (typeof part === 'string') return change(part)
  const visits = isFields(part) ? partFields.get(part.type) : undefined
  if (!isFields(part) || visits === undefined || (visits === text && typeof part.text !== 'string'))
    throw new Unreadable('A content has a part that cannot be read.')
  return mapFields(part, visits, change)
}

/** A document is a text, parts, or a file. */
function mapSource(source: unknown, change: Change): unknown {
  if (!isFields(source)) throw new Unreadable('The source of a document must be an object.')
  return mapFields(source, source.type === 'text' ? { data: mapText } : { content: mapContent }, change)
}
