import { heartbeatFrame } from '@stickler/core/internal/apis'
import { streamReply as relayStream } from '@stickler/core/internal/relay'
import { openSse } from '../front/replies/sse-writer.ts'
import type { ModelRequest } from '../requests/model-request.ts'

/** Streams a reply with text that is proven safe. */
export function streamReply(request: ModelRequest): Promise<void> {
  const { heartbeatMs } = request.settings
  return relayStream(request, {
    opened: request.pipeline?.opened,
    open: (headers) => openSse(request.caller, { heartbeatMs, heartbeat: () => request.api.heartbeat ?? heartbeatFrame, headers }),
    onSilence: (open) => {
      const silence = setTimeout(open, heartbeatMs)
      silence.unref()
      return () => clearTimeout(silence)
    },
  })
}
