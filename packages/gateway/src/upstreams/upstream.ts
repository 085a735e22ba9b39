import type { FailureKind } from '@stickler/core'
import type { ApiName, ChatRequest } from '@stickler/core/internal/apis'
import type { UpstreamCall, UpstreamCallOptions } from '@stickler/core/internal/relay'

/** A provider, or several with fail-over: the port that routes call. */
export interface Upstream {
  readonly name: string
  /** The APIs whose requests reach the provider unchanged; all others are translated. */
  readonly speaks?: ReadonlySet<ApiName>
  /** Set if it sends the `format` of a call, in the provider's own field or in the prompt. */
  readonly takesSchema?: true
  /** Starts a call; nothing is sent before a choice is read. `request.stream` requests a stream. */
  call(request: ChatRequest, options: UpstreamCallOptions): UpstreamCall
  /** Whether bodies for a path are passed on to the provider; if absent, all paths of `pass` are. */
  readonly passes?: (path: string) => boolean
  /** Passes JSON or a form unchanged to another path of the provider, such as `/embeddings`; absent if the provider has none. */
  pass?(path: string, body: unknown, options: UpstreamCallOptions): Promise<PassedReply>
  /** Checks whether the provider can be reached, for `doctor` and readiness. */
  probe?(signal: AbortSignal): Promise<ProbeResult>
  close(): Promise<void>
}

/** The response to a body that was passed on. */
export interface PassedReply {
  readonly status: number
  readonly contentType: string
  /** Headers of the provider that clients may see. */
  readonly headers?: Readonly<Record<string, string>>
  /** Pieces of the body; reading throws a RunnerFailure when the call fails. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The result of a probe. */
export type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly kind: FailureKind; readonly message: string }
