import { ComposedParameters } from '../../apis/request/composed-parameters.ts'
import { chatFormat } from '../../apis/shared/structured-output.ts'
import type { OptionNames } from '../../engine/option-names.ts'
import type { Runner } from '../../engine/runner.ts'
import { checkSettings, type HttpRunnerSettings, httpOptions, httpRunner, type RunnerApi } from '../http-runner.ts'
import { endpoint, isOpenAi } from './openai-request.ts'

/** How to reach a model at an OpenAI-compatible address. */
export interface OpenAiSettings extends HttpRunnerSettings {
  /** Everything before `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of the request, such as `temperature` or `tools`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whether the provider takes a JSON Schema as `response_format`; true for OpenAI's own address, otherwise the schema goes into the prompt. */
  readonly structuredOutput?: boolean
}

const openAiOptions: OptionNames<OpenAiSettings> = {
  baseUrl: true,
  model: true,
  apiKey: true,
  headers: true,
  body: true,
  structuredOutput: true,
  ...httpOptions,
}

/** Talks to a model through the chat completions that OpenAI-compatible providers offer. */
export function openai(settings: OpenAiSettings): Runner {
  checkSettings(settings, openAiOptions)
  const { baseUrl, model, apiKey, headers = {}, body = {}, structuredOutput = isOpenAi(baseUrl), parameters: wanted = {} } = settings
  const api: RunnerApi = {
    wire: async () => (await import('../../apis/chat/chat-wire.ts')).chatWire,
    endpoint: endpoint(baseUrl, apiKey, headers),
    body,
    model,
    structuredOutput,
    parameters: new ComposedParameters({ api: 'chat', baseUrl }),
    wanted,
    request: (messages, native) => ({ ...(native && { response_format: chatFormat(native) }), messages }),
    asksForUsage: true,
  }
  return httpRunner(api, settings)
}
