import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { messagesWire } from '../../apis/messages/messages-wire.ts'
import { messagesTurns } from '../../apis/messages/request/messages-turns.ts'
import { ComposedParameters } from '../../apis/request/composed-parameters.ts'
import { messagesFormat, type NativeSchema } from '../../apis/shared/structured-output.ts'
import { checkNumbers } from '../../contract/configuration-error.ts'
import type { OptionNames } from '../../engine/option-names.ts'
import type { Message, Runner } from '../../engine/runner.ts'
import { checkSettings, type HttpRunnerSettings, httpOptions, httpRunner } from '../http-runner.ts'
import { endpoint } from '../openai/openai-request.ts'
import { anthropicUrl, isAnthropic } from './anthropic-address.ts'

/** How to reach a model through Anthropic's Messages API. */
export interface AnthropicSettings extends HttpRunnerSettings {
  readonly model: string
  readonly apiKey?: string
  /** Everything before `/messages`, or before `/v1/messages`; Anthropic's own address. */
  readonly baseUrl?: string
  /** Maximum tokens of an answer, which the API requires; 4096 by default. */
  readonly maxTokens?: number
  /** The version of the API; 2023-06-01. */
  readonly version?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of the request, such as `temperature` or `tools`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whether the provider takes a JSON Schema as `output_config.format`; true for Anthropic's own address, otherwise the schema goes into the prompt. */
  readonly structuredOutput?: boolean
}

const anthropicOptions: OptionNames<AnthropicSettings> = {
  model: true,
  apiKey: true,
  baseUrl: true,
  maxTokens: true,
  version: true,
  headers: true,
  body: true,
  structuredOutput: true,
  ...httpOptions,
}

/** Talks to a model through Anthropic's Messages API. */
export function anthropic(settings: AnthropicSettings): Runner {
  checkSettings(settings, anthropicOptions)
  const { model, apiKey = '', baseUrl = anthropicUrl, maxTokens = 4096, version = '2023-06-01', body = {} } = settings
  const { structuredOutput = isAnthropic(baseUrl) } = settings
  checkNumbers({ maxTokens })
  const root = baseUrl.replace(/\/v1\/?(?=$|\?)/, '')
  const headers = { 'anthropic-version': version, ...(apiKey === '' ? {} : { 'x-api-key': apiKey }), ...settings.headers }
  return httpRunner(
    {
      wire: async () => messagesWire,
      endpoint: endpoint(root, undefined, headers, messagesWire.path),
      body,
      model,
      structuredOutput,
      parameters: new ComposedParameters({ api: messagesWire.api, baseUrl: root }),
      wanted: { maxTokens, ...settings.parameters },
      request: (messages, native) => ({ ...conversation(messages), ...outputOf(body, native) }),
    },
    settings,
  )
}

/** Rules are kept apart from the conversation, which must not begin with the model. */
function conversation(messages: readonly Message[]): { readonly system?: string; readonly messages: readonly Message[] } {
  const isRule = ({ role }: Message): boolean => role === 'system' || role === 'developer'
  const rules = messages.filter(isRule).map(({ content }) => contentText(content))
  return {
    ...(rules.length === 0 ? {} : { system: rules.join('\n\n') }),
    messages: messagesTurns(messages.filter((message) => !isRule(message))),
  }
}

/** The format beside other settings of the output, such as the effort. */
function outputOf({ output_config: config }: Fields, native: NativeSchema | undefined): Fields {
  if (native === undefined) return {}
  return { output_config: { ...(isFields(config) ? config : {}), format: messagesFormat(native) } }
}
