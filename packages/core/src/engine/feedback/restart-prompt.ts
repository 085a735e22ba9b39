import type { Message, Prompt } from '../runner.ts'

/** Between feedback and prompt, whatever the feedback ends with. */
const gap = '\n\n'

/** Puts feedback before a prompt: before a text, or before what the user said last; the system's messages stay as they are. */
export function askAnew(prompt: Prompt, feedback: string): Prompt {
  if (typeof prompt === 'string') return feedback + gap + prompt
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  return at < 0 ? [...prompt, { role: 'user', content: feedback }] : prompt.with(at, prepend(feedback, prompt[at] as Message))
}

/** Whether the last turn of a prompt is that of the user. */
export function endsWithUser(prompt: Prompt): boolean {
  return typeof prompt === 'string' || prompt.at(-1)?.role === 'user'
}

function prepend(feedback: string, message: Message): Message {
  const { content } = message
  if (Array.isArray(content)) return { ...message, content: [{ type: 'text', text: feedback + gap }, ...content] }
  return { ...message, content: content ? feedback + gap + content : feedback }
}
