import { constants } from 'node:http2'
import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { streamOf } from './stream-of.ts'

/** How much is received at a time. */
export interface ReceptionLimits {
  /** Most messages; further ones wait in the hands of their senders. */
  readonly messages: number
  /** Milliseconds until a message must be there. */
  readonly patienceMs: number
}

/**
 * Limits how many messages are received at a time: a client that holds back the end of a message
 * must not take unbounded memory.
 */
export function receptionLimit({ messages, patienceMs }: ReceptionLimits): ServerInterceptor {
  const waiting = new Set<() => void>()
  let receiving = 0
  const leave = (): void => {
    receiving--
    const [next] = waiting
    if (next === undefined) return
    waiting.delete(next)
    next()
  }
  return (_method, call) => {
    let timer: NodeJS.Timeout | undefined
    let receive = (): void => {}
    const done = (): void => {
      waiting.delete(receive)
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      leave()
    }
    const giveUp = (): void => {
      if (timer !== undefined) discard(call)
      done()
    }
    return new ServerInterceptingCall(call, {
      start: (start) =>
        start({
          // Before the metadata is passed on nothing of the message is read.
          onReceiveMetadata(metadata, next) {
            receive = () => {
              receiving++
              timer = setTimeout(() => {
                call.sendStatus({ code: status.DEADLINE_EXCEEDED, details: `the message did not arrive within ${patienceMs} ms` })
                giveUp()
              }, patienceMs)
              next(metadata)
            }
            if (receiving < messages) receive()
            else waiting.add(receive)
          },
          onReceiveHalfClose(next) {
            done()
            next()
          },
          onCancel: giveUp,
        }),
    })
  }
}

/** Until then a status that was sent has left. */
const statusMs = 100

/**
 * gRPC keeps a partial message for as long as the sender likes, even after the call has ended; only
 * its stream can be closed for good.
 */
function discard(call: object): void {
  // Newer versions of Node drop a status that is still on its way when its stream is closed.
  setTimeout(() => streamOf(call)?.close(constants.NGHTTP2_NO_ERROR), statusMs).unref()
}
