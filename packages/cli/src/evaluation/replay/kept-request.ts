import { type Contract, catalogue as library } from '@stickler/core'
import type { FoundRun } from '@stickler/gateway/internal'
import { catalogue } from '@stickler/presets'

/** What checks of a contract read of a request, beside what every run keeps. */
export interface RequestNeeds {
  /** `texts` of the messages, or the messages themselves, which are not kept. */
  readonly prompt?: 'texts' | 'messages'
  readonly question?: boolean
}

/** What the checks of a contract read; those of plugins may read any question. */
export function needsOf({ validators }: Contract): RequestNeeds {
  const shipped = new Set<unknown>([...library.validators, ...catalogue.validators].map(({ definition }) => definition))
  const readers = validators.filter(({ prepared }) => prepared.readsPrompt)
  const isAsked = validators.some(
    ({ definition, prepared }) => prepared.asks !== undefined || definition.judges === 'context' || !shipped.has(definition),
  )
  return {
    ...(readers.length > 0 && { prompt: readers.some(({ prepared }) => prepared.asks !== undefined) ? 'messages' : 'texts' }),
    question: isAsked || readers.length > 0,
  }
}

/** Longer questions are cut in records. */
const longestQuestion = 500

/** The context of checks that read the request of a run; undefined when too little of it was kept. */
export function keptRequest({ request = '', prompt }: FoundRun, needs: RequestNeeds): Readonly<Record<string, unknown>> | undefined {
  const isWhole = prompt?.every(({ cut, more }) => cut === undefined && more === undefined)
  const messages = isWhole ? prompt?.filter(({ added }) => !added) : undefined
  const context: Record<string, unknown> = {}
  if (needs.prompt !== undefined) {
    if (needs.prompt === 'messages' || messages === undefined) return undefined
    context.prompt = messages.map(({ role, text }) => ({ role, content: text }))
  }
  if (needs.question && request.length >= longestQuestion) {
    const last = messages?.findLast(({ role }) => role === 'user')?.text
    if (!last?.startsWith(request)) return undefined
    context.question = last
  }
  return context
}
