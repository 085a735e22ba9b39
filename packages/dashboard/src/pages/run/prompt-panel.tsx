import type { Run } from '../../api/run-types.ts'
import { Code, Text } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'

/** The prompt and the instructions as they were sent. */
export function PromptPanel({ run }: { readonly run: Run }) {
  const { prompt, request, instructions } = run
  const messages = prompt ?? (request === undefined || request === '' ? [] : [{ role: 'question', text: request }])
  if (messages.length === 0 && (instructions === undefined || instructions === '')) return null
  return (
    <Panel
      title="Prompt"
      note={
        prompt !== undefined
          ? `${prompt.length} ${prompt.length === 1 ? 'message' : 'messages'} as sent, long ones shortened`
          : messages.length > 0
            ? 'the beginning of the question'
            : undefined
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
        {instructions !== undefined && instructions !== '' && (
          <li>
            <span class="message-role">instructions of the contract</span>
            <Code text={instructions} label="Instructions of the contract" most={4000} />
          </li>
        )}
      </ol>
    </Panel>
  )
}
