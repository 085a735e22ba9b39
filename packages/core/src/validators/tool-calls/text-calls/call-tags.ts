const callTag = /<(tool_call|tool_calls|function_call)>/gi
const tags = ['<tool_call>', '<tool_calls>', '<function_call>']

/** The length of the longest opening tag. */
export const longestTag = 15

/** A pattern that finds the opening tags of calls that are written as text one by one, with their names. */
export function callTagPattern(): RegExp {
  return new RegExp(callTag)
}

/** What a text has at an offset: the opening tag of a call, what may become one, or neither. */
export function callTagAt(text: string, at: number): 'tag' | 'start' | 'none' {
  const piece = text.slice(at, at + longestTag).toLowerCase()
  if (tags.some((tag) => piece.startsWith(tag))) return 'tag'
  return tags.some((tag) => tag.startsWith(piece)) ? 'start' : 'none'
}
