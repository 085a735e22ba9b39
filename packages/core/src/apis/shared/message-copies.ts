import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'

/** Members of a message or a delta in which some gateways repeat its content. */
const members = ['content_blocks', 'provider_specific_fields'] as const

/** Members of these with texts that clients show as the answer. */
const shown: ReadonlySet<string> = new Set(['text', 'content', 'output_text', 'refusal'])
/** What is not part of the content, and is searched for secrets with the reasoning. */
const beside = /reason|think|thought|citation|annotation|search|result/i
/** Calls, which are judged in their own place only. */
const called = /^(?:tool_use|tool_calls?|function_call|function)$/
/** No real provider nests deeper. */
const deepest = 16

/** The names of members that say something other than the content of their message. */
export function otherCopies(message: Fields): readonly string[] {
  if (members.every((name) => (message[name] ?? undefined) === undefined)) return none
  const said = contentText(message.content)
  return members.filter((name) => {
    const texts: string[] = []
    const isRead = visit(message[name], (text) => texts.push(text), false, 0)
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
    const copy: unknown = structuredClone(message[name])
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
    if (isCopy) changed[name] = copy
  }
  return changed
}

type See = (text: string, holder: object, key: string | number) => void

/** Visits the texts that clients may show; false where there is a call, or too much depth to see everything. */
function visit(value: unknown, see: See, isShown: boolean, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (isFields(value) && typeof value.type === 'string') {
    if (called.test(value.type)) return false
    if (beside.test(value.type)) return true
  }
  const isList = Array.isArray(value)
  for (const [key, item] of Object.entries(value)) {
    const isSaid = isList ? isShown : shown.has(key)
    if (typeof item === 'string') {
      if (isSaid && item !== '') see(item, value, key)
    } else if (!isList && called.test(key) && (item ?? undefined) !== undefined) return false
    else if ((isList || !beside.test(key)) && !visit(item, see, isSaid, depth + 1)) return false
  }
  return true
}
