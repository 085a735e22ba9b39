import { Client, credentials, Metadata, type MethodDefinition, type ServiceError } from '@grpc/grpc-js'

/** How a call ended. */
export type Ended<Reply> = { readonly reply: Reply } | { readonly code: number; readonly details: string }

/** Calls a method of a service at a port with no checks before, and with any bytes. */
export function rawClient(
  port: number,
  options: Readonly<Record<string, number>> = {},
): { call: typeof call; readonly client: Client; close(): void } {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1, ...options })
  function call<Request, Reply>(
    method: MethodDefinition<Request, Reply>,
    request: Request | Buffer,
    timeoutMs = 5000,
  ): Promise<Ended<Reply>> {
    const serialize = (value: Request | Buffer): Buffer => (Buffer.isBuffer(value) ? value : method.requestSerialize(value))
    return new Promise((resolve) => {
      const end = (error: ServiceError | null, reply?: Reply): void =>
        resolve(error === null && reply !== undefined ? { reply } : { code: error?.code ?? -1, details: error?.details ?? '' })
      client.makeUnaryRequest(
        method.path,
        serialize,
        method.responseDeserialize,
        request,
        new Metadata(),
        { deadline: Date.now() + timeoutMs },
        end,
      )
    })
  }
  return { call, client, close: () => client.close() }
}
