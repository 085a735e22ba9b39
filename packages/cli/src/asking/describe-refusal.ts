import type { AskRefused } from '@stickler/ask'
import { clip } from '../terminal/clip.ts'

/** Why there is no answer. Replies hide what the provider said; operators see it here. */
export function describeRefusal({ failure, upstream, error }: AskRefused): string {
  if (failure === undefined) return error
  const { status, message } = failure
  const advice = status === 401 || status === 403 ? '; check its key: apiKeyEnv of the upstream, or --key-env beside --base-url' : ''
  return `${upstream === undefined ? '' : `${clip(upstream)}: `}${clip(message, 500)}${advice}`
}
