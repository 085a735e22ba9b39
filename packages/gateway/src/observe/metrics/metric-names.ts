import type { Api } from '../../records/run/run-record.ts'

/** What the paths of HTTP are called in metrics. */
export const apis: ReadonlyMap<string, Api> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/responses', 'responses'],
  ['/v1/messages', 'messages'],
  ['/ask', 'ask'],
  ['/v1/check', 'check'],
])
