import { contentText } from '../content.ts'
import { field } from '../tool-shapes/fields.ts'

/** What the user wrote, as the context of a check has it: the user messages of `prompt`, a prompt that is a text, and `question`. */
export function userText({ prompt, question }: Readonly<Record<string, unknown>>): string {
  const said =
    typeof prompt === 'string'
      ? [prompt]
      : Array.isArray(prompt)
        ? prompt.filter(isUsers).map((one) => contentText(field(one, 'content')))
        : []
  return [...said, ...(typeof question === 'string' ? [question] : [])].join('\n\n')
}

/** The system's and tools' messages are not the user's, nor is what the model said itself. */
function isUsers(message: unknown): boolean {
  return field(message, 'role') === 'user'
}
