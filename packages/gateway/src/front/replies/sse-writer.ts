import type { Exchange } from '../exchange.ts'
import type { ExtraHeaders } from './json-response.ts'
import { isCutOff } from './overload-errors.ts'
import { apiHeaders, headerList } from './reply-headers.ts'

/** Characters that are written at once, however many more follow in the same turn. */
const mostPending = 64 * 1024

/** How a stream of events is kept alive and bounded. */
export interface SseOptions {
  /** Silence after which a keep-alive is sent. */
  readonly heartbeatMs: number
  /** Makes the keep-alive, a whole frame. */
  readonly heartbeat: () => string
  /** How long the client may leave the stream unread; 30 s when absent. */
  readonly writeIdleMs?: number
  /** Bytes that may wait for the client before a further write ends the stream; 4 MiB when absent. One frame may be larger. */
  readonly maxBufferedBytes?: number
  readonly headers?: ExtraHeaders
}

/** A stream of events that has been opened. */
export interface SseWriter {
  /**
   * Sends whole frames; a promise means that the client is slow, and settles when it has caught up
   * or disconnected.
   */
  write(frames: string): Promise<void> | undefined
  /** Ends the stream, and the connection with it. */
  end(): void
  /** Ends an aborted stream with frames that report it; does nothing otherwise. */
  lastWords(frames: string): void
  /** Whether nothing can be sent any more. */
  readonly closed: boolean
}

/**
 * Replies with an event stream; the connection ends with it, because some clients end the turn only
 * then.
 */
export function openSse(exchange: Pick<Exchange, 'response' | 'requestId' | 'signal'>, options: SseOptions): SseWriter {
  const { response, requestId, signal } = exchange
  const { heartbeatMs, heartbeat, writeIdleMs = 30_000, maxBufferedBytes = 4 * 1024 * 1024 } = options
  let closed = response.destroyed || signal.aborted
  /** Frames of one turn of the event loop, which go out in one write. */
  let pending = ''
  let waiting: Promise<void> | undefined
  let goOn = () => {}

  const send = (frames: string): Promise<void> | undefined => {
    if (pending === '') process.nextTick(flush)
    pending += frames
    if (pending.length >= mostPending) flush()
    return waiting
  }

  const flush = (): void => {
    // Queued frames of an aborted stream are sent before its last ones.
    if (closed || pending === '') return
    const frames = pending
    pending = ''
    timer.refresh()
    if (response.write(frames)) return
    // The socket's own timeout sees every byte that the client takes, also within one large frame.
    response.socket?.setTimeout(writeIdleMs)
    waiting ??= new Promise((resolve) => {
      goOn = () => {
        response.off('drain', goOn)
        waiting = undefined
        if (!closed) response.socket?.setTimeout(0)
        resolve()
      }
      response.on('drain', goOn)
    })
  }

  const timer = setTimeout(() => {
    if (closed) return
    // A client with unread data needs no keep-alive.
    if (waiting === undefined) void send(heartbeat())
    else timer.refresh()
  }, heartbeatMs).unref()

  const close = () => {
    closed = true
    clearTimeout(timer)
  }
  const cutOff = () => {
    close()
    goOn()
  }
  response.once('close', cutOff)
  // A stream that is queued after another reply on its connection learns only by the signal that
  // the client disconnected.
  signal.addEventListener('abort', cutOff)
  if (closed) close()
  else {
    response.shouldKeepAlive = false
    response.writeHead(
      200,
      headerList(apiHeaders, 'text/event-stream; charset=utf-8', requestId, { ...options.headers, 'x-accel-buffering': 'no' }),
    )
    // Together with the first frames when they follow at once.
    process.nextTick(() => {
      if (pending !== '') flush()
      else if (!closed) response.flushHeaders()
    })
  }

  return {
    get closed() {
      return closed
    },
    write(frames) {
      if (closed || frames === '') return waiting
      if (waiting === undefined || response.writableLength <= maxBufferedBytes) return send(frames)
      cutOff()
      response.destroy()
      return undefined
    },
    end() {
      if (closed) return
      flush()
      close()
      response.end()
    },
    lastWords(frames) {
      // While nothing was sent, a status can report it.
      if (isCutOff(signal) && response.headersSent && !response.destroyed && !response.writableEnded) response.end(pending + frames)
      pending = ''
    },
  }
}
