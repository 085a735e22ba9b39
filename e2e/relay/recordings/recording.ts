/** The API that a recording is made in. */
export type Api = 'chat' | 'messages' | 'responses'

/** What a provider sends back: a refusal with its status, a whole body, and the events of a stream. */
export interface Recording {
  readonly api: Api
  /** The feature that it shows. */
  readonly name: string
  /** What a client adds to the plain request for it, in the words of the API. */
  readonly request?: Readonly<Record<string, unknown>>
  /** The body of a reply that is not streamed; without it the feature exists in streams only. */
  readonly whole?: Readonly<Record<string, unknown>>
  /** The data of each event; without them the feature exists in whole replies only. */
  readonly events?: readonly Readonly<Record<string, unknown>>[]
  /** Cut off by a limit, which no contract allows. */
  readonly isCut?: boolean
  /** Ends with an error in the stream. */
  readonly breaks?: boolean
  /** With a status the whole body is a refusal, sent for streams too. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Cuts a text into pieces as providers do. */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
}
