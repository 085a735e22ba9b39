import type { IncomingMessage } from 'node:http'

/** How long the beginning of a body is waited for. */
const longestMs = 1000

/** Keeps the first bytes of a body as they arrive; the function returned waits for them, but not for long. */
export function watchHead(request: IncomingMessage, most: number): () => Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  let enough = (): void => {}
  const take = (chunk: Uint8Array): void => {
    chunks.push(chunk.subarray(0, most - size))
    size += chunk.length
    if (size < most) return
    request.off('data', take)
    enough()
  }
  request.on('data', take)
  return async () => {
    // A body that was found too large is not read on.
    if (size < most && !request.complete && !request.destroyed && !request.isPaused()) {
      const timer = setTimeout(() => enough(), longestMs)
      await new Promise<void>((resolve) => {
        enough = resolve
        request.once('end', resolve).once('close', resolve)
      })
      clearTimeout(timer)
    }
    return Buffer.concat(chunks)
  }
}
