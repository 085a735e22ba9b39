import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'

/** Members of a message or a delta in which some gateways repeat its content. */
const members = ['content_blocks', 'provider_specific_fields', 'text', 'output_text', 'parts'] as const

/** Members with texts that clients show as the answer, also in lists and as the `value` of an object. */
const shown: ReadonlySet<string> = new Set([...members, 'content', 'refusal'])
/** What is not part of the content, and is searched for secrets with the reasoning. */
const beside = /reason|think|thought|citation|annotation|search|result/i
/** Calls, which are judged in their own place only. */
const called = /^(?:tool_use|tool_calls?|function_?call|function)$/i
/** No real provider nests deeper. */
const deepest = 16

/** The names of members that say something other than the content of their message. */
export function otherCopies(message: Fields): readonly string[] {
  if (members.every((name) => (message[name] ?? undefined) === undefined)) return none
  const said = contentText(message.content)
  return members.filter((name) => {
    const texts: string[] = []
    const isRead = visit({ [name]: message[name] }, (text) => texts.push(text), false, 0)
    const copy = texts.join('')
    return !isRead || (copy !== '' && copy !== said)
  })
}

const none: readonly string[] = []

/** A message without members that say something other than its content. */
export function withoutOtherCopies<Message extends Fields>(message: Message): Message {
  const others = new Set(otherCopies(message))
  return others.size === 0 ? message : (Object.fromEntries(Object.entries(message).filter(([name]) => !others.has(name))) as Message)
}

/** The copies of a content with another text in their place; none where there is no copy. */
export function changedCopies(message: Fields, text: string): Fields {
  const changed: Record<string, unknown> = {}
  for (const name of members) {
    if ((message[name] ?? undefined) === undefined) continue
    const copy = { [name]: structuredClone(message[name]) }
    let rest = text
    let isCopy = false
    visit(
      copy,
      (_text, holder, key) => {
        Object.assign(holder, { [key]: rest })
        rest = ''
        isCopy = true
      },
      false,
      0,
    )
    if (isCopy) Object.assign(changed, copy)
  }
  return changed
}

type See = (text: string, holder: object, key: string | number) => void

/** Visits the texts that clients may show; false where there is a call, or too much depth to see everything. */
function visit(value: unknown, see: See, isShown: boolean, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (isFields(value)) {
    if (value.thought === true) return true
    if (typeof value.type === 'string') {
      if (called.test(value.type)) return false
      if (beside.test(value.type)) return true
    }
  }
  const isList = Array.isArray(value)
  for (const [key, item] of Object.entries(value)) {
    const isSaid = isList ? isShown : shown.has(key) || (isShown && key === 'value')
    if (typeof item === 'string') {
      if (isSaid && item !== '') see(item, value, key)
    } else if (!isList && called.test(key) && (item ?? undefined) !== undefined) return false
    else if ((isList || !beside.test(key)) && !visit(item, see, isSaid, depth + 1)) return false
  }
  return true
}
