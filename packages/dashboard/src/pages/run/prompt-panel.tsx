import type { Run } from '../../api/run-types.ts'
import { Code, Text } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'

/** The prompt as it was sent. */
export function PromptPanel({ run }: { readonly run: Run }) {
  const { prompt, request } = run
  const messages = prompt ?? (request === undefined || request === '' ? [] : [{ role: 'question', text: request }])
  if (messages.length === 0) return null
  return (
    <Panel
      title="Prompt"
      note={
        prompt !== undefined
          ? `${prompt.length} ${prompt.length === 1 ? 'message' : 'messages'} as sent, long ones shortened`
          : 'the beginning of the question'
      }
    >
      <ol class="messages">
        {messages.map(({ role, text }, at) => (
          <li key={at}>
            <span class="message-role">
              <Text>{role}</Text>
            </span>
            <Code text={text} label={`Message ${at + 1}`} most={4000} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}
