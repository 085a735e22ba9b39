import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { loadParserProto, type WireReply, type WireRequest } from '../wire/parser-proto.ts'

type Call = ServerUnaryCall<WireRequest, WireReply>

/** What a scripted service does with a call. */
export type Script = (call: Call, answer: sendUnaryData<WireReply>) => void

/** A gRPC service that follows a script, and counts calls and cancellations. */
interface ScriptedService {
  readonly url: string
  readonly port: number
  readonly seen: { calls: number; cancelled: number }
  close(): void
}

/** Starts a service whose replies are written by `script`, without limits of its own; `serialize` may put anything on the wire. */
export async function scriptedService(script: Script, serialize?: (reply: WireReply) => Buffer): Promise<ScriptedService> {
  const { methods } = loadParserProto()
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 })
  const seen = { calls: 0, cancelled: 0 }
  const Parse = { ...methods.Parse, responseSerialize: serialize ?? methods.Parse.responseSerialize }
  server.addService(
    { Parse },
    {
      Parse(call: Call, answer: sendUnaryData<WireReply>) {
        seen.calls++
        call.on('cancelled', () => seen.cancelled++)
        script(call, answer)
      },
    },
  )
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) => (error === null ? resolve(taken) : reject(error)))
  })
  return { url: `grpc://127.0.0.1:${port}`, port, seen, close: () => server.forceShutdown() }
}
