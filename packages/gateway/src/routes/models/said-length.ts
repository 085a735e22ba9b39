/** Short values of these fields are only types or ids. */
const marks = new Set(['role', 'type', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'item_id', 'status', 'media_type', 'detail'])
const longestMark = 64

const none: ReadonlyMap<object, string> = new Map()

/** The number of characters in a message, in any field, without the bytes of images and files. */
export function saidLength(message: unknown, pictures: ReadonlyMap<object, string> = none): number {
  let length = 0
  const open: unknown[] = [message]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (name.length > longestMark) length += name.length
        if (typeof member !== 'string') open.push(member)
        else if (!isMark(name, member) && pictures.get(value) !== name && !isFile(value as Record<string, unknown>, name, member))
          length += member.length
      }
    }
  }
  return length
}

function isMark(name: string, value: string): boolean {
  return value.length <= longestMark && marks.has(name)
}

/**
 * A file or audio as base64, which has no blanks; a text stays a text, even where a file is
 * expected.
 */
function isFile(holder: Readonly<Record<string, unknown>>, name: string, value: string): boolean {
  if (name !== 'file_data' && (name !== 'data' || (holder.type !== 'base64' && typeof holder.format !== 'string'))) return false
  return !value.startsWith('data:text/') && !value.includes(' ')
}
