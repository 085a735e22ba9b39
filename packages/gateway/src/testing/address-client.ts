import { type ApiName, bodyOf, type Question, readReply, type WireReply } from './wire.ts'

const paths: Readonly<Record<ApiName, string>> = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }

/** Sends a question to an address and reads the answer to its end; rejects when there is none. */
export async function askAt(url: string, api: ApiName, question: Question): Promise<WireReply> {
  return readReply(await sendTo(url, api, question))
}

/** Sends a question to an address. */
export function sendTo(url: string, api: ApiName, question: Question): Promise<Response> {
  return fetch(`${url}${paths[api]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...question.headers },
    body: JSON.stringify(bodyOf(api, question)),
    ...(question.signal ? { signal: question.signal } : {}),
  })
}

/** A run as `/api/v1/runs` tells of it. */
export interface ListedRun {
  readonly id: string
  readonly requestId: string
  readonly status: string
  readonly attempts: number
}

/** Every run that a gateway has, page by page. */
export async function allRuns(url: string, headers: Readonly<Record<string, string>> = {}): Promise<ListedRun[]> {
  const runs: ListedRun[] = []
  let next: string | undefined
  do {
    const response = await fetch(`${url}/api/v1/runs?limit=200${next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`}`, {
      headers,
    })
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
    const page = (await response.json()) as { readonly items: readonly ListedRun[]; readonly next?: string }
    runs.push(...page.items)
    next = page.next
  } while (next !== undefined)
  return runs
}

/** Does work for every number, so many at a time. */
export async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
