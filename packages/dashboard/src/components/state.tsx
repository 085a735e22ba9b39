import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/client.ts'
import { useServices } from '../app/services.ts'
import { shellWord } from '../format/shell-word.ts'
import { Code } from './code.tsx'
import { Icon, type IconName } from './icon.tsx'

/** What an empty view takes. */
interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  /** The command that brings something to show. */
  readonly curl?: string
}

/** Says what will appear here, and the command that makes it. */
export function Empty({ icon, title, children, curl }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {curl !== undefined && <Code text={curl} label="Command" />}
    </div>
  )
}

/** The command that sends a first request to this gateway. */
export function useFirstCurl(): string {
  const { me, origin } = useServices()
  const model = me.value?.models[0] ?? 'MODEL'
  const key = me.value?.role === 'local' ? '' : ` \\\n  -H "authorization: Bearer $STICKLER_KEY"`
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
  return `curl ${origin}/v1/chat/completions${key} \\\n  -H 'content-type: application/json' \\\n  -d ${shellWord(body)}`
}

/** Says what failed and why, and offers another try. */
export function Failure({ error, what, retry }: { readonly error: unknown; readonly what: string; retry?(): void }) {
  const { format } = useServices()
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ApiError && error.status === 403) return <OperatorsOnly />
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{what} could not be loaded.</strong>
        <p>
          <bdi>{format.visible(message)}</bdi>
        </p>
      </div>
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** For pages that a client's key may not see. */
export function OperatorsOnly() {
  return (
    <Empty icon="keys" title="For operators">
      This page needs the key of an operator. Your key shows your own runs: the overview, runs and sessions.
    </Empty>
  )
}

/** Rows of grey bars while the first reply is on its way; they take the place of the content, so that nothing jumps. */
export function Skeleton({ rows = 6, tall = false }: { readonly rows?: number; readonly tall?: boolean }) {
  return (
    <div class={`skeleton ${tall ? 'tall' : ''}`} aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  )
}
