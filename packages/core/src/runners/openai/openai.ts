import type { Runner } from '../../engine/runner.ts'
import { type HttpRunnerSettings, httpRunner } from '../http-runner.ts'
import { chatWire } from '../wire/chat/chat-wire.ts'
import { endpoint, requestBody } from './openai-request.ts'

/** How to reach a model at an OpenAI-compatible address. */
export interface OpenAiSettings extends HttpRunnerSettings {
  /** Everything before `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of the request, such as `temperature` or `tools`. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** Talks to a model through the chat completions that OpenAI-compatible providers offer. */
export function openai(settings: OpenAiSettings): Runner {
  const { baseUrl, model, apiKey, headers = {}, body = {} } = settings
  const api = {
    wire: chatWire,
    endpoint: endpoint(baseUrl, apiKey, headers),
    request: (messages: Parameters<typeof requestBody>[1], stream: boolean) => requestBody(model, messages, stream, body),
  }
  return httpRunner(api, settings)
}
