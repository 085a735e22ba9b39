import { type ChannelCredentials, type ChannelOptions, Client, credentials, Metadata, type StatusObject } from '@grpc/grpc-js'
import type { WireAnswer } from '@stickler/presets/internal'
import { type GrpcMethods, loadProto } from '../proto.ts'

/** How a call ended. */
interface GrpcReply {
  readonly messages: readonly WireAnswer[]
  readonly code: number
  readonly details: string
  /** Of the end of the call. */
  readonly trailers: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
}

/** What else a call is made with. */
interface GrpcCallOptions {
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>
  readonly deadlineMs?: number
  /** Called with each message, and how to cancel. */
  readonly onMessage?: (message: WireAnswer, cancel: () => void) => void
  /** Passed on as it is in place of a question. */
  readonly bytes?: Buffer
}

/** A client of questions over gRPC. */
export interface GrpcClient {
  ask(method: keyof GrpcMethods, query: string, sessionId?: string, options?: GrpcCallOptions): Promise<GrpcReply>
  readonly client: Client
  close(): void
}

/** Makes a client for an address such as `grpc://127.0.0.1:50052`. */
export function grpcClient(
  url: string,
  options: ChannelOptions = {},
  channel: ChannelCredentials = credentials.createInsecure(),
): GrpcClient {
  const client = new Client(url.replace(/^grpcs?:\/\//, ''), channel, { 'grpc.use_local_subchannel_pool': 1, ...options })
  const { methods } = loadProto()
  return {
    client,
    close: () => client.close(),
    ask(name, query, sessionId = '', { metadata = {}, deadlineMs = 20_000, onMessage, bytes } = {}) {
      const { path, requestSerialize, responseDeserialize } = methods[name]
      const sent = new Metadata()
      for (const [key, value] of Object.entries(metadata)) for (const one of [value].flat()) sent.add(key, one)
      const call = client.makeServerStreamRequest(
        path,
        (question: Parameters<typeof requestSerialize>[0]) => bytes ?? requestSerialize(question),
        responseDeserialize,
        { query, sessionId },
        sent,
        { deadline: Date.now() + deadlineMs },
      )
      const messages: WireAnswer[] = []
      let headers = {}
      call.on('metadata', (given: Metadata) => {
        headers = given.getMap()
      })
      call.on('data', (message: WireAnswer) => {
        messages.push(message)
        onMessage?.(message, () => call.cancel())
      })
      call.on('error', () => {})
      return new Promise((resolve) => {
        call.on('status', ({ code, details, metadata: trailers }: StatusObject) =>
          resolve({ messages, code, details, trailers: trailers.getMap(), headers }),
        )
      })
    },
  }
}
