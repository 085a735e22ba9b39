import { createParser } from 'eventsource-parser'
import { normal, readData } from './normal.ts'
import type { Api } from './recordings/recording.ts'

const paths = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' }
const plain = {
  chat: { messages: [{ role: 'user', content: 'Tabs or spaces?' }] },
  messages: { max_tokens: 256, messages: [{ role: 'user', content: 'Tabs or spaces?' }] },
  responses: { input: 'Tabs or spaces?' },
}

/** A reply as it came. */
export interface RawReply {
  readonly status: number
  readonly headers: Headers
  /** The body, or the data of each event. */
  readonly data: readonly string[]
}

/** A request of an API as text, with what a feature adds. */
export function requestText(api: Api, model: string, stream: boolean, more: object = {}): string {
  return JSON.stringify({ model, ...plain[api], ...more, ...(stream ? { stream } : {}) })
}

/** Sends a body as it is, and reads the reply without a client. */
export async function send(url: string, api: Api, body: string): Promise<RawReply> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', authorization: 'Bearer any' }
  const response = await fetch(`${url}${paths[api]}`, { method: 'POST', headers, body })
  const text = await response.text()
  const { status } = response
  if (!/^(?:event|data|:)/.test(text)) return { status, headers: response.headers, data: [text] }
  const data: string[] = []
  const parser = createParser({ onEvent: (event) => void data.push(event.data) })
  parser.feed(text)
  return { status, headers: response.headers, data: data.filter((one) => one !== '[DONE]') }
}

/** What may be compared of a reply: a stream under a contract as what it adds up to. */
export function comparable(api: Api, { status, data }: RawReply, contract: boolean): unknown {
  const read = data.map(readData)
  return { status, said: contract && read.length > 1 ? normal(api, read) : read }
}
